import { expect, test } from 'vitest';
import { brokenGuards } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import { type DisplayFate, DisplayStage } from '../../../protocol/display';
import { MissCause } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { captures, range, sourceRecords, submits, testSourceId } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { type MeasuredRow, type MeasuredRowOptions, measuredRow } from '../../../testing/measured-row';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { TestStream } from '../../../testing/test-stream';
import { hostRoles } from '../../host-application';
import { ClockOffset } from '../clocks/clock-offset';
import { InstrumentWatch, sleptSecondsOf } from './instrument-faults';
import { buildRow } from './row-builder';

/** A sender's clock that is known, and is set ahead by so much at a moment. */
function steppedClock(byMs: number, atNs: number): ClockOffset {
  const clock = new ClockOffset(0);
  clock.steps.push({ atNs, byUs: byMs * 1000 });
  return clock;
}

/** This machine’s wall clock was set so many seconds after the beginning of the row, as the next look at it found. */
function stepWall({ samples, fromNs }: MeasuredRow, seconds: number, byMs: number): void {
  const atNs = fromNs + seconds * 1e9;
  const step = { atNs, code: 'wall-clock-step', data: { byMs } } as const;
  samples.push(loadSample({ atNs, changes: [step] }));
  samples.sort((a, b) => a.atNs - b.atNs);
}

type Disturbance = [
  name: string,
  reason: RegExp,
  spoil: (row: MeasuredRow) => void,
  options?: () => MeasuredRowOptions,
];

/** A display window showed every frame of the row, but for these from its first one on. */
function showInWindow(
  { clock, stream, meter, ledger }: MeasuredRow,
  fates: Record<number, DisplayFate> = {},
): void {
  const first = meter.firstSlot(stream) ?? 0;
  const frameNumbers = range(first, ledger.newestSeen(first + 200));
  stream.display?.add(
    {
      ...{ streamId: stream.id, isPresentationKnown: true, ticksMissed: 0, frameNumbers },
      sourceIds: frameNumbers.map(() => testSourceId),
      fates: frameNumbers.map((slot) => fates[slot - first] ?? DisplayStage.presented),
    },
    clock.monotonicNs(),
  );
}

const nothing = (): void => undefined;

/** What makes a row INVALID even where no frame was lost: the counts are not those of what was to be measured. */
const contradictions: Disturbance[] = [
  [
    'sums: a record reported twice',
    /^the counts of the stages do not add up$/,
    ({ ledger, meter, stream }) => ledger.addSubmits(submits([meter.firstSlot(stream) ?? 0])),
  ],
  [
    'a source that failed',
    /^white-line no longer plays, so its last picture is repeated: the command ended$/,
    ({ stream }) => {
      stream.source.status = {
        ...{ state: 'failed', sourceId: testSourceId, startNs: 1, message: 'the command ended' },
        ...{ commandProcessId: 0, diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '' },
      };
    },
  ],
  [
    'slots without a record',
    /^the sender left no record of 5 frames$/,
    nothing,
    () => ({ endedSecondsAgo: 1.9, unrecorded: 5 }),
  ],
];

/** Guards, as docs/measurement.md lists them. */
const guards: Disturbance[] = [
  [
    'an overflowed ring of a sender',
    /^7 records of stage submits of Whiteline 1 were lost$/,
    ({ ledger }) => ledger.addSubmits({ ...submits([]), overflowed: 7 }),
  ],
  [
    'an overflowed ring of misses',
    /^2 records of stage misses of Whiteline 1 were lost$/,
    ({ ledger }) =>
      ledger.addMisses({
        frameNumber: new Uint32Array(),
        atNs: new Float64Array(),
        cause: new Uint8Array(),
        overflowed: 2,
      }),
  ],
  [
    'an overflowed ring of a receiver',
    /^8 records of stage captures of Whiteline 1 were lost$/,
    ({ ledger }) => ledger.addCaptures({ ...captures([]), overflowed: 8 }),
  ],
  [
    'an overflowed ring of a source',
    /^9 records of stage source of Whiteline 1 were lost$/,
    ({ stream }) => stream.source.ledger?.add({ ...sourceRecords([]), overflowed: 9 }),
  ],
  [
    'an overflowed ring of sound',
    /^3 records of stage sound of Whiteline 1 were lost$/,
    ({ stream }) => {
      if (stream.audio) stream.audio.overflowed = 3;
    },
  ],
  [
    'an overflowed ring of answers from the other clock',
    /^4 records of stage time of Whiteline 1 were lost$/,
    ({ stream }) => {
      const clock = new ClockOffset(0);
      clock.overflowed = 4;
      stream.clock = clock;
    },
  ],
  ['a gap between load samples', /^no load sample for 2\.0 s$/, ({ samples }) => samples.splice(1, 3)],
  ['a load sampler that stopped', /^no load sample for 2\.0 s$/, ({ samples }) => samples.splice(1)],
  ['no load sample at all', /^no load sample for 2\.0 s$/, ({ samples }) => samples.splice(0)],
  ['a row that is written late', /^the row was written [23]\.\d s late$/, ({ clock }) => clock.stall(3600)],
  [
    'time stolen by the hypervisor',
    /^the hypervisor took 6\.0 % of the CPU away \(limit 5 %\): give this virtual machine cores of its own/,
    ({ samples }) => samples.push(loadSample({ atNs: (samples[4]?.atNs ?? 0) + 1, cpuStealPercent: 6 })),
  ],
  [
    'the death of a stream host',
    /^a stream process died$/,
    ({ set }) => {
      set.deaths += 1;
    },
  ],
  [
    'a stream host that could not be started again',
    /^a stream process died and could not be started again$/,
    ({ set }) => {
      set.lost = true;
    },
  ],
  ...hostRoles.map(
    (role): Disturbance => [
      `a ${role} process that was stopped`,
      new RegExp(`^our ${role} process was stopped for 0.3 s \\(limit 0.25 s\\)$`),
      ({ standstills, fromNs }) =>
        standstills.add({ role }, [{ kind: 'stopped', fromNs: fromNs + 1e9, toNs: fromNs + 1.3e9 }]),
    ],
  ),
  [
    'an engine that waited for a processor',
    /^our engine process waited for a processor for 0.3 s \(limit 0.25 s\)$/,
    ({ standstills, fromNs }) =>
      standstills.add({ role: 'engine' }, [
        { kind: 'starved', fromNs: fromNs - 0.5e9, toNs: fromNs - 0.2e9 },
      ]),
  ],
  [
    'a process of a remote sender that was stopped',
    /^the sending process of STAGE \(Cam 1\) was stopped for 1.2 s \(limit 0.25 s\)$/,
    ({ stream, fromNs }) =>
      stream.senderStandstills.add({ sender: 'STAGE (Cam 1)' }, [
        { kind: 'stopped', fromNs: fromNs + 1e9, toNs: fromNs + 2.2e9 },
      ]),
  ],
  ['a suspended machine', /^the machine was suspended for 1\.6 s$/, ({ clock }) => clock.suspend(1600)],
  [
    'V5: a step of this machine’s wall clock',
    /^this machine’s wall clock was set 6\.0 ms back$/,
    (row) => stepWall(row, 1, -6),
  ],
  [
    'a step of this machine’s wall clock, while the sender is on another',
    /^this machine’s wall clock was set 2000\.0 ms ahead$/,
    (row) => stepWall(row, 1, 2000),
    () => ({ clock: new ClockOffset(0) }),
  ],
  [
    'steps of the wall clock that cancel each other out',
    /^this machine’s wall clock was set 2001\.0 ms back$/,
    (row) => {
      stepWall(row, 0.2, 2000);
      stepWall(row, 1, -2001);
      stepWall(row, 1.5, 1);
    },
  ],
  [
    'a step of the wall clock just before the row, whose outage may reach into it',
    /^this machine’s wall clock was set 50\.0 ms back$/,
    (row) => stepWall(row, -1.9, -50),
  ],
  [
    'a step of the wall clock at the end of the row, which was seen behind it',
    /^this machine’s wall clock was set 50\.0 ms back$/,
    (row) => stepWall(row, 2.5, -50),
  ],
  [
    'a step of the other machine’s clock in a latency between two machines',
    /^the clock of the sender of Whiteline 1 jumped 40\.0 ms ahead relative to ours$/,
    ({ stream, fromNs }) => {
      const { clock } = stream;
      if (clock instanceof ClockOffset) clock.steps.push({ atNs: fromNs + 1e9, byUs: 40_000 });
    },
    () => ({ clock: new ClockOffset(0) }),
  ],
  [
    'a display window that takes pictures too late below the limit of its machine',
    /^2 frames reached the display window too late while this machine was not at its limit$/,
    (row) => showInWindow(row, { 10: DisplayStage.captured, 11: DisplayStage.captured }),
  ],
];

/** Our own threads were late, and frames were lost by it. */
const ownLateness: Disturbance[] = [
  [
    'loss in the receiver’s queue below the limit of its machine',
    /^the receiver’s queue dropped 4 frames while its machine was not at its limit: we fetched too late, or they arrived all at once$/,
    nothing,
    () => ({ endedSecondsAgo: 1.9, lost: { frames: 4, transportDropped: 4 } }),
  ],
  ...(['SourceSkipped', 'SenderLate'] as const).map(
    (cause): Disturbance => [
      `our own pacing below the limit of the sender’s machine (${cause})`,
      /^our own pacing was late for 3 frames while neither the sender’s machine nor its disk was at its limit$/,
      nothing,
      () => ({ missed: { frames: 3, cause: MissCause[cause] } }),
    ],
  ),
];

/** What was lost comes first, and then why it proves nothing. */
const droppedText = '4 of 120 frames were dropped in transport, not judged';

async function closed(spoil: Disturbance[2], options?: MeasuredRowOptions) {
  const row = measuredRow(options);
  spoil(row);
  const { verdict, reason, subjects, figures } = await row.clock.until(row.meter.close(row.toNs));
  return { verdict, texts: reason.map((fact) => wordsOf([fact])), subjects, figures };
}

test.each([...contradictions, ...ownLateness])(
  '%s: INVALID, and neither a pass nor a fail',
  async (_, reason, spoil, options) => {
    const { verdict, texts, subjects, figures } = await closed(spoil, options?.());
    // What was lost comes first.
    const found = texts.filter((text) => / frames\b.*, not judged$/.test(text));
    expect(texts).toEqual([...found, expect.stringMatching(reason)]);
    expect(found).toHaveLength(options?.().lost || options?.().missed ? 1 : 0);
    expect([verdict, subjects[0]?.verdict, figures.senderMissed]).toEqual(['INVALID', 'INVALID', false]);
  },
);

test.each(guards)(
  '%s: a loss meanwhile proves nothing, and that all frames came stays true',
  async (_, reason, spoil, options) => {
    const lossy = { endedSecondsAgo: 1.9, lost: { frames: 4, transportDropped: 0 }, ...options?.() };
    const lost = await closed(spoil, lossy);
    expect(lost.texts.slice(0, 2)).toEqual([droppedText, expect.stringMatching(reason)]);
    expect([lost.verdict, lost.figures.framesDropped]).toEqual(['INVALID', 4]);
    const whole = await closed(spoil, options?.());
    expect(whole.texts).toEqual(['no frame lost', expect.stringMatching(reason)]);
    expect([whole.verdict, whole.figures.framesDropped]).toEqual(['PASS', 0]);
  },
);

test('a latency that the machine may have delayed is not measured, and its reason names the guard', async () => {
  const row = measuredRow();
  for (const sample of row.samples) sample.cpuStealPercent = 6;
  const { subjects, figures, notMeasured } = await row.clock.until(row.meter.close(row.toNs));
  expect([figures['latencyMs.p50'], subjects[0]?.figures['latencyMs.p99']]).toEqual([null, null]);
  expect(notMeasured['latencyMs.p50']).toMatch(/the hypervisor took 6\.0 % of the CPU away/);
  expect(figures['receiveIntervalMs.p50']).toBeGreaterThan(16);
  const calm = measuredRow();
  const undisturbed = await calm.clock.until(calm.meter.close(calm.toNs));
  expect(undisturbed.figures['latencyMs.p50']).toBeCloseTo(2, 1);
});

test('V5: a step of the wall clock enters no latency', async () => {
  const row = measuredRow();
  stepWall(row, 1, -2000);
  const { figures } = await row.clock.until(row.meter.close(row.toNs));
  expect(figures['latencyMs.p50']).toBeCloseTo(2, 1);
});

test('a step of the wall clock within the limit, and one long before the row, excuse no loss', async () => {
  const spoil = (row: MeasuredRow): void => {
    stepWall(row, -2.1, 5000);
    stepWall(row, 1, -4.9);
  };
  const { verdict, texts } = await closed(spoil, {
    endedSecondsAgo: 1.9,
    lost: { frames: 4, transportDropped: 0 },
  });
  expect([verdict, texts]).toEqual(['FAIL', [expect.stringMatching(/^4 of 120 frames were dropped/)]]);
});

test('samples that came without a figure do not show that it was fine', async () => {
  const without = { cpuStealPercent: null, notMeasured: { cpuStealPercent: 'EMFILE' } };
  const spoil = ({ samples }: MeasuredRow): void => {
    for (const sample of samples) Object.assign(sample, without);
  };
  const reason = 'how much CPU the hypervisor took away could not be checked: EMFILE';
  const lost = await closed(spoil, { endedSecondsAgo: 1.9, lost: { frames: 4, transportDropped: 0 } });
  expect([lost.verdict, ...lost.texts]).toEqual(['INVALID', droppedText, reason]);
  const whole = await closed(spoil);
  expect([whole.verdict, ...whole.texts]).toEqual(['PASS', 'no frame lost', reason]);
  // One sample without it is as short a gap as one that did not come.
  const once = await closed(({ samples }) => Object.assign(samples[2] ?? {}, without));
  expect([once.verdict, ...once.texts]).toEqual(['PASS', 'no frame lost']);
});

test.each<[string, (row: MeasuredRow) => void, (() => MeasuredRowOptions)?]>([
  ['nothing', nothing],
  ['a suspension within the limit', ({ clock }) => clock.suspend(1400)],
  ['a row written within the limit', ({ clock }) => clock.stall(2200)],
  ['a step of the other clock before the row', nothing, () => ({ clock: steppedClock(40, 1) })],
  [
    'steal within the limit',
    ({ samples }) => samples.push(loadSample({ atNs: (samples[4]?.atNs ?? 0) + 1, cpuStealPercent: 5 })),
  ],
  [
    'a display window that is too slow for each picture, and drops some before a refresh',
    (row) => showInWindow(row, { 10: DisplayStage.delivered, 12: DisplayStage.delivered }),
  ],
])('%s leaves the row as it is', async (_, spoil, options) => {
  const row = measuredRow(options?.());
  spoil(row);
  expect(await row.clock.until(row.meter.close(row.toNs))).toMatchObject({
    ...{ verdict: 'PASS', figures: { framesDropped: 0 } },
  });
});

test('at the limit of the machine the same losses are results', async () => {
  const lost = measuredRow({ endedSecondsAgo: 1.9, lost: { frames: 4, transportDropped: 4 } });
  const missed = measuredRow({ missed: { frames: 3, cause: MissCause.SenderLate } });
  const unshown = measuredRow();
  showInWindow(unshown, { 10: DisplayStage.captured });
  const full = { cpuPercent: 90, roles: { sending: roleLoad(80, 60, 'sdk') } };
  for (const row of [lost, missed, unshown]) for (const sample of row.samples) Object.assign(sample, full);
  const results = [
    { of: lost, verdict: 'FAIL', figures: { senderMissed: false } },
    { of: missed, verdict: 'FAIL', figures: { senderMissed: true } },
    { of: unshown, verdict: 'PASS', figures: { framesDisplayMissed: 1 } },
  ];
  for (const { of, ...expected } of results)
    expect(await of.clock.until(of.meter.close(of.toNs))).toMatchObject(expected);
});

test('a row without a slot of its stream, whose frames last longer than it, says nothing of it', () => {
  const stream = new TestStream();
  stream.send(0, 100);
  stream.receive(0, 100);
  const row = buildRow(rowInput({ streams: [stream.measure(stream.open(101, 100), 100)] }));
  expect(row).toMatchObject({
    ...{ verdict: 'INVALID', reason: [reasonOf('no-slot')] },
  });
});

test('a row of a day is judged: so many samples are no arguments of one call', () => {
  const clock = new SimulatedClock();
  const toNs = clock.monotonicNs();
  const fromNs = toNs - 86_400e9;
  const samples = range(0, 2 * 86_400).map((half) =>
    loadSample({ atNs: fromNs + half * 0.5e9, cpuStealPercent: half === 100_000 ? 50 : 0 }),
  );
  const watch = new InstrumentWatch([], 0, clock);
  const row = {
    fromNs,
    toNs,
    sleptSeconds: sleptSecondsOf(clock),
    limitNs: Number.POSITIVE_INFINITY,
    machines: [{ samples }],
    deaths: 0,
    lost: false,
    standstills: [],
  };
  expect(brokenGuards(watch.guards(row, defaultThresholds)).map(({ code }) => code)).toEqual(['cpu-stolen']);
});
