import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { causesText } from '../../../facts/cause-words';
import { wordsOf } from '../../../facts/reason-words';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import { loadSample } from '../../../testing/load-sample';
import { type MeasuredRow, type MeasuredRowOptions, measuredRow } from '../../../testing/measured-row';
import { MachineClock } from '../../machines/machine-clock';
import { MachineReleaseClock } from '../../machines/machine-release-clock';
import { SampledSide } from '../../machines/machine-side';
import { loadsThen } from './load-around';
import { machinesOf, standstillsOfEnds } from './machines-of';

/** Where the two ends are; undefined: here. */
interface Ends {
  sender?: SampledSide;
  receiver?: SampledSide;
}

const moments = [0, 0.5, 1, 1.5, 2, 2.5];

/** A machine of a row that was sampled twice a second, as one of the samples says. */
function side(
  name: string,
  row: MeasuredRow,
  at: (seconds: number) => Partial<LoadSample> | null,
): SampledSide {
  const machine = new SampledSide({ name, network: name });
  for (const seconds of moments) {
    const overrides = at(seconds);
    const atNs = row.fromNs + seconds * 1e9;
    if (overrides) machine.add(loadSample({ roles: {}, atNs, ...overrides }));
  }
  return machine;
}

const calm = (): Partial<LoadSample> => ({});

/** The row with its ends on these machines, and what it came to. */
async function closed(row: MeasuredRow, { sender, receiver }: Ends) {
  Object.assign(row.set, { senderSide: sender, receiverSides: receiver ? [receiver] : [] });
  if (sender) row.stream.reportedLoads = sender.loads;
  const { verdict, reason, load, subjects } = await row.clock.until(row.meter.close(row.toNs));
  const causes = subjects.flatMap(({ losses }) => losses.map((loss) => causesText([loss.causes ?? []])));
  return { verdict, text: wordsOf(reason), load, causes };
}

const lossy: MeasuredRowOptions = { endedSecondsAgo: 1.9, lost: { frames: 10, transportDropped: 0 } };

function change(row: MeasuredRow, code: MachineChange['code'], data: MachineChange['data']) {
  return (seconds: number): Partial<LoadSample> =>
    seconds === 1 ? { changes: [{ atNs: row.fromNs + 1e9, code, data }] } : {};
}

type Disturbed = [
  name: string,
  disturb: (row: MeasuredRow) => (seconds: number) => Partial<LoadSample> | null,
  words: (machine: string) => string,
];

const disturbances: Disturbed[] = [
  [
    'CPU that its hypervisor took',
    () => (seconds) => (seconds === 2 ? { cpuStealPercent: 7 } : {}),
    (machine) => `the hypervisor took 7.0 % of the CPU of ${machine} away (limit 5 %)`,
  ],
  [
    'samples that did not come',
    () => (seconds) => (seconds === 0 || seconds >= 2 ? {} : null),
    (machine) => `no load sample of ${machine} for 2.0 s`,
  ],
  [
    'a wall clock that was set',
    (row) => change(row, 'wall-clock-step', { byMs: 50 }),
    (machine) => `${machine}’s wall clock was set 50.0 ms ahead`,
  ],
  [
    'a time in which it slept',
    (row) => change(row, 'machine-suspended', { seconds: 3 }),
    (machine) => `${machine} was suspended for 3.0 s`,
  ],
  [
    'a figure that it does not report',
    () => () => ({ cpuStealPercent: null, notMeasured: { cpuStealPercent: '/proc/stat is not there' } }),
    (machine) =>
      `how much CPU the hypervisor took away on ${machine} could not be checked: /proc/stat is not there`,
  ],
  [
    'other programs',
    () => () => ({ cpuPercent: 60 }),
    (machine) => `other programs took 60.0 % of the CPU of ${machine} (limit 25 %)`,
  ],
];

test.each(disturbances)(
  '%s: of the sender’s machine and of the receiver’s, by its name',
  async (_, disturb, words) => {
    for (const name of ['sender', 'receiver'] as const) {
      const row = measuredRow(lossy);
      const machine = name === 'sender' ? 'render-1' : 'display-1';
      const ends: Ends = {
        sender: side('render-1', row, name === 'sender' ? disturb(row) : calm),
        receiver: side('display-1', row, name === 'receiver' ? disturb(row) : calm),
      };
      const { verdict, text } = await closed(row, ends);
      expect([verdict, text]).toEqual(['INVALID', expect.stringContaining(words(machine))]);
      expect(text).not.toContain(words(name === 'sender' ? 'display-1' : 'render-1'));
    }
  },
);

test.each(disturbances)(
  '%s: of one of two machines of a row without a loss spoils nothing',
  async (_, disturb) => {
    const row = measuredRow();
    const { verdict } = await closed(row, { sender: side('render-1', row, disturb(row)) });
    expect(verdict).toBe('PASS');
  },
);

test('with both ends elsewhere, a console that is busy has disturbed nothing', async () => {
  const row = measuredRow(lossy);
  for (const sample of row.samples) Object.assign(sample, { cpuStealPercent: 50, cpuPercent: 99 });
  const { verdict, text } = await closed(row, {
    sender: side('render-1', row, calm),
    receiver: side('display-1', row, calm),
  });
  expect(verdict).toBe('FAIL');
  expect(text).not.toContain('hypervisor');
});

test('where one end is here, this machine is named beside the other one', async () => {
  const row = measuredRow(lossy);
  for (const sample of row.samples) sample.cpuStealPercent = 50;
  const { text } = await closed(row, { sender: side('render-1', row, calm) });
  expect(text).toContain(`of the CPU of ${hostname()} away`);
});

test('a process that was stopped is named with its machine', async () => {
  const row = measuredRow(lossy);
  const span = { fromNs: row.fromNs + 0.5e9, toNs: row.fromNs + 1.5e9 };
  row.standstills.add({ role: 'sending', machine: 'render-1' }, [{ kind: 'stopped', ...span }]);
  const { text } = await closed(row, { sender: side('render-1', row, calm) });
  expect(text).toContain('our sending process on render-1 was stopped for 1 s');
});

test('a clock that jumped is that of the machine on which it did, and says how far that one went', async () => {
  for (const isSender of [true, false]) {
    const clock = new MachineClock();
    const there = { name: isSender ? 'render-1' : 'display-1', clock, wallOffsetUs: 0 };
    const release = new MachineReleaseClock(isSender ? there : null, isSender ? null : there, 0);
    const row = measuredRow({ ...lossy, clock: release });
    const atNs = row.fromNs + 1e9;
    const aheadNs = (ns: number): number => (ns >= atNs ? 3e9 : 0);
    for (let askedNs = atNs - 20e9; askedNs < atNs + 1e9; askedNs += 0.25e9) {
      const heardNs = askedNs + aheadNs(askedNs) + 1000;
      clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + 2000 });
    }
    const { text } = await closed(row, {
      sender: side('render-1', row, calm),
      receiver: side('display-1', row, calm),
    });
    expect(text).toContain(`the clock of ${there.name} jumped 3000.0 ms ahead relative to ours`);
  }
});

test('what the sender missed by itself is explained by its own machine', async () => {
  const row = measuredRow({ endedSecondsAgo: 1.9, missed: { frames: 5, cause: MissCause.SenderLate } });
  const full = {
    cpuPercent: 97,
    roles: { sending: { cpuPercent: 95, memoryMb: 1, stopped: false, parts: null } },
  };
  const { verdict, text, causes } = await closed(row, {
    sender: side('render-1', row, () => full),
    receiver: side('display-1', row, calm),
  });
  expect([verdict, text]).toEqual(['FAIL', expect.stringContaining('render-1 was at 97 %')]);
  expect(causes).toEqual(['render-1’s CPU was at 97 %']);
});

test('streams from another machine are counted outside, those of one machine on its loopback', async () => {
  const busy = { loopbackMbps: 900, wireReceiveMbps: 120, wireTransmitMbps: 130 };
  const networkOf = async (network: string): Promise<unknown> => {
    const row = measuredRow();
    const sides = ['render-1', 'display-1'].map((name) => side(name, row, () => busy));
    const [sender, receiver] = sides.map(({ name, samples, loads }) =>
      Object.assign(new SampledSide({ name, network: network || name }), { samples, loads }),
    );
    const { load } = await closed(row, { sender, receiver });
    return [load['render-1']?.sender?.networkMaxMbps, load['display-1']?.receiver?.networkMaxMbps];
  };
  expect(await networkOf('')).toEqual([130, 120]);
  expect(await networkOf('one')).toEqual([900, 900]);
});

test('samples of another machine that are on their way are waited for', async () => {
  const row = measuredRow({ endedSecondsAgo: 0 });
  const late = side('render-1', row, (seconds) => (seconds < 1 ? {} : null));
  row.set.flush = async () => {
    const atNs = row.clock.monotonicNs();
    if (atNs > row.toNs + 1e9 && (late.samples.at(-1)?.atNs ?? 0) < row.toNs - 1e9)
      for (const seconds of [1, 1.5, 2]) late.add(loadSample({ atNs: row.fromNs + seconds * 1e9 }));
  };
  const { verdict, text } = await closed(row, { sender: late });
  expect([verdict, text]).toEqual(['PASS', 'no frame lost']);
});

test('without a fleet no machine has a name', () => {
  expect(machinesOf({}, [])).toEqual([{ samples: [] }]);
});

test('the cause of a loss on the way is named with the machine on which it was seen', async () => {
  const row = measuredRow(lossy);
  const ends = {
    sender: side(
      'render-1',
      row,
      change(row, 'mtu-changed', { name: 'eth0', fromBytes: 9000, toBytes: 1500 }),
    ),
    receiver: side(
      'display-1',
      row,
      change(row, 'mtu-changed', { name: 'eth1', fromBytes: 9000, toBytes: 1500 }),
    ),
  };
  const changed = 'changed from 9000 to 1500 bytes';
  expect((await closed(row, ends)).causes).toEqual([
    `the MTU of eth1 of display-1 ${changed}, the MTU of eth0 of render-1 ${changed}`,
  ]);
  const calmRow = measuredRow(lossy);
  const calmEnds = { sender: side('render-1', calmRow, calm), receiver: side('display-1', calmRow, calm) };
  expect((await closed(calmRow, calmEnds)).causes).toEqual([
    expect.stringContaining('the CPU of display-1 (20 %'),
  ]);
});

test('the newest load of each machine is known while the row is measured', () => {
  const row = measuredRow();
  const late = side('render-1', row, (seconds) => (seconds < 1 ? { cpuPercent: 97 } : null));
  Object.assign(row.set, { senderSide: late });
  const newest = row.meter.newestSamples(row.fromNs, row.fromNs + 2e9);
  expect(newest.map(({ machine, sample }) => [machine, sample.cpuPercent])).toEqual([
    [hostname(), 20],
    ['render-1', 97],
  ]);
});

test('standstills are of the machines at the ends: a console that only counts stops no frame', () => {
  const span = { kind: 'stopped' as const, fromNs: 1e9, toNs: 2e9 };
  const ofRender = { ...span, who: { role: 'sending', machine: 'render-1' } };
  const ours = [
    { ...span, who: { role: 'engine' } },
    { ...span, who: { tool: 'ffmpeg' } },
  ];
  const all = [ofRender, ...ours];
  expect(standstillsOfEnds(all, { ourName: 'control', isEndHere: false })).toEqual([ofRender]);
  expect(standstillsOfEnds(all, { ourName: 'control', isEndHere: true })).toEqual([
    ofRender,
    { ...span, who: { role: 'engine', machine: 'control' } },
    { ...span, who: { tool: 'ffmpeg' } },
  ]);
});

test('a short load at the beginning of a silence counts on the sender’s machine too', () => {
  const row = measuredRow();
  const at = { fromNs: row.fromNs + 1e9, toNs: row.fromNs + 1.6e9 };
  const busy = side('render-1', row, (seconds) => (seconds === 1 ? { cpuPercent: 80 } : { cpuPercent: 3 }));
  const then = loadsThen(
    { at, isSilence: true },
    {
      samples: row.samples,
      machine: 'display-1',
      reported: null,
      sender: { samples: busy.samples, machine: 'render-1' },
    },
  );
  expect(then.asItBegan).toMatchObject({ machine: 'render-1', cpu: { othersPercent: 80 } });
});
