import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ErrorCode, WhitelineError } from '../../protocol/errors';
import { type KeptLog, logPieceBytes } from '../../protocol/fleet/capture-logs';
import { OtherMachine } from '../../testing/other-machine';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { MachineLogs } from '../host-application';
import { makeLogFolder } from './capture-log';
import { RemoteLogs } from './remote-logs';

const parent = temporaryFolder();
const stream = (id: number) => ({ id, name: `Whiteline ${id}` });
const process = {};

let clock: SimulatedClock;
let folder: string;
let logs: RemoteLogs;
let events: { text: string; streamId: number | undefined }[];

beforeEach(() => {
  clock = new SimulatedClock();
  folder = mkdtempSync(join(parent, 'run-'));
  events = [];
  logs = new RemoteLogs({
    ...{ folder, clock },
    noteEvent: (kind, text, _, streamId) => {
      expect(kind).toBe('problem');
      events.push({ text, streamId });
    },
  });
});
afterEach(() => vi.restoreAllMocks());

/** A machine whose logs are these texts, by stream; what a test changes of its answers is `answers`. */
function machineWith(
  name: string,
  texts: readonly [streamId: number, text: string][],
  answers: Partial<MachineLogs> = {},
) {
  const bytesOf = (logId: number): Buffer => Buffer.from(texts[logId - 1]?.[1] ?? '');
  const kept = texts.map(([streamId], index): KeptLog => {
    const logId = index + 1;
    return { logId, streamId, bytes: bytesOf(logId).length, isOpen: false };
  });
  const good: MachineLogs = {
    list: async () => kept,
    read: async (logId, from) => bytesOf(logId).subarray(from, from + logPieceBytes),
    digest: async (logId) => ({
      bytes: bytesOf(logId).length,
      sha256: createHash('sha256').update(bytesOf(logId)).digest('hex'),
    }),
  };
  return Object.assign(new OtherMachine(name, clock, 0), { logs: { ...good, ...answers } });
}

function refusal(code: ErrorCode, message: string): () => Promise<never> {
  return () => Promise.reject(new WhitelineError({ code, message }));
}

const files = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

test('each log is there whole, by its stream and its machine, and several of one stream have numbers', async () => {
  const long = '1 2 3 0 5\n'.repeat(60_000);
  const [first, second] = [
    machineWith('render-1', [
      [1, long],
      [3, ''],
      [1, 'again\n'],
      [7, 'of no stream of ours'],
    ]),
    machineWith('display.2', [[2, 'b\n']]),
  ];
  for (const [machine, id] of [
    [first, 1],
    [first, 3],
    [second, 2],
    [first, 1],
  ] as const)
    expect(logs.expect(machine, stream(id), process)).toBe(true);
  await logs.fetch();
  expect(files()).toEqual({
    'captured-1-on-render-1.log': long,
    'captured-1-2-on-render-1.log': 'again\n',
    'captured-2-on-display.2.log': 'b\n',
    'captured-3-on-render-1.log': '',
  });
  expect(events).toEqual([]);
  expect([first, second].map((machine) => logs.holds(machine))).toEqual([false, false]);
  expect(() => makeLogFolder(folder)).toThrow(/-on-/);
});

test('logs of a lease that ended keep their numbers: those of the next one are not called by them', async () => {
  const ended = { list: refusal('LEASE_ENDED', 'This console no longer has render-1') };
  const [first, second] = [
    machineWith('render-1', [], ended),
    machineWith('render-1', [
      [1, 'third\n'],
      [1, 'fourth\n'],
    ]),
  ];
  const again = {};
  // A receiver that is opened again in its process goes on in its log.
  for (const receiver of [process, process, again]) logs.expect(first, stream(1), receiver);
  for (const receiver of [{}, {}]) logs.expect(second, stream(1), receiver);
  await logs.fetch();
  expect(files()).toEqual({
    'captured-1-3-on-render-1.log': 'third\n',
    'captured-1-4-on-render-1.log': 'fourth\n',
  });
  expect(events.map(({ text, streamId }) => [text.split('. ')[0], streamId])).toEqual([
    [
      'The logs captured-1-on-render-1.log, captured-1-2-on-render-1.log on render-1 were not fetched: This console no longer has render-1',
      1,
    ],
  ]);
});

test('a log that its agent does not have is said beside those that come', async () => {
  const machine = machineWith('render-1', [[1, 'a']]);
  for (const receiver of [{}, {}]) logs.expect(machine, stream(1), receiver);
  await logs.fetch();
  expect(files()).toEqual({ 'captured-1-on-render-1.log': 'a' });
  expect(events.map(({ text }) => text.split('. ')[0])).toEqual([
    'The log captured-1-2-on-render-1.log of Whiteline 1 (stream 1) on render-1 was not fetched: its agent has none',
  ]);
});

test('of many logs that do not come, a few are named', async () => {
  const ended = { list: refusal('LEASE_ENDED', 'It is gone') };
  const machine = machineWith('render-1', [], ended);
  for (let id = 1; id <= 10; id++) logs.expect(machine, stream(id), process);
  await logs.fetch();
  expect(events[0]?.text).toMatch(/captured-8-on-render-1\.log and 2 more on render-1 were not fetched: It/);
});

test('a machine that keeps no logs for us is not asked for any', async () => {
  expect(logs.expect(new OtherMachine('render-1', clock, 0), stream(1), process)).toBe(false);
  await logs.fetch();
  expect(events).toEqual([]);
});

test('a file that is there stays', async () => {
  writeFileSync(join(folder, 'captured-1-on-render-1.log'), 'of yesterday');
  logs.expect(machineWith('render-1', [[1, 'new']]), stream(1), process);
  await logs.fetch();
  expect(files()).toEqual({
    'captured-1-on-render-1.log': 'of yesterday',
    'captured-1-2-on-render-1.log': 'new',
  });
});

const large =
  (bytes: number): MachineLogs['list'] =>
  async () => [
    { logId: 1, streamId: 1, bytes, isOpen: false },
    { logId: 2, streamId: 2, bytes: 2, isOpen: false },
  ];

test.each<[string, Partial<MachineLogs>, string]>([
  [
    'too large',
    { list: large(1e15) },
    'render-1 says that it has 1000000000000000 bytes, and up to 1600000 are taken',
  ],
  ['shorter than it was', { list: large(5) }, 'of 5 bytes 3 came from byte 0 on'],
  ['longer than it was', { list: large(1) }, 'of 1 bytes 3 came from byte 0 on'],
  [
    'another one',
    { digest: async (logId) => ({ bytes: logId === 1 ? 3 : 2, sha256: 'a'.repeat(64) }) },
    'what came is not what is there, by its SHA-256',
  ],
  [
    'of another size',
    { digest: async () => ({ bytes: 9, sha256: 'a'.repeat(64) }) },
    '3 bytes of it came, and 9 are there',
  ],
  ['refused', { read: refusal('NOT_FOUND', 'The agent has no log 1') }, 'The agent has no log 1'],
  [
    'written still',
    { list: async () => [{ logId: 1, streamId: 1, bytes: 3, isOpen: true }] },
    'its stream process has not ended there',
  ],
  ['none', { list: async () => [] }, 'its agent has none'],
])('a log that is %s: nothing of it is left, and an event says why', async (_, answers, cause) => {
  const machine = machineWith(
    'render-1',
    [
      [1, 'abc'],
      [2, 'ab'],
    ],
    answers,
  );
  for (const id of [1, 2]) logs.expect(machine, stream(id), process);
  await logs.fetch();
  expect(events[0]).toEqual({
    streamId: 1,
    text: `The log captured-1-on-render-1.log of Whiteline 1 (stream 1) on render-1 was not fetched: ${cause}. Where its agent was started with --logs, copy it from there`,
  });
  expect(Object.keys(files())).not.toContain('captured-1-on-render-1.log');
  expect(Object.keys(files()).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a machine that is gone is said once for all of its logs, and those of others come', async () => {
  const gone = machineWith('render-1', [], {
    list: refusal('LEASE_ENDED', 'This console no longer has render-1'),
  });
  const half = machineWith('render-2', [[3, 'abc']], { read: refusal('LEASE_ENDED', 'It is gone') });
  const here = machineWith('render-3', [[5, 'e']]);
  for (const [machine, id] of [
    [gone, 1],
    [gone, 2],
    [half, 3],
    [half, 4],
    [here, 5],
  ] as const)
    logs.expect(machine, stream(id), process);
  await logs.fetch();
  expect(events.map(({ text }) => text.split('. ')[0])).toEqual([
    'The logs captured-1-on-render-1.log, captured-2-on-render-1.log on render-1 were not fetched: This console no longer has render-1',
    'The logs captured-3-on-render-2.log, captured-4-on-render-2.log on render-2 were not fetched: It is gone',
  ]);
  expect(files()).toEqual({ 'captured-5-on-render-3.log': 'e' });
});

test('a break of the bus is waited for', async () => {
  let breaks = 3;
  const machine = machineWith('render-1', [[1, 'abc']]);
  const { read } = machine.logs;
  machine.logs.read = (...asked) =>
    breaks-- > 0 ? refusal('BUS_UNREACHABLE', 'The bus is away')() : read(...asked);
  logs.expect(machine, stream(1), process);
  await clock.until(logs.fetch());
  expect(files()).toEqual({ 'captured-1-on-render-1.log': 'abc' });
});

test.each([
  [false, 120],
  [true, 10],
])(
  'an agent that is away takes no more than its time (of a run that was stopped: %s)',
  async (isStopped, seconds) => {
    const abort = new AbortController();
    if (isStopped) abort.abort();
    const away = { list: refusal('AGENT_SILENT', 'The agent is away') };
    logs.expect(machineWith('render-1', [], away), stream(1), process);
    logs.expect(machineWith('render-2', [[2, 'b']]), stream(2), process);
    const beganNs = clock.monotonicNs();
    await clock.until(logs.fetch(abort.signal));
    expect(Math.round((clock.monotonicNs() - beganNs) / 1e9)).toBe(seconds);
    expect(events.map(({ text }) => text.split('. ')[0])).toEqual([
      'The log captured-1-on-render-1.log of Whiteline 1 (stream 1) on render-1 was not fetched: the time for fetching logs is over',
      'The log captured-2-on-render-2.log of Whiteline 2 (stream 2) on render-2 was not fetched: the time for fetching logs is over',
    ]);
  },
);

test('Ctrl-C ends it at once, in the middle of a log too', async () => {
  const abort = new AbortController();
  const machine = machineWith('render-1', [[1, 'x'.repeat(2 * logPieceBytes)]]);
  const { read } = machine.logs;
  machine.logs.read = (logId, from) => {
    if (from === 0) return read(logId, from);
    abort.abort();
    return new Promise(() => undefined);
  };
  for (const id of [1, 2]) logs.expect(machine, stream(id), process);
  await logs.fetch(abort.signal);
  expect(events.map(({ text }) => text.split('. ')[0])).toEqual([
    'The logs captured-1-on-render-1.log, captured-2-on-render-1.log on render-1 were not fetched: fetching was interrupted',
  ]);
  expect(files()).toEqual({});
});

test('a log of hours may be longer than one of seconds, and none is longer than all that is taken', async () => {
  const cases = [
    [3600, 577_600_000],
    [7200, 1e9],
  ] as const;
  for (const [seconds, most] of cases) {
    logs.expect(machineWith('render-1', [[1, 'abc']], { list: large(most + 1) }), stream(1), process);
    await clock.pass(seconds * 1000);
    await logs.fetch();
    expect(events.pop()?.text).toContain(`has ${most + 1} bytes, and up to ${most} are taken`);
  }
});

test('a folder that cannot be written is said, and nothing more is fetched', async () => {
  rmSync(folder, { recursive: true });
  logs.expect(machineWith('render-1', [[1, 'a']]), stream(1), process);
  logs.expect(machineWith('render-2', [[2, 'b']]), stream(2), process);
  await logs.fetch();
  expect(events[0]?.text).toMatch(
    /^The log captured-1-on-render-1\.log of Whiteline 1 .+ was not fetched: .+-on-render-1\.log cannot be written/,
  );
  expect(events[1]?.text).toMatch(
    /^The log captured-2-on-render-2\.log of Whiteline 2 .+ on render-2 was not fetched: .+ cannot be written/,
  );
});
