import { expect, test } from 'vitest';
import { measuredRow } from '../../experiments/fan-out/fan-out-rows';
import {
  madeUpAround,
  madeUpFanOut,
  madeUpParameters,
  madeUpPlan,
  onMachine,
} from '../../experiments/fan-out/fan-out-rows.fixture';
import type { IperfReport } from '../../experiments/link/iperf-report';
import { iperfRow, pingRow } from '../../experiments/link/link-rows';
import { madeUpScaleRowOf, shortMatrix } from '../../experiments/nmos-scale/scale-rows.fixture';
import { pacedRow } from '../../experiments/pacing/pacing-rows';
import { madeUpPacing, madeUpPlan as madeUpPacingPlan } from '../../experiments/pacing/pacing-rows.fixture';
import { type MeasuredTest, storageRow } from '../../experiments/storage/storage-rows';
import { brokenGuards } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import type { LoadSample } from '../../protocol/load';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { SimulatedClock } from '../../testing/simulated-clock';
import { near, stopped } from '../../testing/standstills';
import type { Who } from '../load/standstills';
import { samplesWithin } from '../load/window';
import { openTableRow, type RowContext, type RowFrame, type TableRowOptions } from './table-row';

const clock = new SimulatedClock();

/** What others took at a time, %; null: not known. */
type Others = (atNs: number) => number | null;

/** A machine that is sampled twice a second. */
function contextOf(others: Others): RowContext {
  const samples: LoadSample[] = [];
  for (let atNs = clock.monotonicNs() - 5e9; atNs <= clock.monotonicNs() + 60e9; atNs += 0.5e9) {
    const percent = others(atNs);
    const roles = { tools: roleLoad(40, 20, 'runtime'), console: roleLoad(2, 80, 'engine') };
    const known = percent === null ? null : percent + 42;
    const notMeasured: Record<string, string> = percent === null ? { cpuPercent: 'no file is left' } : {};
    samples.push(loadSample({ atNs, cpuPercent: known, roles, notMeasured }));
  }
  return {
    clock,
    thresholds: defaultThresholds,
    isoNow: () => '2026-11-27T12:00:00.000Z',
    standstills: () => [],
    samples: (fromNs, toNs) => samplesWithin(samples, fromNs, Math.min(toNs, clock.monotonicNs())),
  };
}

async function frameOf(others: Others, options: TableRowOptions = {}): Promise<RowFrame & { index: number }> {
  const close = openTableRow(contextOf(others), options);
  await clock.pass(10_000);
  return { index: 0, ...close(10) };
}

const codesOf = ({ guards }: Pick<RowFrame, 'guards'>): string[] =>
  brokenGuards(guards).map(({ code }) => code);

test.each<[string, Others, TableRowOptions, string[]]>([
  ['little', () => 24, {}, []],
  ['25 %', () => 25, {}, ['others-busy']],
  ['not known', () => null, {}, ['not-checked']],
  ['much, which the experiment judges', () => 60, { judgesOthers: true }, []],
  ['not known, which the experiment judges', () => null, { judgesOthers: true }, []],
])('what others took of a row: %s', async (_, others, options, codes) => {
  expect(codesOf(await frameOf(others, options))).toEqual(codes);
});

test('a process that was stopped for too long in a row spoils it, and no other row', async () => {
  const startSeconds = clock.monotonicNs() / 1e9;
  const context = contextOf(() => 0);
  const ofLength = (who: Who, seconds: number) => stopped(who, startSeconds + 4, startSeconds + 4 + seconds);
  context.standstills = near(
    ofLength({ role: 'engine' }, 0.25),
    ofLength({ role: 'receiving' }, 0.5),
    ofLength({ tool: 'ping' }, 1),
    ofLength({ tool: 'fio' }, 1.5),
  );
  const close = openTableRow(context);
  await clock.pass(10_000);
  const facts = brokenGuards(close(10).guards);
  expect(facts.map(({ code, data }) => [code, data.role ?? data.tool, data.limitSeconds])).toEqual([
    ['process-stopped', 'receiving', 0.25],
    ['process-stopped', 'fio', 1],
  ]);
  const next = openTableRow(context);
  await clock.pass(10_000);
  expect(codesOf(next(10))).toEqual([]);
});

test('what ended just before a row is not of it; what lasts into it is', async () => {
  const startSeconds = clock.monotonicNs() / 1e9;
  const context = contextOf(() => 0);
  const codesOfARow = async (until: number): Promise<string[]> => {
    context.standstills = near(stopped({ role: 'engine' }, startSeconds - 1.2, startSeconds + until));
    const close = openTableRow(context);
    await clock.pass(5000);
    return codesOf(close(5));
  };
  expect(await codesOfARow(-0.1)).toEqual([]);
  expect(await codesOfARow(5.1)).toEqual(['process-stopped']);
});

test('of a row of repeats the worst counts, and what lies between them does not', async () => {
  const startNs = clock.monotonicNs();
  const at = (from: number, to: number) => ({ fromNs: startNs + from * 1e9, toNs: startNs + to * 1e9 });
  const busyIn =
    (from: number, to: number): Others =>
    (atNs) =>
      atNs > startNs + from * 1e9 && atNs <= startNs + to * 1e9 ? 60 : 0;
  const inSecond = openTableRow(contextOf(busyIn(6, 10)));
  const between = openTableRow(contextOf(busyIn(4, 6.9)));
  await clock.pass(18_000);
  const repeats = [at(0, 4), at(6, 10), at(12, 16)];
  expect(codesOf(inSecond(12, repeats))).toEqual(['others-busy']);
  expect(codesOf(inSecond(12))).toEqual([]);
  expect(codesOf(between(12, repeats))).toEqual([]);
});

const report = (throughputMbps: number): IperfReport => ({
  ...{ version: 'iperf 3.12', protocol: 'TCP', streams: 1, blockBytes: 131_072 },
  ...{ throughputMbps, reportedMbps: throughputMbps, sentMbps: throughputMbps },
  ...{ dataMb: throughputMbps, sentMb: throughputMbps, localCpuPercent: 30, remoteCpuPercent: 30 },
  ...{ tcp: { retransmits: 0, meanRttMs: 0.2, congestion: 'cubic' }, udp: null },
  ...{ sentSeconds: 8, receivedSeconds: 8, intervals: [{ mb: throughputMbps, seconds: 8 }] },
  settings: {
    ...{ host: '192.0.2.7', port: 5201, durationSeconds: 8, omitSeconds: 0, isReverse: false },
    ...{
      connectedHost: '192.0.2.7',
      isBothWays: null,
      typeOfService: 0,
      targetBits: 0,
      lastByte: 0,
      lastBlock: 0,
    },
  },
  parts: {
    ...{ streams: 1, sentMb: throughputMbps, receivedMb: throughputMbps, retransmits: 0 },
    ...{ datagrams: null, datagramsLost: null },
  },
});

function tcpRow(
  frame: RowFrame & { index: number },
  mbps: number,
  lineMbps: number | null = 1000,
): ClosedRow {
  const load = { machineCpuPercent: 40, cpuAroundPercent: 40, datagramsOverflowed: 0 };
  const repeat = { startedAt: '', elapsedSeconds: 8.1, report: report(mbps), ...load };
  const line = { interfaceName: 'eth0', loopback: false, speedMbps: 1000, mtuBytes: 1500, notMeasured: {} };
  return iperfRow(
    frame,
    {
      plan: { direction: 'send', streams: 1, datagramBytes: null, isHeld: false },
      test: {
        ...{ direction: 'send', streams: 1, durationSeconds: 8, omitSeconds: 0 },
        ...{ datagramBytes: null, targetMbps: null },
      },
      server: { host: '192.0.2.7', port: 5201, callerVersion: 'iperf 3.12' },
      ...{ wanted: 1, repeats: [repeat], target: null },
    },
    {
      address: '192.0.2.7',
      ipVersion: 4,
      own: false,
      port: 5201,
      line,
      rate: { mbps: lineMbps, source: 'as given' },
    },
    { passPercent: 90, warnPercent: 80, maxLossPercent: 0.1, saturatedPercent: 90, cores: 2 },
  );
}

function diskRow(frame: RowFrame & { index: number }, rate: number, isDeciding = true): ClosedRow {
  const need = { format: '3840x2160@60', megabytesPerSecond: 500, assumption: '1 byte per pixel' };
  const passed = {
    ...{ version: 'fio-3.33', options: {}, megabytesPerSecond: rate, megabytes: 10 * rate, seconds: 10 },
    ...{ requestsPerSecond: (1e6 * rate) / 1024 ** 2, latencyP50Ms: 1, latencyP99Ms: 2, latencyP999Ms: 3 },
  };
  const measured: MeasuredTest = {
    folder: { name: '/a', path: '/a', mount: null, freeMib: 9999, lineRateMbps: null, lineRateSource: '' },
    ...{ operation: 'read', test: 'SEQ1M-Q1T1', passes: [passed], wantedPasses: 1, direct: true },
    ...{ args: [], changes: [], first: null },
  };
  return storageRow(frame, measured, { need, streams: 2, decidingTest: isDeciding ? 'SEQ1M-Q1T1' : null });
}

const echoes = { echoesSent: 3, echoesAnswered: 3, meanRttMs: null, rttsMs: [1, 1, 1] };

type RowOf = (frame: RowFrame & { index: number }) => ClosedRow;
type Expected = [quiet: Verdict, taken: Verdict, unknown: Verdict];

test.each<[string, RowOf, Expected]>([
  ['link: TCP that is short', (frame) => tcpRow(frame, 500), ['FAIL', 'INVALID', 'INVALID']],
  ['link: TCP that is a little short', (frame) => tcpRow(frame, 850), ['WARN', 'INVALID', 'INVALID']],
  ['link: TCP that fills the link', (frame) => tcpRow(frame, 940), ['PASS', 'PASS', 'PASS']],
  [
    'link: TCP of which nothing is wanted',
    (frame) => tcpRow(frame, 940, null),
    ['WARN', 'INVALID', 'INVALID'],
  ],
  [
    'link: ping',
    (frame) => pingRow(frame, { report: echoes }, { asked: 3, isLoopback: false }),
    ['PASS', 'INVALID', 'INVALID'],
  ],
  ['storage: too slow', (frame) => diskRow(frame, 900), ['FAIL', 'INVALID', 'INVALID']],
  ['storage: fast enough', (frame) => diskRow(frame, 2000), ['PASS', 'PASS', 'PASS']],
  [
    'storage: of which nothing is wanted',
    (frame) => diskRow(frame, 2000, false),
    ['PASS', 'INVALID', 'INVALID'],
  ],
  ['nmos-scale: all nodes held', (frame) => madeUpScaleRowOf(frame, {}), ['PASS', 'PASS', 'PASS']],
  [
    'nmos-scale: resources lost',
    (frame) => madeUpScaleRowOf(frame, { counted: { ours: 4494, leftOver: 0, others: 0 } }),
    ['FAIL', 'INVALID', 'INVALID'],
  ],
  ['nmos-scale: a matrix that lacks receivers', shortMatrix, ['FAIL', 'INVALID', 'INVALID']],
  [
    'pacing',
    (frame) =>
      pacedRow(
        frame,
        madeUpPacingPlan('timer'),
        { ...madeUpPacing(3200), beside: null },
        'own',
        defaultThresholds,
      ),
    ['PASS', 'INVALID', 'INVALID'],
  ],
])(
  '%s, on a machine that is quiet, that others fill, or of which it is not known',
  async (_, rowOf, verdicts) => {
    const [quiet, taken, unknown] = [
      await frameOf(() => 3),
      await frameOf(() => 45),
      await frameOf(() => null),
    ];
    const rows = [quiet, taken, unknown].map(rowOf);
    expect(rows.map(({ verdict }) => verdict)).toEqual(verdicts);
    const guardsOf = ({ reason }: ClosedRow, code: string): number =>
      reason.filter((fact) => fact.code === code).length;
    const [first, second, third] = rows as [ClosedRow, ClosedRow, ClosedRow];
    expect([guardsOf(first, 'others-busy'), guardsOf(first, 'not-checked')]).toEqual([0, 0]);
    // Named once.
    expect(guardsOf(second, 'others-busy')).toBe(1);
    const others = third.reason.filter(({ data }) => data.what === 'how much of the CPU other programs took');
    expect(others.map(({ data }) => data.why)).toEqual(['no file is left']);
  },
);

test('a fan-out has its own guard, exact to the time of the samples, and none beside it', async () => {
  const frame = await frameOf(() => 45, { judgesOthers: true });
  const plan = madeUpPlan('unicast reliable', 2);
  const around = { ...madeUpAround, way: { kind: 'loopback', linkMbps: null } as const };
  const rowOf = (machineCpuPercent: number | null): ClosedRow =>
    measuredRow(frame, plan, madeUpFanOut(plan, onMachine(machineCpuPercent)), madeUpParameters, around);
  expect(rowOf(100).reason.map(({ code }) => code)).toEqual(['machine-taken']);
  const unknown = rowOf(null);
  expect(unknown.verdict).toBe('INVALID');
  expect(unknown.reason).toContainEqual(
    reasonOf('not-checked', {
      what: 'how much of the CPU other programs took',
      why: 'this system does not say it, or cores were switched on or off meanwhile',
    }),
  );
});
