import { expect, test } from 'vitest';
import { scalarOf } from '../../facts/row-figures';
import { madeUpBooks } from '../../testing/made-up-books';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { type MadeUpSamples, madeUpDds } from './dds.fixture';
import { fanOut } from './fan-out';

const folder = temporaryFolder();

/** Over loopback, 10 s a row, to two subscribers in one process. */
function fannedOut(
  samples: readonly MadeUpSamples[],
  more: Record<string, unknown> = {},
  order: Partial<WholeRunOrder> = {},
) {
  const clock = new SimulatedClock();
  const cases = ['unicast reliable', 'multicast reliable'];
  const parameters = { cases, subscribers: [2], holdSeconds: 10, ...more };
  const launch = madeUpDds(clock, samples);
  return wholeRun({ experiment: fanOut, clock, folder, parameters, launch, ...order });
}

const one: MadeUpSamples = { perSecond: 1000 };
const two: MadeUpSamples = { perSecond: 2000 };
const labels = ['unicast', 'multicast'].map((way) => `${way} reliable, 8192 B, 2 subscribers`);

test('unicast beside multicast: figures, times, proof of the way, and the verdict', async () => {
  const { outcome, run, page, incidents, progress } = await fannedOut([one, two]);
  const came = (count: number, mbps: string): string =>
    `each of 2 subscribers got all ${count} samples, ${mbps} Mb/s; full: publisher thread`;
  expect(rowTexts(run)).toEqual([
    [labels[0], 'PASS', came(10_000, '65.5')],
    [labels[1], 'PASS', came(20_000, '131.1')],
  ]);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect(outcome.reason).toBe(
    '8192 B, unicast reliable is behind multicast from 2 subscribers on (65.5 of 131.1 Mb/s each; full then: ' +
      `publisher thread); ${labels[1]}: ${came(20_000, '131.1')}`,
  );
  // All match 0.2 s after they have started, and begin a second later.
  expect(secondsOf(run)).toEqual([
    [0.2, 11.2],
    [11.4, 22.4],
  ]);
  expect(run.rows[0]?.figures).toMatchObject({
    ...{ measuredSeconds: 10, 'ddsFanOut.medianMbps': 65.536, 'ddsFanOut.samplesSent': 10_000 },
    ...{
      'ddsFanOut.samplesReceived': 20_000,
      'ddsFanOut.destinations': 2,
      'ddsFanOut.datagramsPerPayload': 12,
    },
    ...{
      'ddsFanOut.matchSeconds': 0.2,
      'ddsFanOut.publisherCpuPercent': 100,
      'ddsFanOut.subscriberCpuPercent': 40,
    },
    ...{ 'ddsFanOut.limit': 'publisher thread', 'ddsFanOut.idealMbps': null },
    'ddsFanOut.path': 'unicast to 2 addresses, loopback, no wire',
  });
  expect(run.rows[1]?.figures).toMatchObject({
    ...{ 'ddsFanOut.destinations': 1, 'ddsFanOut.datagramsPerPayload': 6 },
    'ddsFanOut.path': 'multicast to 239.255.79.1:7990, loopback, no wire',
  });
  expect(run.rows.map((row) => row.figures['ddsFanOut.machineCpuPercent'])).toEqual([
    expect.closeTo(75, 9),
    expect.closeTo(75, 9),
  ]);
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  // Before it begins, when it begins, and each second.
  expect(progress.map(({ step, phaseElapsedSeconds }) => [step, phaseElapsedSeconds])).toEqual(
    [1, 2].flatMap((step) => [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((second) => [step, second])),
  );
});

test('a row for each measure, size, number and repeat, in that order; latency has its round trips', async () => {
  const rows = Array.from({ length: 8 }, () => one);
  const more = {
    measure: ['throughput', 'latency'],
    subscribers: [1, 2],
    cases: ['unicast reliable'],
    repeats: 2,
  };
  const { run } = await fannedOut(rows, { ...more, holdSeconds: 1 });
  expect(run.rows.map(({ label }) => label)).toEqual(
    [1, 2].flatMap((repeat) =>
      ['', 'latency, '].flatMap((what) =>
        ['1 subscriber', '2 subscribers'].map(
          (who) => `${what}unicast reliable, 8192 B, ${who}, repeat ${repeat}`,
        ),
      ),
    ),
  );
  expect(run.rows[3]?.figures).toMatchObject({
    ...{ 'ddsFanOut.roundTrips': 1000, 'ddsFanOut.latency.p50Us': 60, 'ddsFanOut.latency.p99Us': 120 },
    'ddsFanOut.throughputMbps': null,
  });
  expect(run.rows[3]?.subjects.map(({ figures }) => figures['ddsFanOut.roundTrips'])).toEqual([500, 500]);
});

test('samples that one subscriber lacks fail the run, with their numbers', async () => {
  const lacking: MadeUpSamples = {
    perSecond: 1000,
    received: (subscriber) =>
      subscriber === 1 ? { samples: 9997, lost: 3, lostRanges: [7, 8, 12, 12] } : {},
  };
  const { run } = await fannedOut([lacking, two]);
  expect(run.verdict).toBe('FAIL');
  const [row] = run.rows;
  expect(rowTexts(run)[0]?.[2]).toContain('subscriber 2');
  expect(rowTexts(run)[0]?.[2]).toContain('numbers 7–8, 12');
  expect(row?.subjects.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL']);
  expect(row?.figures).toMatchObject({ 'ddsFanOut.samplesLost': 3, 'ddsFanOut.samplesReceived': 19_997 });
});

test('a subscriber that never matches is waited for 30 s and named, and the other has its figures', async () => {
  const { run } = await fannedOut([{ ...one, deaf: [1] }], { cases: ['unicast reliable'] });
  const [row] = run.rows;
  expect(row?.verdict).toBe('FAIL');
  expect(rowTexts(run)[0]?.[2]).toContain('subscriber 2');
  expect(row?.subjects.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL']);
  expect(row?.figures).toMatchObject({ 'ddsFanOut.unmatched': 1, 'ddsFanOut.minMbps': 65.536 });
  expect(secondsOf(run)).toEqual([[30, 41]]);
});

test('strangers in the domain are named, and a process that stood still spoils its row', async () => {
  const stranger = { type: 'stranger', kind: 'participant', name: 'lamp', address: '192.0.2.9' } as const;
  const { run } = await fannedOut([
    { ...one, strangers: [stranger, stranger] },
    { ...two, stoppedNs: 500e6 },
  ]);
  expect(rowTexts(run)).toMatchObject([
    [labels[0], 'WARN', expect.stringContaining('lamp at 192.0.2.9')],
    [
      labels[1],
      'INVALID',
      'our DDS fan-out (subscribers 1 to 2) process was stopped for 0.5 s (limit 0.25 s)',
    ],
  ]);
});

test('what went another way than it was asked to, or was more than was sent, is INVALID', async () => {
  const { run, incidents } = await fannedOut([
    { ...one, counted: { dropped: 4 } },
    { ...two, received: () => ({ samples: 20_001 }) },
  ]);
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['INVALID', 'INVALID']);
  expect(run.rows[0]?.figures['ddsFanOut.datagramsPerPayload']).toBeNull();
  expect(incidents.map(([kind]) => kind)).toEqual(['contradiction', 'contradiction']);
});

test('programs beside that took more of the machine than they may spoil a row that no link holds', async () => {
  const clock = new SimulatedClock();
  const parameters = { cases: ['multicast best-effort'], subscribers: [2], holdSeconds: 10 };
  const launch = madeUpDds(clock, [one]);
  const books = madeUpBooks(clock, { busyPercent: 99 });
  const { run } = await wholeRun({ experiment: fanOut, clock, folder, parameters, launch, books });
  expect(rowTexts(run)).toMatchObject([[expect.any(String), 'INVALID', expect.stringMatching(/99 %.*72 %/)]]);
});

type Happens = NonNullable<MadeUpSamples['happens']>;

test.each<[string, Happens, string]>([
  [
    'publisher',
    { to: 'publisher', afterSeconds: 3, what: (one) => one.die('SIGKILL') },
    'was killed (SIGKILL)',
  ],
  [
    'subscribers 1 to 2',
    { to: 'subscribers', afterSeconds: -0.5, what: (one) => one.exit(7) },
    'ended with code 7',
  ],
  [
    'counter',
    { to: 'counter', afterSeconds: 9.75, what: (one) => one.write('?\n') },
    'was ended, since it sent a line that is no JSON: ?',
  ],
])('the %s dies in its row: INVALID, and rows before and behind it are whole', async (who, happens, how) => {
  const { outcome, run, incidents } = await fannedOut([one, { ...one, happens }, one], {
    ...{ cases: ['unicast reliable'], repeats: 3 },
  });
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'INVALID', 'PASS']);
  expect(rowTexts(run)[1]?.[2]).toBe(`the DDS fan-out (${who}) ${how}`);
  expect(incidents).toEqual([['helper-died', `The DDS fan-out (${who}) ${how}`]]);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
  expect(run.rows.map((row) => scalarOf(row, 'ddsFanOut.samplesReceived'))).toEqual([20_000, null, 20_000]);
});

test('one that hangs is ended by its silence, and one that never says what it published by the limit of its row', async () => {
  const hang: Happens = { to: 'publisher', afterSeconds: 2.25, what: (helper) => helper.hang() };
  const rows = [
    { ...one, happens: hang },
    { ...one, neverEnds: true },
  ];
  const { run, incidents } = await fannedOut(rows);
  expect(rowTexts(run)).toMatchObject([
    [labels[0], 'INVALID', expect.stringContaining('gave no sign of life for 10 s and was ended')],
    // A second before the first sample, 10 s of samples, and 30 s for all that follows.
    [
      labels[1],
      'INVALID',
      expect.stringMatching(/The processes of the fan-out did not end its samples within 41 s$/),
    ],
  ]);
  expect(incidents).toHaveLength(1);
  // Its last message came 2 s after the first sample, and the engine looks every 100 ms.
  expect(secondsOf(run)).toEqual([
    [0.2, 13.3],
    [13.5, 54.5],
  ]);
});

test('Ctrl-C in the middle of a row: rows until then are kept, and that one is not', async () => {
  const { outcome, run } = await fannedOut([one, two], {}, { stopAfterMs: 15_000 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(run.rows.map(({ label, verdict }) => [label, verdict])).toEqual([[labels[0], 'PASS']]);
  expect(run).toMatchObject({ state: 'aborted', verdict: null });
});
