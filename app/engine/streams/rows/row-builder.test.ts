import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../facts/fact';
import { rowMetrics } from '../../../facts/metrics/registry';
import { type Guard, violatedBy } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import { rowSchema } from '../../../facts/row';
import { type Figured, figureOf, numberOf, recordedMetrics } from '../../../facts/row-figures';
import type { StreamsRow } from '../../../facts/stream-row';
import { DisplayStage, leftOutFate } from '../../../protocol/display';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import { LateCause, MissCause, PictureStatus } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { type Late, range, sourceRecords } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import {
  foreign,
  fromOtherMachine,
  fromTo,
  measured,
  reported,
  sent,
  shownInWindow,
  silent,
  withSound,
} from '../../../testing/measured-streams';
import { sourceStatus } from '../../../testing/movie-facts';
import { namedStreams, type Row } from '../../../testing/named-rows';
import { sentence } from '../../../testing/sentence';
import { sharedLoad } from '../../../testing/shared-load';
import { near, stopped } from '../../../testing/standstills';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { gapReasons } from '../../load/traffic';
import { LostRuns } from '../counting/lost-runs';
import { type ForeignCounts, unreportedTexts } from '../foreign/foreign-ledger';
import { ActiveSource } from '../stream';
import type { MeasuredStream } from './measured-stream';
import { buildRow as buildRowOf } from './row-builder';
import type { RowInput } from './row-input';

function buildRow(input: RowInput): Row {
  return namedStreams(buildRowOf(input));
}

/** A second in which the sender had a UDP socket. */
const sampleOverUdp = loadSample({
  roles: { sending: { ...roleLoad(5, 60, 'sdk'), traffic: null }, receiving: null },
  notMeasured: { 'roles.sending.traffic': gapReasons['not-allowed'] },
});

const rows: [string, () => StreamsRow][] = [
  ['one clean stream', () => buildRowOf(rowInput({ ...fromTo, streams: [measured()] }))],
  [
    'three streams, one with losses',
    () => buildRowOf(rowInput({ ...fromTo, streams: [measured(), measured([100, 101]), measured()] })),
  ],
  ['the baseline', () => buildRowOf(rowInput({ index: 0 }))],
  ['no load sample', () => buildRowOf(rowInput({ ...fromTo, samples: [], streams: [measured()] }))],
  [
    'streams over UDP',
    () => buildRowOf(rowInput({ ...fromTo, samples: [sampleOverUdp], streams: [measured()] })),
  ],
  [
    'a machine that tells nothing',
    () =>
      buildRowOf(
        rowInput({
          ...fromTo,
          streams: [measured()],
          samples: [
            loadSample({
              cpuPercent: null,
              loopbackMbps: null,
              roles: { sending: null, receiving: null, console: null },
              notMeasured: { cpuPercent: 'absent', gpuPercent: 'absent', loopbackMbps: 'absent' },
            }),
          ],
        }),
      ),
  ],
  [
    'a Hap movie from a slow disk',
    () =>
      buildRowOf(
        rowInput({
          ...fromTo,
          streams: [measured(), measured([], {}, new Map([[100, LateCause.Disk]]))],
        }),
      ),
  ],
  [
    'a movie that ffmpeg plays too slowly',
    () => buildRowOf(rowInput({ ...fromTo, streams: [measured([], {}, [100])] })),
  ],
  [
    'a remote sender that tells its records',
    () => buildRowOf(rowInput({ ...fromTo, streams: [reported()] })),
  ],
  [
    'a stream without a frame',
    () => buildRowOf(rowInput({ ...fromTo, streams: [measured(), silent(true)] })),
  ],
  [
    'a stream without a record',
    () => buildRowOf(rowInput({ ...fromTo, streams: [measured(), silent(false)] })),
  ],
  ['a sender on another machine', () => buildRowOf(rowInput({ ...fromTo, streams: [fromOtherMachine()] }))],
  ['clocks that disagree', () => buildRowOf(rowInput({ ...fromTo, streams: [fromOtherMachine(() => -5)] }))],
  ['a sender without our code', () => buildRowOf(rowInput({ ...fromTo, streams: [foreign()] }))],
  [
    'a sender without our code at no steady rate',
    () => {
      const unreported = { missing: null, gapHistogram: null, worstWindowLost: null, worstSecondLost: null };
      const missingReason = 'the sender’s frames come at no steady rate';
      return buildRowOf(
        rowInput({ ...fromTo, streams: [measured(), foreign({ ...unreported, missingReason })] }),
      );
    },
  ],
  ['streams that others receive', () => buildRowOf(rowInput({ ...fromTo, streams: [sent([70]), sent()] }))],
  ['sound beside pictures', () => buildRowOf(rowInput({ ...fromTo, streams: [withSound(() => -40)] }))],
  ['a stream in a display window', () => buildRowOf(rowInput({ ...fromTo, streams: [shownInWindow()] }))],
  [
    'a display window whose browser tells nothing of the presentation, beside a stream that none shows',
    () => {
      const shown = shownInWindow({}, { isPresentationKnown: false });
      return buildRowOf(rowInput({ ...fromTo, streams: [measured(), shown] }));
    },
  ],
  [
    'a display window that was closed in the row',
    () => buildRowOf(rowInput({ ...fromTo, streams: [shownInWindow({}, { unreportedFrom: 100 })] })),
  ],
  [
    'a remote sender',
    () =>
      buildRowOf(
        rowInput({
          ...fromTo,
          streams: [measured([70], { assumeSubmitted: true, clock: unknownClock })],
        }),
      ),
  ],
];

/** Figures that may be less than 0. */
const signed = ['clockOffsetMs', 'audioOffsetMs', 'audioDriftMs'];

/** Ids of all figures without a value, of a row or of one of its streams. */
function nullsOf(of: Figured): string[] {
  return recordedMetrics([of]).flatMap(({ id }) => (figureOf(of, id) === null ? [id] : []));
}

describe.each(rows)('%s', (_, build) => {
  test('is a row as published', () => {
    expect(rowSchema.safeParse(build()).error).toBeUndefined();
  });

  test('gives a reason for each null, and for nothing else', () => {
    const row = build();
    for (const part of [row, ...row.subjects]) {
      expect(Object.keys(part.notMeasured).sort()).toEqual(nullsOf(part).sort());
      for (const [id, reason] of Object.entries(part.notMeasured)) expect(reason, id).toMatch(/\w{3}/);
    }
  });

  test('shows the figures of its metrics, or nothing', () => {
    const row = build();
    for (const { id } of rowMetrics) {
      const value = numberOf(row, id);
      if (value === null) expect(row.notMeasured[id], id).toBeDefined();
      else if (!signed.includes(id)) expect(value, id).toBeGreaterThanOrEqual(0);
    }
  });
});

test('totals are sums of counts and the worst of the rest', () => {
  const streams = [measured(), measured([100, 101, 110]), measured([90])];
  const row = buildRow(rowInput({ ...fromTo, streams }));
  expect(row).toMatchObject({
    ...{ streams: 3, framesScheduled: 360, framesSubmitted: 360, picturesCaptured: 356, framesReceived: 356 },
    ...{ framesDropped: 4, framesDroppedTransport: 4, framesDroppedReceiverQueue: 0, worstWindowLost: 3 },
    ...{ conserved: true, verdict: 'FAIL', bitrateMbps: 100, measuredSeconds: 2 },
  });
  expect(row.perStream.map((stream) => stream.droppedFrames)).toEqual([[], [100, 101, 110], [90]]);
  expect(row.perStream.map((stream) => stream.verdict)).toEqual(['PASS', 'FAIL', 'WARN']);
  expect(row.longestGapMs).toBeCloseTo(3000 / 60, 3);
  expect(row.perStream[0]).toMatchObject({ firstFrame: 60, lastFrame: 179, bitrateMbps: null });
  expect(row.latencyMs.p50).toBeCloseTo(2, 1);
  expect(row.latencyFramesP50).toBeCloseTo(0.12, 1);
});

describe('a stream that others receive', () => {
  const wire = { wireTransmitMbps: 300, loopbackMbps: 2 };
  const full = { ...wire, cpuPercent: 95, roles: { sending: roleLoad(90, 60, 'sdk') } };
  const rowOf = (...streams: MeasuredStream[]) =>
    buildRowOf(rowInput({ ...fromTo, streams, samples: [loadSample(full)] }));

  test('reports what was submitted and missed, and nothing of what came of it', () => {
    const row = rowOf(sent([70, 90, 91], MissCause.SenderLate), sent());
    expect(row.figures).toMatchObject({
      ...{ framesScheduled: 240, framesSubmitted: 237, framesSenderMissed: 3, framesLateSource: 0 },
      ...{ framesReceived: null, framesDropped: null, stalls: null, longestGapMs: null, conserved: null },
    });
    const [first] = row.subjects;
    expect(first?.figures).toMatchObject({ firstFrame: 60, lastFrame: 179, framesSenderMissed: 3 });
    expect(first?.figures['submitIntervalMs.p50']).toBeCloseTo(1000 / 60, 1);
    expect(first?.hosts).toEqual({ sender: 'rack-04' });
    expect(first?.losses.map(({ stage, frames }) => [stage, frames])).toEqual([
      ['sender', 1],
      ['sender', 2],
    ]);
    expect(first?.losses[0]?.causes).toMatchObject([{ code: 'cpu-full', data: { whose: 'sender' } }]);
    const only = 'this run has no receiver of its own: only the receiver knows';
    for (const id of ['framesReceived', 'latencyMs.p50', 'audioOffsetMs', 'connectMs', 'conserved'])
      expect(first?.notMeasured[id], id).toBe(only);
    expect(row.notMeasured['receiver.cpuMaxPercent']).toBe(only);
    expect(Object.keys(row.load['rack-04'] ?? {})).toEqual(['sender', 'instrument']);
    expect(row.load['not known']?.receiver).toMatchObject({ cpuMaxPercent: null });
    expect(row.load['rack-04']?.sender).toMatchObject({ networkMaxMbps: 300 });
  });

  test('is judged by its sender alone', () => {
    expect(rowOf(sent())).toMatchObject({ verdict: 'PASS', reason: [{ code: 'no-frame-missed' }] });
    const missed = rowOf(sent([70], MissCause.SenderLate));
    expect(missed).toMatchObject({ verdict: 'FAIL', reason: [{ code: 'frames-missed' }] });
    const others = { roles: { sending: roleLoad(5, 60, 'sdk') } };
    const taken = rowInput({
      ...fromTo,
      streams: [sent([70], MissCause.SenderLate)],
      samples: [loadSample({ ...full, ...others })],
    });
    expect(buildRowOf(taken)).toMatchObject({
      verdict: 'INVALID',
      reason: [
        { code: 'frames-missed', data: { frames: 1, judged: 0 } },
        { code: 'others-busy', data: { percent: 90, limitPercent: 25 } },
      ],
    });
  });

  test('a row of several streams names the machine that others filled, not a stream', () => {
    const others = { roles: { sending: roleLoad(5, 60, 'sdk') } };
    const row = buildRow(
      rowInput({
        ...fromTo,
        ...{ streams: [sent([70], MissCause.SenderLate), sent()], hostName: 'studio-1' },
        samples: [loadSample({ ...full, ...others })],
      }),
    );
    expect(row.reason).toMatch(
      /^Whiteline 1: the sender missed 1 frame while [^;]+, not judged: other programs took 90\.0 % of the CPU of studio-1 \(limit 25 %\)$/,
    );
  });

  test.each<[string, number | null, string, string]>([
    ['our own streams', 5, 'FAIL', ' (rule: '],
    ['another program', 80, 'INVALID', ', not judged: other programs took 80.0 % of the GPU (limit 25 %)'],
    [
      'nobody knows who',
      null,
      'INVALID',
      ', not judged: how much of the GPU other programs took could not be checked: nvidia-smi is asked for the whole machine only',
    ],
  ])('while the GPU was filled by %s', (_, gpuOthersPercent, verdict, guard) => {
    const notMeasured = { gpuOthersPercent: 'nvidia-smi is asked for the whole machine only' };
    const gpu = { ...wire, cpuPercent: 12, gpuPercent: 97, gpuOthersPercent, notMeasured };
    const streams = [sent([70], MissCause.SenderLate)];
    const row = buildRow(rowInput({ ...fromTo, streams, samples: [loadSample(gpu)] }));
    expect(row.verdict).toBe(verdict);
    expect(row.reason).toContain(
      `the sender missed 1 frame while the GPU of the sender’s machine was at 97 %${guard}`,
    );
  });
});

test('spoilt are the torn and the damaged, of a stream and of the row', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  const status = new Map([
    [70, PictureStatus.Torn],
    [80, PictureStatus.Damaged],
    [90, PictureStatus.Damaged],
  ]);
  stream.send(0, 179);
  for (const slot of range(0, 179)) stream.capture(slot, { status: status.get(slot) ?? PictureStatus.Good });
  const { figures, subjects } = buildRowOf(
    rowInput({ ...fromTo, streams: [stream.measure(counter, 179), measured()] }),
  );
  expect(figures).toMatchObject({ framesTorn: 1, framesDamaged: 2, framesSpoilt: 3 });
  expect(subjects.map((subject) => subject.figures.framesSpoilt)).toEqual([3, 0]);
});

test('what a display window showed: the totals are of the streams that it showed', () => {
  const { captured, delivered, uploaded } = DisplayStage;
  const shown = shownInWindow({ 59: captured, 70: delivered, 71: delivered, 80: uploaded, 90: leftOutFate });
  const row = buildRow(rowInput({ ...fromTo, streams: [measured(), shown] }));
  const figures = {
    ...{ framesDisplayShown: 116, framesDisplayMissed: 3, framesDisplayMissedDelivery: 0 },
    ...{ framesDisplayMissedUpload: 2, framesDisplayMissedPresentation: 1, displayTicksMissed: 0 },
  };
  expect(row).toMatchObject({ ...figures, verdict: 'PASS' });
  expect(row.perStream[1]).toMatchObject(figures);
  expect(row.perStream[0]).toMatchObject({
    framesDisplayMissed: null,
    notMeasured: { framesDisplayMissed: 'no display window showed the stream' },
  });
});

test('why a row has no figure of a display window', () => {
  const reasonOf = (key: string, ...streams: MeasuredStream[]) =>
    buildRow(rowInput({ ...fromTo, streams })).notMeasured[key];
  expect(reasonOf('framesDisplayMissed', shownInWindow({}, { unreportedFrom: 100 }))).toBe(
    'Whiteline 1: a display window reported what became of 40 of 120 frames, not of all',
  );
  const blind = shownInWindow({}, { isPresentationKnown: false });
  expect(reasonOf('framesDisplayMissedPresentation', measured(), blind)).toBe(
    'Whiteline 1: the browser does not report what it presented: see displayTicksMissed',
  );
  expect(reasonOf('displayTicksMissed', foreign())).toMatch(/: the sender’s pictures carry no frame code/);
});

test('a sender without our code: its method is named, what is absent is missing, and no one is blamed', () => {
  const losses = [{ firstFrame: 100, frames: 2, fromNs: frameNs(100), toNs: frameNs(102) }];
  const gapHistogram = { ...new LostRuns().gapHistogram, of2: 1 };
  const lost = foreign({
    ...{ missing: 2, worstWindowLost: 2, worstSecondLost: 2, losses, gapHistogram },
    lostAt: { fromNs: frameNs(100), toNs: frameNs(102) },
  });
  const row = buildRow(rowInput({ ...fromTo, streams: [lost] }));
  expect(row).toMatchObject({
    ...{ framesMissing: 2, framesDropped: null, framesSenderMissed: null, conserved: null, verdict: 'FAIL' },
    ...{ gapHistogram: { of2: 1 }, worstSecondLost: 2, picturesCaptured: 120 },
    reason: expect.stringMatching(
      /^2 frames missing, by timestamps against the declared rate of 59\.94 frames a second \(rule: at most 1 frame lost in any 2 s; the worst time was from 22:13:22\.666 to 22:13:22\.700 UTC\)$/,
    ),
  });
  expect(row.receiveJitterMs).toBeCloseTo(1, 6);
  const [stream] = row.perStream;
  expect(stream).toMatchObject({ method: 'timestamps', firstFrame: null });
  expect(stream?.losses[0]).toMatchObject({ stage: 'missing', firstFrame: 100, lastFrame: 101, frames: 2 });
});

test('verdicts of a sender without our code', () => {
  const verdictOf = (counts: Partial<ForeignCounts>, faults: Fact[] = []) =>
    buildRow(rowInput({ ...fromTo, streams: [foreign(counts)], guards: [violatedBy(faults)] })).verdict;
  expect(verdictOf({})).toBe('PASS');
  expect(verdictOf({ missing: 2, worstWindowLost: 1 })).toBe('WARN');
  expect(verdictOf({ missing: null, missingReason: 'no times' })).toBe('WARN');
  expect(verdictOf({ stalls: 1, missing: 0 })).toBe('FAIL');
  const silences = { outages: [], connected: { times: 1, longestNs: 1e9 } };
  const silent = { silences, missingReason: 'it was silent' };
  expect(verdictOf({ ...silent, missing: null })).toBe('WARN');
  expect(verdictOf({ ...silent, missing: 2, worstWindowLost: 2 })).toBe('FAIL');
  expect(verdictOf({ unreportedBreaks: 1 })).toBe('WARN');
  expect(verdictOf({ placeholders: 1 })).toBe('WARN');
  expect(verdictOf({ placeholders: 2 })).toBe('FAIL');
  expect(verdictOf({ greens: 100 })).toBe('WARN');
  expect(verdictOf({ unreportedBreaks: 1, missing: 90, worstWindowLost: 90 })).toBe('FAIL');
  expect(verdictOf({ missing: 90, worstWindowLost: 90 }, sentence('the clock stood still'))).toBe('INVALID');
});

const byDeclared = 'by timestamps against the declared rate of 59.94 frames a second';
const changedOnce =
  'the sender’s clock, format or rate changed once: how many frames were lost meanwhile is unknown';
const twice = 'some came twice';

test.each<[what: string, counts: Partial<ForeignCounts>, verdict: string, reason: string]>([
  ['all is known', { missing: 1, worstWindowLost: 1 }, 'WARN', `1 frame missing, ${byDeclared}`],
  [
    'more may be missing than was counted',
    { missing: 1, worstWindowLost: 1, missingReason: twice },
    'WARN',
    `at least 1 frame missing, ${byDeclared}; losses were not measured: ${twice}`,
  ],
  ['none was counted', { missing: null, missingReason: twice }, 'WARN', `losses were not measured: ${twice}`],
  [
    'the rate changed in a gap',
    { missing: null, missingReason: unreportedTexts.changed, unreportedBreaks: 1 },
    'WARN',
    changedOnce,
  ],
  [
    'it changed in a gap, and what is lost later is not known either',
    { missing: null, missingReason: twice, unreportedBreaks: 1 },
    'WARN',
    `losses were not measured: ${twice}; ${changedOnce}`,
  ],
])('what is missing of a sender without our code where %s', (_, counts, verdict, reason) => {
  expect(buildRow(rowInput({ ...fromTo, streams: [foreign(counts)] }))).toMatchObject({ verdict, reason });
});

test('pictures that came twice are not measured where they cannot be told from new ones', () => {
  const row = buildRow(
    rowInput({ ...fromTo, streams: [foreign({ duplicated: null, missingReason: twice })] }),
  );
  expect(row.framesDuplicated).toBeNull();
  expect(row.notMeasured.framesDuplicated).toMatch(new RegExp(`: ${twice}$`));
});

test('a silence while the receiving process was stopped is not said to be the sender’s', () => {
  const silences = { outages: [], connected: { times: 1, longestNs: 1e9 } };
  const counts = { silences, missing: null, missingReason: 'it was silent' };
  const rowOf = (guards: Guard[]) => buildRow(rowInput({ ...fromTo, streams: [foreign(counts)], guards }));
  expect(rowOf([]).reason).toMatch(/^the sender was connected, but no new frame arrived for/);
  const stopped = rowOf([violatedBy([reasonOf('process-stopped', { role: 'receiving' })])]);
  expect(stopped).toMatchObject({
    verdict: 'WARN',
    reason: expect.stringMatching(/^our receiving process was stopped; losses were not measured meanwhile$/),
  });
});

test('the load of a remote sender is what it reported of the row’s time', () => {
  const stream = fromOtherMachine();
  for (const [seconds, cpuPercent] of [
    [1.5, 99],
    [3.2, 40],
    [3.9, 60],
    [6, 98],
  ] as const)
    stream.stream.reportedLoads.add({ ...sharedLoad({ cpuPercent }), atNs: seconds * 1e9 });
  const row = buildRow(rowInput({ ...fromTo, streams: [stream], isSenderRemote: true }));
  expect(row.sender).toMatchObject({ cpuMaxPercent: 60, cpuMeanPercent: 50, gpuMaxPercent: null });
  expect(row.notMeasured['sender.gpuMaxPercent']).toBe('the sender does not report it');
});

test.each<[string, isHere: boolean, verdict: string, guard: RegExp, othersPercent: number]>([
  ['of this machine are ours, as our receiver is', true, 'FAIL', /^3 of 120 frames were dropped/, 12],
  [
    'of another machine say what others took there',
    false,
    'INVALID',
    /of the CPU of the sender’s machine \(/,
    41,
  ],
])('what a sender’s own processes took: those %s', (_, isHere, verdict, guard, othersPercent) => {
  const stream = measured([70, 71, 72]);
  // The sender takes 9 % itself, and takes our receiver, at 29 %, for another program.
  for (let seconds = 1; seconds <= 4; seconds += 0.5) {
    const load = sharedLoad({
      measuredNs: seconds * 1e9,
      cpuPercent: 50,
      othersPercent: 41,
      stealPercent: 0,
    });
    stream.stream.reportedLoads.hear(load, (seconds + 0.1) * 1e9, isHere);
  }
  const samples = [1, 1.5, 2, 2.5, 3, 3.5, 4].map((seconds) =>
    loadSample({ atNs: seconds * 1e9, cpuPercent: 50, roles: { receiving: roleLoad(29, 60, 'sdk') } }),
  );
  const row = buildRowOf(rowInput({ ...fromTo, streams: [stream], samples, isSenderRemote: true }));
  expect(row.verdict).toBe(verdict);
  expect(wordsOf(row.reason)).toMatch(guard);
  expect(row.load['not known']?.sender?.othersCpuMeanPercent).toBeCloseTo(othersPercent);
});

test('the load of a remote sender that stopped reporting it is not measured: an old value is not repeated', () => {
  const stream = fromOtherMachine();
  const { reportedLoads } = stream.stream;
  // A second apart of the sender's clock; then its engine stands still for 12 s, and what it said last comes again.
  for (const second of [0, 0.5, 1, 1.5])
    reportedLoads.hear(sharedLoad({ measuredNs: 50e9 + second * 1e9, cpuPercent: 56 }), (1.5 + second) * 1e9);
  for (let second = 3; second < 15; second++)
    reportedLoads.hear(sharedLoad({ measuredNs: 51.5e9, cpuPercent: 56 }), second * 1e9);
  const row = buildRow(rowInput({ fromNs: 2e9, toNs: 12e9, streams: [stream], isSenderRemote: true }));
  expect(row.sender).toMatchObject({ cpuMaxPercent: null, cpuMeanPercent: null, cpuP95Percent: null });
  expect(row.notMeasured['sender.cpuMaxPercent']).toMatch(/a value that has aged is not repeated/);
});

test.each([
  [false, 'baseline: the source plays, no stream; the interface carried 120.0 Mb/s'],
  [true, 'baseline: no stream; the interface carried 120.0 Mb/s'],
])('a baseline says what it is of (remote sender: %s)', (isSenderRemote, reason) => {
  expect(buildRow(rowInput({ index: 0, isSenderRemote }))).toMatchObject({ verdict: 'PASS', reason });
});

test('streams from outside are received on the interfaces that lead out', () => {
  const samples = [loadSample({ wireReceiveMbps: 300, loopbackMbps: 2 })];
  const outside = { ...fromTo, samples, isSenderRemote: true };
  const row = buildRow(rowInput({ ...outside, streams: [fromOtherMachine()] }));
  expect(row).toMatchObject({ receiver: { networkMaxMbps: 300 }, bitrateMbps: 99 });
  const inside = buildRow(rowInput({ ...fromTo, samples, streams: [measured()] }));
  expect(inside).toMatchObject({ receiver: { networkMaxMbps: 2 }, bitrateMbps: 100 });
});

describe('the bitrate', () => {
  test('is of our own sockets, whatever else travels on the interface', () => {
    const copied = [loadSample({ loopbackMbps: 18_000 }), loadSample({ atNs: 3.5e9, loopbackMbps: 0 })];
    const row = buildRow(rowInput({ ...fromTo, samples: copied, streams: [measured(), measured()] }));
    expect(row).toMatchObject({ bitrateMbps: 100, sender: { networkMaxMbps: 18_000 } });
    expect(row.perStream[0]?.notMeasured.bitrateMbps).toBe(
      'the sockets of a process are counted together, not by stream',
    );
  });

  test('is not measured as soon as one second of it is not, with the reason', () => {
    const samples = [loadSample(), { ...sampleOverUdp, atNs: 3.5e9 }];
    const row = buildRow(rowInput({ ...fromTo, samples, streams: [measured()] }));
    expect(row.bitrateMbps).toBeNull();
    expect(row.notMeasured.bitrateMbps).toMatch(/UDP/);
    expect(row.perStream[0]?.notMeasured.bitrateMbps).toMatch(/UDP/);
  });

  // With that of streams that are not in the row it is more than its raw pictures have: 442 Mb/s.
  const traffic = { sentMbps: 9000, receivedMbps: 9000 };
  const roles = Object.fromEntries(
    ['sending', 'receiving'].map((role) => [role, { ...roleLoad(5, 60, 'sdk'), traffic }]),
  );
  const travelled = /^streams that are not in this row travelled too/;
  const served = /^a sender of the row serves more receivers than the row has/;
  const wrong = /^the figures contradict each other \(traffic\): 9000 Mb\/s/;
  const uncounted = /^the transport does not report how many receivers a sender serves/;
  test.each<[string, Partial<RowInput>, open: number, connections: number | null, unmeasured: RegExp | null]>(
    [
      ['streams that come and go between rows', { isBetween: true }, 1, 1, travelled],
      ['one more stream that was open', {}, 2, 1, travelled],
      ['one more remote stream that was open', { isSenderRemote: true }, 2, 0, travelled],
      ['one more receiver of its sender', {}, 1, 2, served],
      ['receivers of its sender that are not known', {}, 1, null, uncounted],
      ['a remote sender, whose receivers are not known', { isSenderRemote: true }, 1, 0, null],
      ['its own stream alone', {}, 1, 1, null],
      ['fewer streams open, as when a host has just died', {}, 0, 0, null],
    ],
  )('with %s', (_, how, streams, connections, unmeasured) => {
    const samples = [loadSample({ roles, streams: 0 }), loadSample({ roles, streams, atNs: 3.5e9 })];
    const one = measured();
    one.stream.connections = connections;
    const row = buildRow(rowInput({ ...fromTo, ...how, samples, streams: [one] }));
    expect([row.verdict, row.bitrateMbps]).toEqual(unmeasured ? ['PASS', null] : ['INVALID', 9000]);
    if (!unmeasured) return expect(row.reason).toMatch(wrong);
    for (const { notMeasured } of [row, ...row.perStream])
      expect(notMeasured.bitrateMbps).toMatch(unmeasured);
  });

  test.each<[string, lost: number, seconds: number, figure: number | null]>([
    ['for most of a short row', 100, 2, null],
    ['for most of a long row', 1700, 30, null],
    ['for a moment of a long row', 60, 30, 100],
  ])(
    'where a stream stood still %s, holds if little of it can lie outside the samples',
    (_, lost, seconds, figure) => {
      const last = 60 * (1 + seconds) - 1;
      const toNs = fromTo.fromNs + seconds * 1e9;
      const samples = Array.from({ length: seconds - 1 }, (__, at) =>
        loadSample({ atNs: fromTo.fromNs + (at + 1.5) * 1e9 }),
      );
      const stream = new TestStream();
      const counter = stream.open(60, last);
      stream.send(0, last + 60);
      stream.receive(0, last + 60, range(70, 69 + lost));
      const one = stream.measure(counter, last);
      const row = buildRow(rowInput({ ...fromTo, toNs, samples, streams: [one] }));
      expect(row.bitrateMbps).toBe(figure);
      for (const { notMeasured } of [row, ...row.perStream])
        if (figure === null) expect(notMeasured.bitrateMbps).toMatch(/^a stream stood still, /);
    },
  );

  test('of a sender of which the row has all receivers is measured', () => {
    const streams = [measured(), measured()];
    for (const { stream } of streams) stream.connections = 2;
    expect(buildRow(rowInput({ ...fromTo, streams })).bitrateMbps).toBe(100);
  });
});

test('a stream without a frame fails the row and says which one', () => {
  const thresholds = { ...defaultThresholds, connectTimeoutSeconds: 1 };
  const row = buildRow(rowInput({ ...fromTo, thresholds, streams: [silent(true)] }));
  expect(row).toMatchObject({ verdict: 'FAIL', framesDropped: 120, framesReceived: 0, connectMs: null });
  expect(row.reason).toMatch(
    /^no frame within 1 s of adding Whiteline 1 \(rule: a frame within 1 s; from \d\d:\d\d:\d\d\.\d{3} to .+ UTC\)$/,
  );
});

test('a stream that was waited for in a part of its time fails by what was sent and did not come', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [silent(true)] }));
  expect(row).toMatchObject({ verdict: 'FAIL', framesDropped: 120 });
  expect(row.reason).not.toContain('no frame within');
});

test('where several streams did not pass, the reason gives their totals beside the worst one’s own', () => {
  const streams = [measured(), measured([100, 101]), measured([100, 101, 102]), foreign({ missing: 4 })];
  const { verdict, reason } = buildRow(rowInput({ ...fromTo, streams }));
  expect(verdict).toBe('FAIL');
  expect(reason).toMatch(
    /^Whiteline 1: 3 of 120 frames were dropped in transport .+; 3 of 4 streams did not pass: 9 frames lost$/,
  );
  const one = buildRow(rowInput({ ...fromTo, streams: [measured(), measured([100, 101])] }));
  expect(one.reason).not.toContain('did not pass');
  const silentOnes = buildRow(rowInput({ ...fromTo, streams: [silent(true), silent(false)] }));
  expect(silentOnes.reason).toMatch(/; 2 of 2 streams did not pass/);
});

test('a remote sender is not blamed: what is absent is missing', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [measured([70, 71], { assumeSubmitted: true })] }));
  expect(row).toMatchObject({ framesMissing: 2, framesDropped: null, framesSenderMissed: null });
});

test('late pictures are summed by their cause, and the row says why', () => {
  const { Disk, Decode, Damaged } = LateCause;
  const late = new Map([
    [100, Disk],
    [101, Disk],
    [102, Decode],
    [103, Damaged],
  ]);
  const row = buildRow(
    rowInput({ ...fromTo, streams: [measured(), measured([], {}, late), measured([], {}, late)] }),
  );
  expect(row).toMatchObject({
    ...{
      framesLateSource: 8,
      framesLateSourceDisk: 4,
      framesLateSourceDecode: 2,
      framesLateSourceDamaged: 2,
    },
    ...{ verdict: 'WARN', conserved: true },
  });
  expect(row.reason).toMatch(
    /^Whiteline 1: 2 pictures came late from the disk, 1 picture came late, decoding/,
  );
});

test('ffmpeg does not separate its disk from its decoding, so neither do we', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [measured([], {}, [100, 101])] }));
  expect(row).toMatchObject({
    framesLateSource: 2,
    framesLateSourceDisk: null,
    framesLateSourceDecode: null,
  });
  expect(row.perStream[0]?.notMeasured.framesLateSourceDisk).toMatch(/ffmpeg plays the movie/);
});

test('the records of a remote sender do not report late pictures: not measured, never 0', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [reported()] }));
  expect(row).toMatchObject({ framesSubmitted: 120, framesLateSource: null, framesLateSourceDamaged: null });
});

test('the reason reports the disk’s speed at its last late picture against what the movie needs', () => {
  const slow = measured([], {}, new Map([[100, LateCause.Disk]]));
  const source = new ActiveSource(1, 'a.mov', slow.stream.source.format, 410);
  const report = (late: Late, diskRateMBps: number): void =>
    source.add({ sourceId: 1, status: sourceStatus({ diskRateMBps }), records: sourceRecords([100], late) });
  report(new Map([[100, LateCause.Disk]]), 31);
  report([], 390);
  slow.stream.source = source;
  expect(buildRow(rowInput({ ...fromTo, streams: [slow] })).reason).toBe(
    '1 picture came late from the disk (31 MB/s of 410 MB/s needed)',
  );
});

describe('a machine that is busy before the first stream', () => {
  const own = { sending: roleLoad(5, 60, 'sdk'), receiving: null, console: roleLoad(4, 80, 'engine') };
  const baseline = (cpuPercents: (number | null)[], change: Partial<RowInput> = {}): Row =>
    buildRow(
      rowInput({
        ...fromTo,
        index: 0,
        samples: cpuPercents.map((cpuPercent) => loadSample({ cpuPercent, roles: own })),
        ...change,
      }),
    );

  test('is said at row 0, which is no PASS, from the limit of the profile on', () => {
    // Means of what is not ours: 25 % and 24.9 %.
    expect(baseline([44, 24])).toMatchObject({
      verdict: 'WARN',
      reason:
        'the machine was busy before the first stream: other programs took 25 % of its CPU (limit 25 %)',
    });
    expect(baseline([34, 33.8])).toMatchObject({
      verdict: 'PASS',
      reason: 'baseline: the source plays, no stream; the interface carried 120.0 Mb/s',
    });
    const thresholds = { ...defaultThresholds, maxOthersPercent: 10 };
    expect(baseline([34, 33.8], { thresholds }).verdict).toBe('WARN');
  });

  test('what our own processes take is not other programs’', () => {
    const full = {
      sending: roleLoad(90, 60, 'compose'),
      receiving: null,
      console: roleLoad(5, 80, 'engine'),
    };
    const busy = [loadSample({ cpuPercent: 97, roles: full })];
    expect(baseline([], { samples: busy }).verdict).toBe('PASS');
    expect(baseline([99], { guards: [violatedBy(sentence('stolen'))] })).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(/^the machine was busy before .+, not judged: stolen$/),
    });
  });

  const reason = 'no file descriptor is left';
  test.each<[string, Partial<LoadSample>, isSenderRemote: boolean, 'PASS' | 'INVALID']>([
    [
      'of a CPU that was not read',
      { cpuPercent: null, notMeasured: { cpuPercent: reason } },
      false,
      'INVALID',
    ],
    [
      'of a CPU that was not read, the senders elsewhere',
      { cpuPercent: null, notMeasured: { cpuPercent: reason } },
      true,
      'INVALID',
    ],
    [
      'of a busy CPU',
      { cpuPercent: 30, roles: { ...own, console: null }, notMeasured: { 'roles.console': reason } },
      ...([false, 'INVALID'] as const),
    ],
    [
      'of a CPU of which little is left beside what is known to be ours',
      { cpuPercent: 29, roles: { ...own, console: null }, notMeasured: { 'roles.console': reason } },
      ...([false, 'PASS'] as const),
    ],
    [
      'of a CPU that is not busy: they took no more than all',
      { cpuPercent: 24, notMeasured: { 'roles.console': reason } },
      false,
      'PASS',
    ],
    // A machine of remote senders is no part of this row.
    ['but for the machine of a remote sender', {}, true, 'PASS'],
  ])('what others took was not measured, %s', (_, sample, isSenderRemote, verdict) => {
    const row = baseline([], { isSenderRemote, samples: [loadSample({ roles: own, ...sample })] });
    expect(row.verdict).toBe(verdict);
    if (verdict === 'INVALID')
      expect(row.reason).toMatch(
        /^how much of the CPU other programs took could not be checked: no file descriptor is left/,
      );
  });

  test('changes nothing of a row with streams', () => {
    expect(baseline([99], { index: 1, streams: [measured()] }).verdict).toBe('PASS');
  });
});

test('the baseline has no stream and says so; a fault of the instrument makes it INVALID', () => {
  expect(buildRow(rowInput({ index: 0 }))).toMatchObject({
    ...{ streams: 0, framesSubmitted: 0, conserved: true, verdict: 'PASS' },
    reason: 'baseline: the source plays, no stream; the interface carried 120.0 Mb/s',
  });
  const faults = [reasonOf('no-load-sample', { seconds: 3 })];
  expect(buildRow(rowInput({ index: 0, guards: [violatedBy(faults)] }))).toMatchObject({
    ...{ verdict: 'INVALID', reason: 'no load sample for 3.0 s' },
  });
});

test('what was missing since a process of ours was stopped is INVALID, also in the rows after it', () => {
  const verdictWith = (stoppedAtSeconds: number): string => {
    // It began 4 s before the row.
    const outage = { fromNs: 10e9, toNs: 14e9, sinceNs: 6e9, isOver: true, frames: 240, isStall: false };
    const streams = [{ ...fromOtherMachine(), outages: [outage] }];
    const samples = range(2, 28).map((half) => loadSample({ atNs: half * 5e8 }));
    const standstills = near(stopped({ role: 'receiving' }, stoppedAtSeconds, stoppedAtSeconds + 0.3));
    return buildRow(
      rowInput({ fromNs: 10e9, toNs: 14e9, isSenderRemote: true, streams, samples, standstills }),
    ).verdict;
  };
  expect(verdictWith(5.8)).toBe('INVALID');
  expect(verdictWith(4.6)).toBe('FAIL');
});

describe('V27: an outage says what was seen beside it, as a loss does', () => {
  const outage = { fromNs: 6e9, toNs: 11e9, sinceNs: 6e9, isOver: true, frames: 300, isStall: false };
  const stream = { ...fromOtherMachine(), outages: [outage] };
  const saidWith = (changes: (seconds: number) => MachineChange[], samples: Partial<LoadSample>): string => {
    const seen = range(2, 26).map((half) => {
      const seconds = half / 2;
      const mbps = seconds <= 6 ? 120 : 0;
      return loadSample({
        ...{ atNs: seconds * 1e9, wireReceiveMbps: mbps, loopbackMbps: 0.1 },
        ...samples,
        changes: changes(seconds),
      });
    });
    const input = rowInput({
      fromNs: 6.5e9,
      toNs: 11e9,
      isSenderRemote: true,
      streams: [stream],
      samples: seen,
    });
    return buildRow(input).reason;
  };

  test('a link that was down', () => {
    const down = (seconds: number): MachineChange[] => [
      ...(seconds === 6 ? [{ atNs: 6e9, code: 'link-down' as const, data: { name: 'eth0' } }] : []),
      ...(seconds === 11
        ? [{ atNs: 11e9, code: 'link-up' as const, data: { name: 'eth0', seconds: 5 } }]
        : []),
    ];
    expect(saidWith(down, {})).toMatch(
      /^no new picture for 5\.0 s: about 300 frames at 60 fps \(an estimate\); seen beside it: eth0 had no link for 5\.0 s \(rule/,
    );
  });

  test('frames that are counted elsewhere change nothing of it', () => {
    const counted = { ...stream, outages: [{ ...outage, frames: 0 }] };
    const { reason } = buildRow(
      rowInput({ fromNs: 6.5e9, toNs: 11e9, isSenderRemote: true, streams: [counted], samples: [] }),
    );
    expect(reason).not.toContain('injected');
  });

  test('nothing but the silence', () => {
    expect(saidWith(() => [], {})).toContain(
      'seen beside it: the network carried nothing, down from 120 Mb/s: the link may have been down, or the sender may have sent nothing',
    );
    const none = { wireReceiveMbps: null, loopbackMbps: null };
    expect(saidWith(() => [], none)).not.toContain('seen beside it');
  });
});
