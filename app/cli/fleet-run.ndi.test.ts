import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// A console and an agent with a monotonic clock of its own, hours ahead; a real nats-server and real NDI between them.

const folder = temporaryFolder();
const out = outputPaths(folder);
const ofUser = { XDG_CONFIG_HOME: join(folder, 'config') };
const inAnotherTime = ['unshare', '--time', '--monotonic', '90000', '--fork', '--kill-child'];

const running: WhitelineCommand[] = [];
afterEach(() => {
  for (const command of running.splice(0)) command.signal('SIGKILL');
});

function whiteline(words: string[], inside: string[] = []): WhitelineCommand {
  const command = new WhitelineCommand(words, ofUser, inside);
  running.push(command);
  return command;
}

async function startFleet(): Promise<void> {
  await whiteline(['fleet', 'start', '--listen', '127.0.0.1', '--port', '0']).says(/whiteline fleet invite/);
}

async function startAgent(name: string): Promise<WhitelineCommand> {
  const file = join(folder, `${name}.json`);
  const { errors } = await whiteline(['fleet', 'invite', name, '--output', file]).ended;
  expect(errors).toBe('');
  const agent = whiteline(['agent', file, '--logs', join(folder, 'logs')], inAnotherTime);
  await agent.says(new RegExp(`${name} is ready`));
  return agent;
}

/** Numbers that a receiver wrote down by itself. */
function capturedIn(file: string, first: number, last: number): number {
  const lines = readFileSync(file, 'latin1').split('\n');
  const numbers = lines.map((line) => line.split(' ').map(Number)).filter((fields) => fields.length === 5);
  return new Set(numbers.map(([, , number = 0]) => number).filter((one) => one >= first && one <= last)).size;
}

test('senders on another machine: frames are counted by what each end reports, and its load is that of its machine', async () => {
  await startFleet();
  await startAgent('render-1');
  const to = out('run');
  const run = whiteline([
    ...['run', 'stream-load', '--send-on', 'render-1', '--format', '640x360@30', '--max-streams', '1'],
    ...['--hold', '4s', '--warm-up', '1s', '--invalid-retries', '0', '--name', uniqueName(), '--no-audio'],
    ...['--inject', 'skip:31-35; miss:60', '--stop-on', 'invalid', '--capture-logs', '--out', to],
  ]);
  const { errors, exitCode, output } = await run.ended;
  console.error(exitCode, errors, output);
  const { rows } = readStreamRun(to);
  const row = rows.at(-1);
  console.error(JSON.stringify(row, null, 1).slice(0, 6000));
  const [stream] = row?.perStream ?? [];
  const [first, last] = [stream?.firstFrame ?? 0, stream?.lastFrame ?? 0];
  expect(stream?.framesReceived).toBe(capturedIn(join(to, `captured-1.log`), first, last));
  expect(stream?.conserved).toBe(true);
});
