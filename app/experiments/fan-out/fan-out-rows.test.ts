import { expect, test } from 'vitest';
import { violatedByLoad } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { figureOf, numberOf } from '../../facts/row-figures';
import { frameOf } from '../../testing/made-up-rows';
import { type FanOutCase, fanOutCases } from './declaration';
import { failedRow, measuredRow } from './fan-out-rows';
import {
  madeUpAround,
  madeUpFanOut,
  madeUpFanOutRow,
  madeUpFanOutRows,
  madeUpParameters,
  madeUpPlan,
  onMachine,
} from './fan-out-rows.fixture';
import type { FanOutReadings } from './measure';
import { fanOutMetrics } from './metrics';
import { fanOutVerdict } from './verdict';

const unicast = madeUpPlan('unicast best-effort', 4);
const multicast = madeUpPlan('multicast reliable', 4);
const bestEffort = madeUpPlan('multicast best-effort', 4);

/** What one subscriber reported, changed; what it lost, it did not receive. */
function withReceived(
  plan: typeof unicast,
  subscriber: number,
  changes: Partial<FanOutReadings['received'][number]>,
): Partial<FanOutReadings> {
  const { received } = madeUpFanOut(plan);
  const { lost = 0 } = changes;
  return {
    received: received.map((one) => {
      const { samples = one.samples - lost } = changes;
      const bytes = samples * plan.sampleBytes;
      return one.subscriber === subscriber ? { ...one, samples, bytes, ...changes } : one;
    }),
  };
}

function judged(
  plan: typeof unicast,
  changes: Partial<FanOutReadings>,
): [verdict: string | null, words: string] {
  const { verdict, reason } = madeUpFanOutRow(0, plan, changes);
  return [verdict, wordsOf(reason)];
}

test('each figure is known or says why not', () => {
  for (const row of madeUpFanOutRows())
    for (const { id } of fanOutMetrics)
      expect(row.notMeasured[id] === undefined, `${row.label}: ${id}`).toBe(figureOf(row, id) !== null);
});

test('a row has the figures of its subscribers, of the link and of what they cost', () => {
  const row = madeUpFanOutRow(0, unicast);
  const ideal = (100 * 8192) / (8192 + 7 * 110) / 4;
  expect(row.step).toEqual({
    'ddsFanOut.measure': 'throughput',
    'ddsFanOut.case': 'unicast best-effort',
    'ddsFanOut.sampleBytes': 8192,
    'ddsFanOut.subscribers': 4,
  });
  expect(numberOf(row, 'ddsFanOut.idealMbps')).toBeCloseTo(ideal, 6);
  expect(numberOf(row, 'ddsFanOut.medianMbps')).toBeCloseTo(0.97 * ideal, 1);
  expect(numberOf(row, 'ddsFanOut.idealPercent')).toBeCloseTo(97, 1);
  expect(row.figures).toMatchObject({
    'ddsFanOut.datagramsPerPayload': 28,
    'ddsFanOut.destinations': 4,
    'ddsFanOut.limit': 'link',
    'ddsFanOut.path': 'unicast to 4 addresses, a bridge in memory, no wire',
    'ddsFanOut.publisherCpuPercent': 25,
    'ddsFanOut.subscriberCpuPercent': 15,
    'ddsFanOut.subscribersCpuPercent': 60,
    'ddsFanOut.waitedPercent': 70,
  });
  expect(row.subjects.map(({ name }) => name)).toEqual([1, 2, 3, 4].map((number) => `subscriber ${number}`));
  expect(row.subjects[3]?.figures).toMatchObject({
    'ddsFanOut.samplesLost': 0,
    'ddsFanOut.receivesAt': '10.79.1.4:7417',
    'ddsFanOut.subscriberCpuPercent': 15,
  });
  expect(row.verdict).toBe('PASS');
  expect(wordsOf(row.reason)).toMatch(
    /^each of 4 subscribers got all \d+ samples, 22\.\d Mb\/s; full: link$/,
  );
});

test('of ten subscribers of which each gets as much more as the first, the least, the most and what lies between', () => {
  const plan = madeUpPlan('unicast best-effort', 10);
  const { received } = madeUpFanOut(plan);
  const lastNs = received[0]?.lastNs ?? '';
  const row = madeUpFanOutRow(0, plan, {
    received: received.map((one, index) => ({ ...one, lastNs, bytes: 8_192_000 * (index + 1) })),
  });
  const least = numberOf(row, 'ddsFanOut.minMbps') ?? 0;
  expect(least).toBeGreaterThan(0);
  const shares = ['throughput', 'median', 'p90', 'max'].map(
    (name) => (numberOf(row, `ddsFanOut.${name}Mbps`) ?? 0) / least,
  );
  expect(shares.map((share) => Number(share.toFixed(6)))).toEqual([5.5, 5.5, 9, 10]);
});

test('a path to one subscriber alone is that to one address', () => {
  const { figures } = madeUpFanOutRow(0, madeUpPlan('unicast best-effort', 1));
  expect(figures['ddsFanOut.path']).toMatch(/^unicast to 1 address, /);
});

test('a latency row has round trips halved, all together and for each subscriber', () => {
  const row = madeUpFanOutRow(0, madeUpPlan('unicast reliable', 2, { measure: 'latency' }));
  expect(row.figures).toMatchObject({ 'ddsFanOut.latency.p50Us': 60, 'ddsFanOut.latency.maxUs': 500 });
  expect(row.subjects[1]?.figures['ddsFanOut.latency.p99Us']).toBe(120);
  expect(row.notMeasured['ddsFanOut.medianMbps']).toContain('latency alone');
  expect(wordsOf(row.reason)).toMatch(
    /^one way \(half a round trip\) took 60\.0 µs or less for half of \d+ samples to 2 subscribers, and over 120\.0 µs for 1 in 100$/,
  );
  expect(row.verdict).toBe('PASS');
});

test('p99.99 of fewer than 10,000 round trips is not measured', () => {
  const plan = madeUpPlan('unicast reliable', 2, { measure: 'latency' });
  const roundTrips = madeUpFanOut(plan).roundTrips.map((trips) => ({ ...trips, count: 9999 }));
  const row = madeUpFanOutRow(0, plan, { roundTrips });
  expect(row.figures['ddsFanOut.latency.p9999Us']).toBeNull();
  expect(row.notMeasured['ddsFanOut.latency.p9999Us']).toBe('fewer than 10,000 values');
  expect(row.figures['ddsFanOut.latency.p99Us']).toBe(120);
});

test('over loopback there is no ideal, and it says why', () => {
  const around = { ...madeUpAround, way: { kind: 'loopback', linkMbps: null } as const };
  const measured = madeUpFanOut(unicast, onMachine(97, 1));
  const row = measuredRow(frameOf(0), unicast, measured, madeUpParameters, around);
  expect(row.notMeasured['ddsFanOut.idealMbps']).toContain('no rate of its own');
  expect(row.figures['ddsFanOut.limit']).toBe('machine CPU');
  expect(row.verdict).toBe('PASS');
});

test('without acks a subscriber can lack what is no longer kept, and fails', () => {
  const plan = madeUpPlan('multicast reliable without acks', 4);
  const measured = { ...madeUpFanOut(plan), ...withReceived(plan, 2, { lost: 3, lostRanges: [7, 9] }) };
  const { verdict, reason } = measuredRow(frameOf(0), plan, measured, madeUpParameters, madeUpAround);
  expect(verdict).toBe('FAIL');
  expect(wordsOf(reason)).toMatch(
    /^subscriber 3 lacks 3 of \d+ samples, numbers 7–9: without acks a sample is sent again only as long as/,
  );
});

test.each<[string, Partial<FanOutReadings>, string, RegExp]>([
  [
    'a reliable one lacks samples',
    withReceived(multicast, 2, { lost: 3, lostRanges: [7, 8, 12, 12] }),
    'FAIL',
    /^subscriber 3 lacks 3 of \d+ samples, although delivery was reliable, numbers 7–8, 12$/,
  ],
  ['damaged', withReceived(multicast, 0, { damaged: 1 }), 'FAIL', /^1 sample arrived damaged$/],
  ['doubled', withReceived(multicast, 0, { duplicated: 2 }), 'FAIL', /^2 samples received twice$/],
  [
    'never matched',
    {
      ...withReceived(multicast, 1, { lost: madeUpFanOut(multicast).published.samples, matchedNs: '' }),
      unmatched: [1],
      waitedSeconds: 30.1,
    },
    'FAIL',
    /^subscriber 2 did not match the publisher within 30\.1 s and got none of \d+ samples$/,
  ],
  [
    'matched late',
    { ...withReceived(multicast, 1, { matchedNs: String(1e12 + 5e8) }), unmatched: [1] },
    'INVALID',
    /^subscriber 2 matched the publisher only after the first samples were sent$/,
  ],
  [
    'strangers',
    { strangers: [{ type: 'stranger', kind: 'participant', name: 'rviz', address: '10.0.0.7' }] },
    'WARN',
    /^other participants are in domain 77 \(rviz at 10\.0\.0\.7\)/,
  ],
])('%s', (_, changes, verdict, words) => {
  const [found, text] = judged(multicast, changes);
  expect([found, text]).toEqual([verdict, expect.stringMatching(words)]);
});

test.each<[string, Partial<FanOutReadings>, string]>([
  [
    'less than was sent',
    withReceived(multicast, 1, { samples: 0 }),
    '(samples of subscriber 2): 0 received or lost, 13529 sent',
  ],
  [
    'more lost than was sent',
    withReceived(multicast, 1, { lost: 2e6, samples: 0 }),
    '(samples of subscriber 2): 2000000 received or lost, ',
  ],
  [
    'fewer bytes on the network than samples hold',
    { counted: { ...madeUpFanOut(multicast).counted, wireBytes: 1000 } },
    'MB of samples, 0.001 MB on the network',
  ],
  [
    'more received than the link carries',
    { received: madeUpFanOut(multicast).received.map((one) => ({ ...one, bytes: 2 * one.bytes })) },
    'Mb/s at the fastest subscriber, 100 Mb/s link',
  ],
  [
    'more bytes than there are in the samples that came',
    withReceived(multicast, 1, { bytes: 1e6 }),
    '(bytes of subscriber 2): 1000000 B reported, 110829568 B in its samples',
  ],
  [
    'less in the samples that were sent',
    { published: { ...madeUpFanOut(multicast).published, bytes: 1e6 } },
    '(bytes of the publisher): 1000000 B reported, 110829568 B in its samples',
  ],
  [
    'a publisher that ends before its time is over',
    { measuredSeconds: 4, machines: [{ name: 'evil-1', cores: 2, cpuPercent: 40, whyUnknown: '' }] },
    '(time): 10 s asked for, 4 s of samples by the publisher on evil-1',
  ],
])('%s contradicts itself: INVALID, with both figures', (name, changes, words) => {
  const [verdict, text] = judged(multicast, changes);
  expect([verdict, text]).toEqual(['INVALID', expect.stringContaining(words)]);
  const found =
    name === 'more lost than was sent'
      ? 'subscriber 2 lacks 2000000 of 13529 samples, although delivery was reliable, not judged: '
      : '';
  expect(text).toMatch(new RegExp(`^${found}the figures contradict each other`));
});

test('round trips are of all samples, and their percentiles rise', () => {
  const plan = madeUpPlan('unicast reliable', 2, { measure: 'latency' });
  const { roundTrips } = madeUpFanOut(plan);
  expect(judged(plan, { roundTrips: [] })[1]).toMatch(/\(round trips\): \d+ samples, 0 round trips/);
  const falling = roundTrips.map((one) => ({ ...one, p99Ns: 50_000 }));
  expect(judged(plan, { roundTrips: falling })[1]).toContain('150000 ns p90, 50000 ns p99');
});

test('best-effort samples that were lost are WARN, and named by subscriber', () => {
  const row = madeUpFanOutRow(0, bestEffort, withReceived(bestEffort, 2, { lost: 5, lostRanges: [1, 5] }));
  expect([row.verdict, wordsOf(row.reason)]).toEqual([
    'WARN',
    expect.stringMatching(/^subscriber 3 lacks 5 of \d+ samples, numbers 1–5; delivery was best-effort$/),
  ]);
  expect(row.subjects.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS', 'WARN', 'PASS']);
  expect(row.details?.lostRanges).toEqual({ 3: [1, 5] });
});

test('a way other than that asked for makes the row INVALID, with what was seen', () => {
  const { destinations } = madeUpFanOut(unicast);
  expect(judged(bestEffort, { destinations })).toEqual([
    'INVALID',
    'samples did not take the path multicast to 239.255.79.1:7990: 1.750 datagrams per payload to each of 4 destinations ' +
      '(10.79.1.1:7411, 10.79.1.2:7413, 10.79.1.3:7415, 10.79.1.4:7417)',
  ]);
  const [first, ...rest] = destinations;
  if (!first) throw new Error('There is a destination');
  expect(judged(unicast, { destinations: rest })[1]).toContain('each of 3 destinations');
  const data = first.data - madeUpFanOut(unicast).published.payloads;
  expect(judged(unicast, { destinations: [{ ...first, data }, ...rest] })[1]).toContain(
    ': 6 to 7 datagrams per payload to each of 4 destinations',
  );
  expect(judged(unicast, { destinations: [{ ...first, port: 9999 }, ...rest] })[0]).toBe('INVALID');
});

test('datagrams that did not leave, or cannot hold a payload, make the row INVALID', () => {
  const [group] = madeUpFanOut(bestEffort).destinations;
  if (!group) throw new Error('There is a destination');
  const sent = (data: number) => judged(bestEffort, { destinations: [{ ...group, data }] });
  expect(sent(group.data - 500)).toEqual([
    'INVALID',
    expect.stringMatching(
      /^not all of what was written left the publisher as multicast to 239\.255\.79\.1:7990: 6\.9\d\d datagrams per payload to each of 1 destination \(239/,
    ),
  ]);
  expect(sent(group.data / 7)[0]).toBe('INVALID');
});

test('others that send to the same group are a warning, where samples go there', () => {
  const shared = (plan: typeof unicast) =>
    judged(plan, { counted: { ...madeUpFanOut(plan).counted, groupOfOthers: 12 } });
  expect(shared(bestEffort)).toEqual([
    'WARN',
    'other programs sent 12 datagrams to 239.255.79.1:7990, which all subscribers had to take: end them, or choose another group or port',
  ]);
  expect(shared(unicast)[0]).toBe('PASS');
});

test('where none matched, that is what is wrong, and not the way', () => {
  const none = {
    received: madeUpFanOut(unicast).received.map((one) => ({
      ...{ ...one, samples: 0, bytes: 0, lost: one.samples, matchedNs: '' },
    })),
  };
  const [verdict, words] = judged(unicast, { ...none, unmatched: [0, 1, 2, 3], destinations: [] });
  expect([verdict, words]).toEqual(['FAIL', expect.stringMatching(/^subscribers 1, 2, 3, 4 did not match/)]);
});

test('a counter that was too slow proves nothing', () => {
  const { counted } = madeUpFanOut(unicast);
  const row = madeUpFanOutRow(0, unicast, { counted: { ...counted, dropped: 12 } });
  expect([row.verdict, wordsOf(row.reason)]).toEqual([
    'INVALID',
    'the path of the samples is not known: the counter missed 12 datagrams, could not read 0, and 0 were fragments of IP',
  ]);
  expect(row.notMeasured['ddsFanOut.datagramsPerPayload']).toContain('missed some');
});

test.each(['unread', 'ipFragments'])(
  'where %s datagrams were counted, none of their figures is exact',
  (name) => {
    const { counted } = madeUpFanOut(unicast);
    const row = madeUpFanOutRow(0, unicast, { counted: { ...counted, [name]: 1 } });
    expect(row.verdict).toBe('INVALID');
    expect(row.notMeasured['ddsFanOut.resends']).toContain('could not read all');
  },
);

test('a publisher that hardly sleeps is full, also where it waits for a processor', () => {
  const { published } = madeUpFanOut(unicast);
  const limitWith = (asleepPercent: number): unknown => {
    const sleptNs = (asleepPercent / 100) * madeUpFanOut(unicast).measuredSeconds * 1e9;
    return madeUpFanOutRow(0, unicast, { published: { ...published, sleptNs } }).figures['ddsFanOut.limit'];
  };
  expect([limitWith(9.9), limitWith(10)].map((limit) => String(limit).includes('publisher thread'))).toEqual([
    ...[true, false],
  ]);
});

test('a throughput row in which nothing was full and nothing lost is INVALID', () => {
  const around = { ...madeUpAround, way: { kind: 'own', linkMbps: 1000 } as const };
  const row = measuredRow(frameOf(0), unicast, madeUpFanOut(unicast), madeUpParameters, around);
  expect([row.verdict, wordsOf(row.reason)]).toEqual([
    'INVALID',
    expect.stringMatching(
      /^nothing was at its limit: link 10 %, busiest publisher thread 22 %, busiest subscriber thread 15 %, publisher asleep 70 %, machine CPU 40 %, by this row 45 %;/,
    ),
  ]);
});

test('processor times are of the time that was asked for, however long the last write took', () => {
  const row = madeUpFanOutRow(0, unicast, { measuredSeconds: 20 });
  expect(row.figures).toMatchObject({
    'ddsFanOut.publisherCpuPercent': 25,
    'ddsFanOut.subscribersCpuPercent': 60,
  });
});

test('a machine that others fill is no limit of the row, which is INVALID then', () => {
  const way = { kind: 'loopback', linkMbps: null } as const;
  const around = { ...madeUpAround, way };
  const rowOf = (plan: typeof unicast, cores: number) => {
    const measured = madeUpFanOut(plan, onMachine(100, cores));
    return measuredRow(frameOf(0), plan, measured, madeUpParameters, around);
  };
  // Acknowledgements wait for these programs, too.
  for (const plan of [unicast, multicast]) {
    const row = rowOf(plan, 2);
    expect([row.verdict, row.figures['ddsFanOut.limit']]).toEqual(['INVALID', 'nothing']);
    expect(wordsOf(row.reason)).toBe(
      'other programs took the processors: machine CPU 100 %, by this row 45 %; end them and measure again',
    );
  }
  // Whatever was lost, it was lost to these programs; a link that is full sets the pace all the same.
  const lossy = madeUpFanOut(unicast, { ...onMachine(100), ...withReceived(unicast, 1, { lost: 4 }) });
  expect(measuredRow(frameOf(0), unicast, lossy, madeUpParameters, around).verdict).toBe('INVALID');
  const linked = madeUpFanOut(unicast, onMachine(100));
  expect(measuredRow(frameOf(0), unicast, linked, madeUpParameters, madeUpAround).verdict).toBe('PASS');
  // With one core less, this row took most of it.
  const own = rowOf(unicast, 1);
  expect([own.verdict, own.figures['ddsFanOut.limit']]).toEqual(['PASS', 'machine CPU']);
});

test('where nothing is full, acknowledgements hold a reliable publisher up', () => {
  const around = { ...madeUpAround, way: { kind: 'loopback', linkMbps: null } as const };
  const limitOf = (name: FanOutCase, sleptNs: number) => {
    const plan = madeUpPlan(name, 4);
    const measured = madeUpFanOut(plan);
    const changed = { ...measured, published: { ...measured.published, sleptNs } };
    return measuredRow(frameOf(0), plan, changed, madeUpParameters, around).figures['ddsFanOut.limit'];
  };
  expect(limitOf('multicast reliable', 1e9)).toBe('acknowledgements');
  expect(limitOf('multicast reliable', 0.9e9)).toBe('publisher thread');
  expect(limitOf('multicast reliable', -1)).toBe('nothing');
  expect(limitOf('multicast reliable without acks', 7e9)).toBe('nothing');
  expect(limitOf('unicast best-effort', 7e9)).toBe('nothing');
  expect(fanOutMetrics.find(({ id }) => id === 'ddsFanOut.limit')?.formula).toContain('acknowledgements');
});

test('a process that stood still for too long spoils the row, and the worst is named', () => {
  const { processes, published, counted } = madeUpFanOut(unicast);
  const stoodStill = (
    times: readonly { stoppedNs: number; starvedNs: number }[],
    more: Partial<FanOutReadings> = {},
  ) =>
    judged(unicast, { processes: processes.map((process, at) => ({ ...process, ...times[at] })), ...more });
  const none = { stoppedNs: 0, starvedNs: 0 };
  const stopped = (seconds: number) => ({ ...none, stoppedNs: seconds * 1e9 });
  const starved = (seconds: number) => ({ ...none, starvedNs: seconds * 1e9 });
  expect(stoodStill([stopped(0.25), starved(0.25)])[0]).toBe('PASS');
  expect(stoodStill([stopped(0.4), stopped(0.7), stopped(0.6)])).toEqual([
    'INVALID',
    'our DDS fan-out (subscriber 2) process was stopped for 0.7 s (limit 0.25 s)',
  ]);
  expect(stoodStill([stopped(0.4), starved(0.9)])).toEqual([
    'INVALID',
    'our DDS fan-out (subscriber 1) process was stopped for 0.4 s (limit 0.25 s); ' +
      'our DDS fan-out (subscriber 2) process waited for a processor for 0.9 s (limit 0.25 s)',
  ]);
  // Both together are time in which it did not run.
  expect(stoodStill([{ stoppedNs: 2e8, starvedNs: 1e8 }])).toEqual([
    'INVALID',
    'our DDS fan-out (subscriber 1) process waited for a processor for 0.3 s (limit 0.25 s)',
  ]);
  expect(stoodStill([], { published: { ...published, ...stopped(0.3) } })[1]).toBe(
    'our DDS fan-out (publisher) process was stopped for 0.3 s (limit 0.25 s)',
  );
  expect(stoodStill([], { counted: { ...counted, ...stopped(0.3) } })[1]).toBe(
    'our DDS fan-out (counter) process was stopped for 0.3 s (limit 0.25 s)',
  );
});

test('processes that wait for each other on a machine that their row fills are its result; one that was stopped is not', () => {
  const measured = madeUpFanOut(unicast);
  const { processes } = measured;
  const rowWith = (times: { stoppedNs?: number; starvedNs?: number }, cores: number, stealPercent = 0) => {
    const stolen = reasonOf('cpu-stolen', { percent: stealPercent, limitPercent: 5 });
    const frame = { ...frameOf(0), guards: stealPercent > 0 ? [violatedByLoad([stolen])] : [] };
    const own = { ...measured, ...onMachine(99, cores) };
    const stoodStill = { ...own, processes: processes.map((process) => ({ ...process, ...times })) };
    return measuredRow(frame, unicast, stoodStill, madeUpParameters, madeUpAround);
  };
  // With one core this row took most of it; with two the other programs took as much.
  const own = rowWith({ starvedNs: 2e9 }, 1);
  expect([own.verdict, own.figures['ddsFanOut.limit']]).toEqual(['PASS', 'link, machine CPU']);
  expect(rowWith({ starvedNs: 2e9 }, 2).verdict).toBe('INVALID');
  expect(rowWith({ starvedNs: 2e9 }, 1, 9).verdict).toBe('INVALID');
  expect(rowWith({ stoppedNs: 2e9 }, 1).verdict).toBe('INVALID');
});

test('of several machines each is judged by its own load, and named', () => {
  const plan = madeUpPlan('multicast reliable', 4);
  const { processes, published } = madeUpFanOut(plan);
  const onTwo = processes.map((process, index) => ({ ...process, machine: `display-${1 + (index % 2)}` }));
  const rowOf = (busy: readonly (number | null)[], changes: Partial<FanOutReadings> = {}) => {
    const machines = ['render-1', 'display-1', 'display-2'].map((name, index) => ({
      ...{ name, cores: 2, cpuPercent: busy[index] ?? null, whyUnknown: 'no sample' },
    }));
    const measured = madeUpFanOut(plan, { machines, processes: onTwo, ...changes });
    const way = { kind: 'machines', linkMbps: null } as const;
    return measuredRow(frameOf(0), plan, measured, madeUpParameters, { ...madeUpAround, way });
  };
  const fine = rowOf([15, 20, 18]);
  expect([fine.verdict, fine.figures['ddsFanOut.machineCpuPercent']]).toEqual(['PASS', 20]);
  expect(fine.subjects.map(({ hosts }) => hosts.subscriber)).toEqual([
    ...['display-1', 'display-2', 'display-1', 'display-2'],
  ]);
  const taken = rowOf([15, 20, 95]);
  expect([taken.verdict, wordsOf(taken.reason)]).toEqual([
    'INVALID',
    'other programs took the processors of display-2: machine CPU 95 %, by this row 15 %; end them and measure again',
  ]);
  expect(wordsOf(rowOf([15, null, 18]).reason)).toContain('on display-1 could not be checked');
  // A process of the machine that the row filled waited for a processor there; one that waited elsewhere says nothing.
  const filling = onTwo.map((process) =>
    process.machine === 'display-2' ? { ...process, processorNs: 9.5e9 } : process,
  );
  const waits = (machine: string) =>
    filling.map((process) => (process.machine === machine ? { ...process, starvedNs: 2e9 } : process));
  const full = rowOf([15, 20, 97], { processes: waits('display-2') });
  expect([full.verdict, full.figures['ddsFanOut.limit']]).toEqual([
    'PASS',
    'machine CPU on display-2, acknowledgements',
  ]);
  const elsewhere = rowOf([15, 20, 97], { processes: waits('display-1') });
  expect([elsewhere.verdict, wordsOf(elsewhere.reason)]).toEqual([
    'INVALID',
    expect.stringContaining('(subscriber 1) process on display-1 waited for a processor'),
  ]);
  const stopped = rowOf([15, 20, 18], { published: { ...published, stoppedNs: 1e9 } });
  expect(wordsOf(stopped.reason)).toContain('(publisher) process on render-1 was stopped');
});

test('a process that failed leaves a row that says so', () => {
  const row = failedRow(frameOf(3), unicast, 'The DDS fan-out (publisher) was killed (SIGKILL)');
  expect([row.verdict, wordsOf(row.reason)]).toEqual([
    'INVALID',
    'a process of the fan-out failed: The DDS fan-out (publisher) was killed (SIGKILL)',
  ]);
});

test('the sentence says where unicast fell behind multicast, and what was full then', () => {
  const rows = [1, 2, 4]
    .flatMap((subscribers) => fanOutCases.map((name) => madeUpPlan(name, subscribers)))
    .map((plan, index) => madeUpFanOutRow(index, plan));
  const { verdict, reason } = fanOutVerdict(rows);
  expect(verdict).toBe('PASS');
  expect(reason).toMatch(
    /^8192 B, unicast best-effort is behind multicast from 2 subscribers on \(44\.\d of 88\.\d Mb\/s each; full then: link\); 8192 B, unicast reliable is behind/,
  );
  expect(fanOutVerdict([]).verdict).toBe('INVALID');
  // Latency rows, and those of fewer subscribers than asked for, compare with nothing.
  const latency = rows.map((row) => ({ ...row, step: { ...row.step, 'ddsFanOut.measure': 'latency' } }));
  expect(fanOutVerdict([...latency, ...rows]).reason).toBe(reason);
  const alone = rows.map((row) => ({ ...row, figures: { ...row.figures, 'ddsFanOut.unmatched': 1 } }));
  expect(fanOutVerdict(alone).reason).not.toContain('behind');
});
