import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { violatedByLoad } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import { numberOf } from '../../../facts/row-figures';
import type { LoadSample } from '../../../protocol/load';
import { range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { fromTo, measured } from '../../../testing/measured-streams';
import { near, stopped } from '../../../testing/standstills';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { LoadSums } from '../../load/load-sums';
import { samplesWithin } from '../../load/window';
import { SampledSide } from '../../machines/machine-side';
import type { ReleaseClock } from '../clocks/release-clock';
import type { MeasuredStream } from './measured-stream';
import type { ReceivingMachine } from './receiving-machines';
import { buildRow } from './row-builder';
import type { RowInput } from './row-input';

// Streams that this machine sends, received on display-1, display-2 and display-3 in turn.

const { fromNs, toNs } = fromTo;
const sending = new SampledSide({ name: 'render-1', network: '' });

for (const atNs of [fromNs, fromNs + 1e9, toNs]) sending.add(loadSample({ atNs }));

type Overrides = Partial<LoadSample>;

function machine(name: string, overrides: Overrides = {}): ReceivingMachine {
  const side = new SampledSide({ name, network: '' });
  const atNs = [fromNs + 1e9, fromNs + 1.5e9, toNs];
  for (const at of atNs)
    side.add(loadSample({ wireReceiveMbps: 110, loopbackMbps: 0, ...overrides, atNs: at }));
  const { samples } = side;
  return { name, samples, load: LoadSums.of(samplesWithin(samples, fromNs, toNs)) };
}

function on({ name }: ReceivingMachine, one: MeasuredStream, called = ''): MeasuredStream {
  const { stream } = one;
  stream.receiverHost = name;
  stream.reportedLoads = sending.loads;
  stream.senderHost = sending.name;
  return called === '' ? one : { ...one, stream: Object.assign(stream, { name: called }) };
}

function rowOf(
  receivers: readonly ReceivingMachine[],
  streams: MeasuredStream[],
  overrides: Partial<Omit<RowInput, 'load'>> = {},
) {
  const [{ samples, name }] = receivers as [ReceivingMachine];
  return buildRow(
    rowInput({
      ...{
        ...fromTo,
        streams,
        samples,
        hostName: name,
        receivers,
        isSenderRemote: true,
        senderSide: sending,
      },
      ...{ consoleName: hostname(), ownSamples: [] },
      ...overrides,
    }),
  );
}

const receiving = (percent: number, memoryMb: number, receivedMbps = 99): Overrides => ({
  roles: { receiving: { ...roleLoad(percent, memoryMb, 'sdk'), traffic: { sentMbps: 0, receivedMbps } } },
});

test('the row has each machine’s load, a column the highest of them, a stream its machine, and traffic is that of all', () => {
  const machines = [
    machine('display-1', { cpuPercent: 30, ...receiving(9, 50, 40) }),
    machine('display-2', { cpuPercent: 45, ...receiving(3, 80, 60) }),
  ] as const;
  const row = rowOf(machines, [on(machines[0], measured()), on(machines[1], measured())]);
  expect(row.verdict).toBe('PASS');
  expect(row.load['display-1']?.receiver).toMatchObject({ cpuMaxPercent: 30, memoryMaxMb: 50 });
  expect(row.load['display-2']?.receiver).toMatchObject({ cpuMaxPercent: 45, memoryMaxMb: 80 });
  expect(numberOf(row, 'receiver.cpuMaxPercent')).toBe(45);
  expect(numberOf(row, 'receiver.cpuProcessMaxPercent')).toBe(9);
  expect(numberOf(row, 'receiver.memoryMaxMb')).toBe(80);
  expect(numberOf(row, 'receiver.networkMaxMbps')).toBe(110);
  expect(row.figures.bitrateMbps).toBe(100);
  expect(row.subjects.map(({ hosts }) => hosts)).toEqual([
    { sender: 'render-1', receiver: 'display-1' },
    { sender: 'render-1', receiver: 'display-2' },
  ]);
});

test('a column that one machine lacks is not measured, with that machine’s name', () => {
  const machines = [
    machine('display-1'),
    machine('display-2', { cpuPercent: null, notMeasured: { cpuPercent: 'its /proc/stat is gone' } }),
    machine('display-3', { roles: {}, notMeasured: {} }),
  ] as const;
  const row = rowOf(machines, [on(machines[0], measured())]);
  expect(numberOf(row, 'receiver.cpuMaxPercent')).toBeNull();
  expect(row.notMeasured['receiver.cpuMaxPercent']).toBe('display-2: its /proc/stat is gone');
  expect(row.notMeasured['receiver.memoryMaxMb']).toBe('display-3: no receiving process was running');
  expect(row.notMeasured['receiver.networkMaxMbps']).toBeUndefined();
  expect([row.figures.bitrateMbps, row.notMeasured.bitrateMbps]).toEqual([
    ...[null, 'display-3: no receiving process was running'],
  ]);
});

test('what one machine’s guard says is said with its name, and makes a loss INVALID wherever it was', () => {
  const machines = [machine('display-1'), machine('display-2')] as const;
  const guards = [violatedByLoad([reasonOf('no-load-sample', { seconds: 4, machine: 'display-2' })])];
  const lost = [100, 101, 102];
  const row = rowOf(machines, [on(machines[0], measured(lost)), on(machines[1], measured())], { guards });
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toContain('no load sample of display-2 for 4.0 s');
});

test('other programs on one of them excuse losses there, by its name, and none on another one', () => {
  const machines = [machine('display-1'), machine('display-2', { cpuPercent: 80 })] as const;
  const lost = [100, 101, 102];
  const there = rowOf(machines, [on(machines[0], measured()), on(machines[1], measured(lost))]);
  expect(there.verdict).toBe('INVALID');
  expect(wordsOf(there.reason)).toMatch(/other programs took 7\d\.\d % of the CPU of display-2/);
  const elsewhere = rowOf(machines, [on(machines[0], measured(lost)), on(machines[1], measured())]);
  expect(elsewhere.verdict).toBe('FAIL');
  expect(wordsOf(elsewhere.reason)).not.toContain('display-2');
});

test('a stop of a receiving process explains what its machine lost, and nothing of another one', () => {
  const machines = [machine('display-1'), machine('display-2')] as const;
  const lost = [100, 101, 102, 103];
  const seconds = [fromNs / 1e9 + 0.6, fromNs / 1e9 + 0.9] as const;
  const standstills = near(stopped({ role: 'receiving', machine: 'display-2' }, ...seconds));
  const row = rowOf(machines, [on(machines[0], measured(lost), 'A'), on(machines[1], measured(lost), 'B')], {
    standstills,
  });
  const causes = row.subjects.map(({ losses }) =>
    losses.flatMap((loss) => (loss.causes ?? []).map(({ code }) => code)),
  );
  expect(causes[0]).not.toContain('receiving-stopped');
  expect(causes[1]).toContain('receiving-stopped');
  const [first, second] = row.subjects;
  expect(first?.verdict).toBe('FAIL');
  expect(second?.verdict).toBe('INVALID');
  expect(wordsOf(second?.reason ?? [])).toContain('our receiving process on display-2 was stopped');
});

test('row 0 names the machine that other programs kept busy', () => {
  const machines = [machine('display-1'), machine('display-2', { cpuPercent: 70 })] as const;
  const row = rowOf(machines, []);
  expect(row.verdict).toBe('WARN');
  expect(wordsOf(row.reason)).toMatch(/^display-2 was busy before the first stream/);
  expect(Object.keys(row.load)).toEqual(
    expect.arrayContaining(['render-1', 'display-1', 'display-2', hostname()]),
  );
});

test('this machine is one of them, and its process names none', () => {
  const machines = [machine(hostname()), machine('display-2')] as const;
  const lost = [100, 101, 102, 103];
  const standstills = near(stopped({ role: 'receiving' }, fromNs / 1e9 + 0.6, fromNs / 1e9 + 0.9));
  const row = rowOf(machines, [on(machines[0], measured(lost)), on(machines[1], measured(lost))], {
    standstills,
  });
  expect(row.subjects.map(({ verdict }) => verdict)).toEqual(['INVALID', 'FAIL']);
});

test('what is received on the sender’s own machine is explained by that machine once', () => {
  const atNs = fromNs + 1e9;
  const data = { name: 'eth0', fromBytes: 9000, toBytes: 1500 };
  const changed = { changes: [{ atNs, code: 'wall-clock-step' as const, data: { byMs: 50, ...data } }] };
  const machines = [machine('render-1', changed), machine('display-2')] as const;
  const side = Object.assign(new SampledSide({ name: 'render-1', network: '' }), {
    samples: machines[0].samples,
  });
  const lost = [60, 61, 62];
  const streams = [on(machines[0], measured(lost)), on(machines[1], measured(lost))];
  const row = rowOf(machines, streams, { senderSide: side });
  const codes = row.subjects.map(({ losses }) =>
    losses.flatMap(({ causes }) => causes?.map(({ code }) => code)),
  );
  const times = (index: number): number =>
    codes[index]?.filter((code) => code === 'wall-clock-step').length ?? 0;
  // Each of its three samples has the change.
  expect([times(0), times(1)]).toEqual([3, 3]);
});

/** Slots 60 to 179 of a stream whose pictures come so late. */
function late(ms: number, clock?: ReleaseClock): MeasuredStream {
  const stream = new TestStream(clock ? { clock } : {});
  const counter = stream.open(60, 179);
  stream.send(0, 239);
  for (const slot of range(0, 239)) stream.capture(slot, { captureNs: frameNs(slot) + ms * 1e6 });
  return stream.measure(counter, 179);
}

function farAway(uncertaintyUs: number): ReleaseClock {
  return { ...unknownClock, offsetUs: () => 0, uncertaintyUs: () => uncertaintyUs };
}

test('latencies and their ± are the highest of all machines, each column by itself, and the histogram has all of them', () => {
  const machines = [machine('display-1'), machine('display-2')] as const;
  const streams = [
    ...[late(2, farAway(900)), late(2, farAway(900)), late(3, farAway(900))].map((one) =>
      on(machines[0], one),
    ),
    on(machines[1], late(7, farAway(100))),
  ];
  const { figures, notMeasured } = rowOf(machines, streams);
  expect(figures['latencyMs.min']).toBeCloseTo(2, 2);
  for (const id of ['p50', 'p90', 'p99', 'max'] as const)
    expect(figures[`latencyMs.${id}`]).toBeCloseTo(7, 1);
  expect(figures.latencyUncertaintyMs).toBeCloseTo(0.9, 6);
  expect(figures['latencyMs.histogram']?.counts.reduce((sum, count) => sum + count)).toBe(480);
  // Of 360 and of 120 values.
  expect(notMeasured['latencyMs.p999']).toBe(
    'display-1: fewer than 1,000 values; display-2: fewer than 1,000 values',
  );
  const [first] = machines;
  expect(rowOf([first], streams.slice(0, 3)).figures['latencyMs.p50']).toBeCloseTo(2, 2);
});

test('where the latencies of one machine are not known, they are not measured, with its name', () => {
  const machines = [machine('display-1'), machine('display-2')] as const;
  const streams = [on(machines[0], late(2)), on(machines[1], late(7, unknownClock))];
  const { figures, notMeasured } = rowOf(machines, streams);
  expect([figures['latencyMs.p50'], figures['latencyMs.max']]).toEqual([null, null]);
  expect(notMeasured['latencyMs.p99']).toMatch(/^display-2: the difference to the clock/);
  expect(figures['receiveIntervalMs.p50']).toBeCloseTo(1000 / 60, 1);
});

test('what a machine’s interface dropped beside a loss is found against its seconds without one, as this console counted them', () => {
  const side = new SampledSide({ name: 'display-1', network: '' });
  const halves = range(1, 8).map((half) => half * 0.5e9);
  const isThen = (atNs: number): boolean => atNs > 2.5e9 && atNs <= 3.6e9;
  for (const atNs of halves) {
    const dropped = isThen(atNs) ? { wireDropped: 35, cpuPercent: 99 } : { wireDropped: 0 };
    side.add(loadSample({ wireReceiveMbps: 110, loopbackMbps: 0, ...dropped, lostPerSecond: null, atNs }));
  }
  const { name, samples } = side;
  const machines = [
    { name, samples, load: LoadSums.of(samplesWithin(samples, fromNs, toNs)) },
    machine('display-2'),
  ] as const;
  const ownSamples = halves.map((atNs) => loadSample({ atNs, lostPerSecond: isThen(atNs) ? 5 : 0 }));
  const streams = () => [on(machines[0], measured([100, 101, 102, 103, 104])), on(machines[1], measured())];
  const causesOf = (own: LoadSample[]) =>
    rowOf(machines, streams(), { ownSamples: own }).subjects[0]?.losses[0]?.causes?.map(({ code }) => code);
  expect(causesOf(ownSamples)?.[0]).toBe('interface-drops');
  expect(causesOf([])?.[0]).toBe('cpu-full');
});
