import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../../setup/platform.mjs';
import {
  eventually,
  exits,
  expectSums,
  hostsOf,
  isOfThisMachine,
  limitMs,
  linesOf,
  NotMeasured,
} from './command.mjs';

const agentName = 'studio-pc';
const stream = ['--format', '640x360@30', '--start', '1', '--max-streams', '1', '--hold', '3s'];
const goesOn = ['--warm-up', '500ms', '--stop-on', 'fail', '--invalid-retries', '0'];

/** Its console and the server, which Windows has not, are of this system. */
class Console {
  constructor(wine) {
    this.wine = wine;
    this.started = 0;
    mkdirSync(wine.file('fleet'), { recursive: true });
  }

  start(words) {
    this.started += 1;
    const command = [process.execPath, path.join(rootFolder, 'dist/app/cli.cjs'), ...words];
    return this.wine.startBeside(command, {
      name: `console-${this.started}`,
      cwd: this.wine.file('fleet'),
      // Its stream hosts are not Wine's.
      variables: { XDG_CONFIG_HOME: this.wine.file('fleet/config'), WINEPREFIX: '' },
      limitMs,
    });
  }

  /** Of a run with these words: its rows. */
  async rowsOf(name, words) {
    const { status, signal, output } = await this.start([...words, '--out', this.wine.file(name)]).ended;
    // By a limit of the console, which is the operator's as well.
    const isTooLate = status === exits.environment && output.includes('did not answer within 1.5 s');
    if (isTooLate) throw new NotMeasured(`this machine was too busy for an agent: ${words.join(' ')}`);
    const judged = [exits.pass, exits.warn, exits.fail, exits.invalid];
    assert.ok(
      judged.includes(signal ?? status),
      `${words.join(' ')} ended with ${signal ?? status}:\n${output}`,
    );
    return linesOf(readFileSync(this.wine.file(`${name}/rows.jsonl`), 'utf8'));
  }
}

export const fleetChecks = {
  async 'an agent measures, sends and receives for a console'(whiteline) {
    const { wine } = whiteline;
    const site = new Console(wine);
    const server = site.start([
      'fleet',
      'start',
      '--listen',
      '127.0.0.1',
      '--port',
      '0',
      '--invite',
      agentName,
    ]);
    let agent = null;
    try {
      await eventually(
        async () => server.outputSoFar().includes('Ctrl-C ends it'),
        'the fleet did not start',
      );
      agent = whiteline.start(['agent', wine.windowsPath(`fleet/${agentName}.join.json`)]);
      await eventually(
        async () => agent.outputSoFar().includes(`${agentName} is ready`),
        () => `the agent is not ready; it says:\n${agent.outputSoFar()}`,
      );
      await expectQuiet(site);
      for (const end of ['--send-on', '--receive-on']) await expectStream(site, end);
      agent.kill();
      await agent.ended;
      await eventually(async () => hostsOf(wine).length === 0, 'stream hosts outlive their agent');
    } finally {
      for (const one of [agent, server]) {
        one?.kill();
        await one?.ended;
      }
    }
  },
};

async function expectQuiet(site) {
  const words = ['run', 'quiet', '--on', agentName, '--rates-hz', '60', '--hold', '2s'];
  const rows = await site.rowsOf('quiet', words);
  assert.ok(rows.length > 0);
  for (const { step } of rows) assert.equal(step.machine, agentName);
}

/** Between this system and Windows: each frame is somewhere. */
async function expectStream(site, end) {
  const rows = await site.rowsOf(`run${end}`, ['run', 'stream-load', end, agentName, ...stream, ...goesOn]);
  assert.deepEqual(
    rows.map(({ step }) => step.streams),
    [0, 1],
  );
  for (const { verdict, reason } of rows)
    assert.ok(verdict !== 'INVALID' || isOfThisMachine(reason), JSON.stringify(reason));
  expectSums(rows.at(-1).figures);
}
