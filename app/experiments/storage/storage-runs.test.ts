import { mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../engine/tools/run-tool';
import { symmetricDifferencePercent } from '../../facts/symmetric-difference';
import { ScriptedTools, type ToolAnswer } from '../../testing/scripted-tools';
import { SimulatedClock } from '../../testing/simulated-clock';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { fioAnswer, fullDiskAnswer } from './fio.fixture';
import { storage } from './storage';

const root = temporaryFolder();
let number = 0;

type Pass = number | ToolAnswer | ((call: ToolCall, folder: string) => ToolAnswer);

const sizeBytes = 16 * 1024 * 1024;

/** As fio does: no part of the file stays empty. */
function fill({ descriptors: [descriptor = -1] = [] }: ToolCall): void {
  writeSync(descriptor, Buffer.alloc(sizeBytes, 1), 0, sizeBytes, 0);
}

/** Two passes of 2 s of one read and one write; of each pass in turn its rate, or what fio does. The last one is that of all after it. */
async function stored(
  passes: readonly Pass[],
  { both = false, ...more }: Record<string, unknown> = {},
  order: Partial<WholeRunOrder> = {},
) {
  const clock = new SimulatedClock();
  const folders = [1, 2].map(() => join(root, `measured-${++number}`));
  for (const folder of folders) mkdirSync(folder);
  const [folder = ''] = folders;
  let pass = 0;
  const answer = (call: ToolCall): ToolAnswer => {
    if (call.args.includes('--name=lay-out')) {
      fill(call);
      return fioAnswer(call, 0);
    }
    const found = passes[Math.min(pass++, passes.length - 1)] ?? {};
    if (typeof found === 'function') return found(call, folder);
    return typeof found === 'number' ? fioAnswer(call, found) : found;
  };
  const tools = new ScriptedTools(clock, answer, { holdsTime: true });
  const usual = {
    folders: both ? folders : [folder],
    sizeMib: 16,
    repeats: 2,
    holdSeconds: 2,
    tests: ['SEQ1M-Q1T1'],
  };
  const parameters = { ...usual, ...more };
  const whole = await wholeRun({ experiment: storage, clock, folder: root, parameters, tools, ...order });
  // Of none of them anything is left, whatever became of the run.
  expect(folders.flatMap((one) => readdirSync(one))).toEqual([]);
  return { ...whole, folders, folder, calls: tools.calls };
}

/** Laying out 16 MiB at 400 MB/s, and the start of fio. */
const laidOut = 0.125 + (16 * 1024 * 1024) / 400e6;

test('two folders: best, median, spread, difference, and movies that each is enough for', async () => {
  const { outcome, run, page, folders, calls, progress } = await stored(
    [1000, 1200, 800, 600, 2000, 2200, 500],
    { both: true },
  );
  const [one, other] = folders;
  expect(run.rows.map(({ label, verdict }) => [label, verdict])).toEqual(
    [one, other].flatMap((folder) =>
      ['read', 'write'].map((way) => [`${folder}, ${way} SEQ1M-Q1T1`, 'PASS']),
    ),
  );
  const [read, write, otherRead, otherWrite] = run.rows;
  expect(read?.figures).toMatchObject({
    ...{ measuredSeconds: 4, 'storage.bestMBps': 1200, 'storage.medianMBps': 1100, 'storage.hapQStreams': 2 },
    ...{ 'storage.spreadMBps': expect.closeTo(200 / Math.SQRT2, 9), 'storage.differencePercent': null },
    ...{ 'storage.medianIops': 1100e6 / 1024 / 1024, 'storage.latencyP99Ms': 2, 'storage.cpuPercent': 20 },
  });
  expect(write?.figures).toMatchObject({
    'storage.bestMBps': 800,
    'storage.medianMBps': 700,
    'storage.hapQStreams': null,
  });
  expect(otherRead?.figures['storage.differencePercent']).toBe(symmetricDifferencePercent(1200, 2200));
  expect(otherWrite?.figures['storage.differencePercent']).toBe(symmetricDifferencePercent(800, 500));
  expect(outcome).toMatchObject({
    state: 'finished',
    verdict: 'PASS',
    reason: expect.stringContaining(`${one} reads 1100 MB/s: enough for 2 Hap Q streams`),
  });
  // In whole ms, as rows have it.
  const from = Math.floor(1000 * (0.25 + laidOut)) / 1000 - 0.25;
  expect(secondsOf(run).slice(0, 2)).toEqual([
    [expect.closeTo(from, 6), expect.closeTo(from + 4.25, 6)],
    [expect.closeTo(from + 4.25, 6), expect.closeTo(from + 8.5, 6)],
  ]);
  expect(page.run.rows).toEqual(run.rows);
  expect(calls.filter(({ args }) => args.includes('--name=lay-out'))).toHaveLength(2);
  expect(progress.map(({ step, remainingSeconds }) => [step, remainingSeconds])).toEqual([
    ...[
      [1, 16],
      [1, 16],
      [2, 12],
      [3, 8],
    ],
    [3, 8],
    [4, 4],
  ]);
});

test.each([
  [999, 'FAIL', /not enough for 3 Hap Q streams .*, only for 2$/],
  [1500, 'WARN', /enough for 3 Hap Q streams .*, with less than 20 % to spare/],
  [1800, 'PASS', /enough for 3 Hap Q streams/],
] as const)('%d MB/s for three movies: %s', async (rate, verdict, words) => {
  const { run } = await stored([rate], { streams: 3, operations: ['read'] });
  expect(run.verdict).toBe(verdict);
  expect(rowTexts(run)[0]?.[2].replace(/ \(measured from .*/, '')).toMatch(words);
});

test.each([
  ['fast', 1200, 0.7, 'PASS'],
  ['fast', 1200, 1.2, 'INVALID'],
  ['slow', 300, 0.7, 'FAIL'],
  ['slow', 300, 1.2, 'INVALID'],
])('a %s disk, while fio was stopped', async (_, mbps, seconds, verdict) => {
  const standstills = [stopped({ tool: 'fio' }, 2, 2 + seconds)];
  const { run } = await stored([mbps], { operations: ['read'], streams: 1 }, { standstills });
  const invalid = 'fio was stopped for 1.2 s (limit 1 s)';
  expect(rowTexts(run)).toEqual([
    [expect.anything(), verdict, expect.stringContaining(verdict === 'INVALID' ? invalid : `${mbps} MB/s`)],
  ]);
});

test('what fio measured is held against what it was asked for', async () => {
  const other = (call: ToolCall): ToolAnswer =>
    fioAnswer({ ...call, args: call.args.map((word) => (word === '--bs=1024k' ? '--bs=512k' : word)) }, 1000);
  const { run } = await stored([other], { operations: ['read'] });
  expect(rowTexts(run)).toMatchObject([[{}, 'INVALID', expect.stringMatching(/bs.*512k.*1024k/)]]);
});

test.each<[string, Pass, string, RegExp]>([
  [
    'nonsense',
    { stdout: 'all is well\n' },
    'TOOL_FAILED',
    /^fio failed: its output cannot be used \(no whole report, exit status 0\): all is well/,
  ],
  [
    'its death',
    { endSignal: 'SIGKILL', exitCode: null, seconds: 1 },
    'TOOL_FAILED',
    /^fio failed: it was killed by SIGKILL$/,
  ],
  ['silence', { seconds: 1000 }, 'TOOL_FAILED', /^fio did not end within 32 s and was stopped$/],
  [
    'a full disk',
    (call) => fullDiskAnswer(call),
    'DISK_FULL',
    /^The disk became full while it was measured: .*No space left on device/,
  ],
  [
    'a file that somebody took away',
    (call, folder) => {
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
      return fioAnswer(call, 700);
    },
    'OUTPUT_UNWRITABLE',
    /^The test file .+ was removed or replaced while it was measured$/,
  ],
])(
  '%s in the place of the fourth report: rows so far are kept, and the run fails with the reason',
  async (name, pass, code, message) => {
    const { outcome, run, incidents } = await stored([1000, 1200, 800, pass]);
    expect(outcome).toMatchObject({ state: 'failed', verdict: null, problem: { code } });
    expect(outcome.reason).toMatch(message);
    expect(run.state).toBe('failed');
    const passes = name.startsWith('a file') ? 2 : 1;
    expect(run.rows.map((row) => row.figures['storage.bestMBps'])).toEqual([1200, 800]);
    expect(run.rows[1]?.figures.measuredSeconds).toBe(2 * passes);
    if (passes === 1) expect(rowTexts(run)[1]?.[2]).toBe('1 of 2 repeats were measured');
    expect(incidents).toMatchObject([['problem', expect.stringMatching(message)]]);
  },
);

/** What another program does to the only file in a folder while fio runs. */
const during =
  (change: (file: string) => void, answer: Pass = 18_000) =>
  (call: ToolCall, folder: string): ToolAnswer => {
    for (const file of readdirSync(folder)) change(join(folder, file));
    return typeof answer === 'number' ? fioAnswer(call, answer) : (answer as ToolAnswer);
  };
const emptied = (file: string): void => {
  truncateSync(file, 0);
  truncateSync(file, sizeBytes);
};
const shortened = (file: string): void => truncateSync(file, sizeBytes / 2);
const zeroed = (file: string): void => writeFileSync(file, Buffer.alloc(sizeBytes), { flag: 'r+' });
const touched = (file: string): void => utimesSync(file, new Date(0), new Date(0));

test.each([
  ['emptied and lengthened', emptied, 'read', /: it takes 0\.0 MiB of the disk instead of 16\.0 MiB\. /],
  ['shortened', shortened, 'read', /: it has 8388608 bytes instead of 16777216\. /],
  ['overwritten with zeros', zeroed, 'read', /: 32 of 32 places that were read in it hold only zeros\. /],
  ['written to', touched, 'read', /: it was written to while this run only read it\. /],
  ['emptied and lengthened', emptied, 'write', /: it takes 0\.0 MiB of the disk instead of 16\.0 MiB\. /],
  ['shortened', shortened, 'write', /: it has 8388608 bytes instead of 16777216\. /],
  ['overwritten with zeros', zeroed, 'write', /: 32 of 32 places that were read in it hold only zeros\. /],
] as const)(
  'a file that another program %s (%o) in a %s: this row alone is INVALID',
  async (_, change, way, words) => {
    const tests = ['SEQ1M-Q8T1', 'SEQ1M-Q1T1'];
    const passes = [1000, during(change), 1200];
    const { run, calls } = await stored(passes, { operations: [way], tests, streams: 1 });
    expect(rowTexts(run)).toMatchObject([
      [{}, 'INVALID', expect.stringMatching(/^another program changed the test file .*whiteline-storage-/)],
      [{}, 'PASS', expect.anything()],
    ]);
    expect(rowTexts(run)[0]?.[2]).toMatch(words);
    expect(run.verdict).toBe('INVALID');
    // It is filled again before the next row.
    expect(calls.filter(({ args }) => args.includes('--name=lay-out'))).toHaveLength(2);
  },
);

test('a change in the first pass ends its row', async () => {
  const { run } = await stored([during(emptied), 1200], { operations: ['read'], repeats: 20 });
  expect(rowTexts(run)[0]?.[2]).toMatch(/; 1 of 20 repeats were measured$/);
});

test('fio fails over a file that another program changed: the run fails with that reason', async () => {
  const nothing = { stdout: 'fio: file creation disallowed by allow_file_create=0\n' };
  const { outcome, run } = await stored([1000, during(shortened, nothing)], { operations: ['read'] });
  expect(outcome).toMatchObject({ state: 'failed', problem: { code: 'OUTPUT_UNWRITABLE' } });
  expect(outcome.reason).toMatch(/^The storage could not be measured: another program changed the test file/);
  expect(rowTexts(run)).toMatchObject([[{}, 'INVALID', expect.stringMatching(/it has 8388608 bytes/)]]);
});

test('a pass without percentiles: its time is not measured, with the reason, and all else is', async () => {
  const bare = (call: ToolCall): ToolAnswer => {
    const answer = fioAnswer(call, 1000);
    return { ...answer, stdout: answer.stdout?.replace(/"percentile": \{[^}]*\}/g, '"N": 0') };
  };
  const { run } = await stored([1000, bare, 1000], { operations: ['read'] });
  expect(run.rows[0]?.figures).toMatchObject({ 'storage.medianMBps': 1000, 'storage.latencyP99Ms': null });
  expect(run.rows[0]?.notMeasured['storage.latencyP99Ms']).toBe(
    'fio does not report percentiles of the time of a request in each pass',
  );
  expect(run.verdict).toBe('PASS');
});

test('Ctrl-C: the open row is reported with the passes that it has', async () => {
  const { outcome, run } = await stored(
    [1000],
    { repeats: 20, operations: ['read'] },
    { stopAfterMs: 10_000 },
  );
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(rowTexts(run)[0]?.[2]).toMatch(/^4 of 20 repeats were measured; reads 1000 MB\/s/);
  expect(run.rows[0]?.figures).toMatchObject({ measuredSeconds: 8, 'storage.medianMBps': 1000 });
});
