import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ContentWriterOptions, ContentWriterStatus } from '../../../app/protocol/records';
import { codeOf, contentAddon, keep, waitFor } from './addon_fixture';

type Writer = InstanceType<typeof contentAddon.ContentWriter>;

const folder = mkdtempSync(join(tmpdir(), 'whiteline-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const small = {
  generator: 'flares',
  width: 320,
  height: 180,
  rateNumerator: 30,
  rateDenominator: 1,
  frames: 5,
};
const shell = (script: string) => ({ file: 'sh', arguments: ['-c', script] });

function openWriter(command: ContentWriterOptions['command']): Writer {
  return keep(new contentAddon.ContentWriter({ ...small, command }));
}

function settled(writer: Writer): Promise<ContentWriterStatus> {
  return waitFor('the end of writing', () => {
    const status = writer.status();
    return status.state === 'running' ? undefined : status;
  });
}

test('every picture of a clip reaches the command', async () => {
  const file = join(folder, 'clip.raw');
  const status = await settled(openWriter(shell(`cat > '${file}'`)));
  expect(status).toEqual({ state: 'done', framesWritten: 5, message: '' });
  expect(statSync(file).size).toBe(5 * 320 * 180 * 4);
  const bytes = readFileSync(file);
  expect(bytes.subarray(0, 320 * 180 * 4).equals(bytes.subarray(320 * 180 * 4, 2 * 320 * 180 * 4))).toBe(
    false,
  );
});

test('a command that fails, and one that is not there, say why', async () => {
  expect(await settled(openWriter(shell('cat > /dev/null; echo disk on fire >&2; exit 7')))).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/exit code 7:\ndisk on fire/),
  });
  expect(await settled(openWriter({ file: 'no-such-command', arguments: [] }))).toMatchObject({
    state: 'failed',
    framesWritten: 0,
    message: expect.stringMatching(/no-such-command/),
  });
});

test('closing ends the command, and a closed writer says so', async () => {
  const file = join(folder, 'id');
  const writer = openWriter(shell(`echo $$ > '${file}'; sleep 1000`));
  const id = await waitFor('the command', () => {
    try {
      return Number(readFileSync(file, 'utf8')) || undefined;
    } catch {
      return undefined;
    }
  });
  writer.close();
  await waitFor('the end of the command', () => {
    try {
      process.kill(id, 0);
      return undefined;
    } catch {
      return true;
    }
  });
  expect(codeOf(() => writer.status()).code).toBe('CLOSED');
  writer.close();
});

const good = { ...small, command: shell('cat > /dev/null') };

test.each([
  ['no options', undefined, /options/],
  [
    'an unknown generator',
    { ...good, generator: 'snow' },
    /one of black, cuts, .+ for generator but received snow/,
  ],
  ['a tiny picture', { ...good, width: 8 }, /from 16 to 16384 for width but received 8/],
  ['a huge picture', { ...good, height: 20000 }, /from 16 to 16384 for height but received 20000/],
  ['half a frame', { ...good, frames: 1.5 }, /a whole number for frames but received 1.5/],
  ['no frames', { ...good, frames: 0 }, /for frames but received 0/],
  ['no rate', { ...good, rateDenominator: 0 }, /for rateDenominator but received 0/],
  ['too fast', { ...good, rateNumerator: 1001 }, /at most 1000 frames per second for rateNumerator/],
  ['no command', { ...good, command: undefined }, /an object for command/],
  [
    'a command without arguments',
    { ...good, command: { file: 'cat' } },
    /list of texts for command.arguments/,
  ],
])('%s is refused', (_, options, sentence) => {
  const { code, message } = codeOf(() => new contentAddon.ContentWriter(options as ContentWriterOptions));
  expect(code).toBe('INVALID_ARGUMENT');
  expect(message).toMatch(sentence);
});
