import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { eventually, limitMs, linesOf } from './command.mjs';

const asker = fileURLToPath(new URL('ask-served.mjs', import.meta.url));

export const servedChecks = {
  async 'the console is served to a browser'(whiteline) {
    const { wine } = whiteline;
    const server = whiteline.start(['serve', '--port', '0', '--json', '--runs', wine.windowsPath('served')]);
    try {
      const [{ address }] = await eventually(async () => {
        const lines = linesOf(server.outputSoFar());
        return lines.length > 0 && lines;
      }, 'whiteline serve prints no address');
      const options = { name: 'ask-served', limitMs };
      const { status, signal, output } = await wine.startBeside([process.execPath, asker, address], options)
        .ended;
      assert.equal(signal ?? status, 0, `${output}\nwhiteline serve says:\n${server.outputSoFar()}`);
    } finally {
      server.kill();
      await server.ended;
    }
  },
};
