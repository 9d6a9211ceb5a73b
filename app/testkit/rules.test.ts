import { describe, expect, test } from 'vitest';
import { unjudged } from '../facts/precedence';
import { reasonOf } from '../facts/reason-words';
import { cutsTo, hasCuts } from './cut-rules';
import { countedAgainTexts } from './matchers';
import { clean, measurement, withFigures, withNothing } from './measurement.fixture';
import {
  hasLatencyBelow,
  isWhole,
  losesAtMost,
  losesNoFrames,
  neverStalls,
  recoversWithin,
  repeatsNoFrames,
} from './rules';
import { noteSent } from './sent-sources';
import type { Fact, Figures, Measurement, Row } from './types';

describe('losses', () => {
  test('those of all rows add up: lost, spoilt, missed by the sender, and in outages', () => {
    const lost = withFigures({ framesDropped: 3, framesTorn: 1, framesSenderMissed: 2, framesInOutages: 10 });
    expect(losesNoFrames()(lost)).toEqual({
      outcome: 'broken',
      text: 'A (x) lost 16 frames in 30.0 s (by the frame code)',
      expected: 'at most 0 frames may be lost',
      expectedNot: 'expected more than 0 frames to be lost',
    });
    expect(losesAtMost({ frames: 16 })(lost).outcome).toBe('holds');
    expect(losesAtMost({ frames: 15 })(lost).outcome).toBe('broken');
  });

  test('a rate counts by the measured time', () => {
    expect(losesAtMost({ perMinute: 6 })(withFigures({ framesDropped: 3 })).outcome).toBe('holds');
    const broken = losesAtMost({ perMinute: 5.9 })(withFigures({ framesDropped: 3 }));
    expect(broken).toMatchObject({
      ...{ outcome: 'broken', expected: 'at most 5.9 a minute may be lost' },
      text: 'A (x) lost 3 frames in 30.0 s (by the frame code) = 6 a minute',
    });
  });

  test('both limits have to hold', () => {
    const lost = withFigures({ framesDropped: 3 });
    const outcome = (frames: number, perMinute: number) => losesAtMost({ frames, perMinute })(lost).outcome;
    expect([outcome(3, 6), outcome(2, 100_000), outcome(3, 5.9)]).toEqual(['holds', 'broken', 'broken']);
    expect(losesAtMost({ frames: 0, perMinute: 100_000 })(lost).expected).toBe(
      'at most 0 frames and 100000 a minute may be lost',
    );
  });

  test('what was not measured is neither: by its reason', () => {
    const unknown = measurement([
      { figures: { ...clean, framesDropped: null }, notMeasured: { framesDropped: 'the sender is silent' } },
    ]);
    expect(losesNoFrames()(unknown)).toEqual({
      outcome: 'not-measured',
      text: 'A (x) was not measured: its losses were not measured: the sender is silent',
    });
  });

  test('no loss beside a remark that leaves losses unknown is not measured', () => {
    const reason = [reasonOf('other-source', { seconds: 1.2, pictures: 30 })];
    expect(losesNoFrames()(measurement([{ verdict: 'WARN', reason }])).outcome).toBe('not-measured');
  });

  test('of a sender without our code the timestamps count', () => {
    const foreign: Figures = {
      picturesCaptured: 900,
      framesMissing: 2,
      framesInOutages: 0,
      framesTorn: null,
    };
    const measured = measurement([{ figures: foreign }], { method: 'timestamps' });
    expect(losesNoFrames()(measured)).toMatchObject({
      outcome: 'broken',
      text: expect.stringContaining('lost 2 frames in 30.0 s (by its timestamps)'),
    });
  });
});

test('an INVALID row is not measured, whatever it counted', () => {
  const reason = [reasonOf('no-slot')];
  const invalid = measurement([{}, { verdict: 'INVALID', reason }]);
  for (const rule of [losesNoFrames(), neverStalls(), isWhole(), hasLatencyBelow({ p99Ms: 1 })])
    expect(rule(invalid)).toMatchObject({
      outcome: 'not-measured',
      text: expect.stringContaining('INVALID: '),
    });
});

test('a loss on a busy machine says what was lost, why that proves nothing, and what to do', () => {
  const reason = [
    unjudged(reasonOf('frames-missing', { frames: 4, method: 'timestamps' })),
    reasonOf('others-busy', { percent: 91.6, limitPercent: 25 }),
  ];
  const lost = measurement([{ verdict: 'INVALID', reason, figures: { ...clean, framesDropped: 4 } }]);
  expect(losesNoFrames()(lost).text).toMatch(
    /^A \(x\) lost 4 frames in 30\.0 s \(by the frame code\), not judged: INVALID: other programs took 91\.6 % of the CPU \(limit 25 %\); .+ set thresholds of watch /,
  );
  const hintBeside = (fact: Fact): boolean =>
    / set thresholds /.test(
      losesNoFrames()({ ...lost, rows: lost.rows.map((row) => ({ ...row, reason: [fact] })) }).text,
    );
  expect(
    hintBeside(reasonOf('others-busy', { percent: 91.6, limitPercent: 60 })),
    'limits that are set',
  ).toBe(false);
  expect(hintBeside(reasonOf('process-died', { role: 'receiving', exitCode: null, signal: 'SIGKILL' }))).toBe(
    false,
  );
});

test('what holds of one source says nothing of the pictures of another beside it', () => {
  const reason = [reasonOf('other-source', { seconds: 1.2, pictures: 30 })];
  const measured = measurement([{ verdict: 'WARN', reason }]);
  for (const rule of [
    isWhole(),
    neverStalls(),
    repeatsNoFrames(),
    losesNoFrames(),
    hasLatencyBelow({ p99Ms: 50 }),
  ])
    expect(rule(measured)).toMatchObject({
      outcome: 'not-measured',
      text: expect.stringMatching(/another of our sources was shown .*: watch a mixer with programme: true$/),
    });
});

test('repeats', () => {
  expect(repeatsNoFrames()(withFigures({})).outcome).toBe('holds');
  expect(repeatsNoFrames()(withFigures({ framesDuplicated: 2 }))).toMatchObject({
    outcome: 'broken',
    text: 'A (x) repeated 2 frames in 30.0 s (by the frame code)',
  });
  expect(repeatsNoFrames()(withFigures({ picturesMixed: 3, framesDuplicated: 2 })).outcome).toBe('broken');
  expect(repeatsNoFrames()(withFigures({ picturesMixed: 3 }))).toMatchObject({
    outcome: 'not-measured',
    text: expect.stringContaining('3 pictures between two sources had no readable number'),
  });
});

test('stalls', () => {
  expect(neverStalls()(withFigures({})).outcome).toBe('holds');
  expect(neverStalls()(withFigures({ stalls: 1, longestGapMs: 812 }))).toEqual({
    outcome: 'broken',
    text: 'A (x) stood still 1 time in 30.0 s (by the frame code); longest gap: 812 ms',
    expected: 'expected to stand still at no time',
    expectedNot: 'expected to stand still',
  });
});

test('latency is that of the worst row', () => {
  const measured = withFigures({ 'latencyMs.p99': 33.3 });
  expect(hasLatencyBelow({ p99Ms: 33.3 })(measured).outcome).toBe('broken');
  expect(hasLatencyBelow({ p99Ms: 34 })(measured).outcome).toBe('holds');
  expect(hasLatencyBelow({ p99Ms: 34 })(withFigures({ 'latencyMs.p99': null })).outcome).toBe('not-measured');
});

test('wholeness is that of the pictures that came, and needs our code', () => {
  expect(isWhole()(withFigures({ framesDropped: 5 })).outcome).toBe('holds');
  expect(isWhole()(withFigures({ framesSpoilt: 1, framesUndecodable: 1 }))).toMatchObject({
    outcome: 'broken',
    text: expect.stringContaining('2 frames not as sent'),
  });
  expect(isWhole()(measurement([{}], { method: 'timestamps' }))).toMatchObject({
    outcome: 'not-measured',
    text: expect.stringContaining('carry no frame code'),
  });
});

test('a sender without our code: what needs it is refused in one sentence, and a silence is no proof of motion', () => {
  const reason = [reasonOf('others-busy', { percent: 90, limitPercent: 25 })];
  for (const verdict of ['PASS', 'INVALID'] as const) {
    const foreign = measurement([{ verdict, reason }], { method: 'timestamps' });
    expect(isWhole()(foreign).text).toBe(
      'A (x) was not measured: its pictures carry no frame code, so that nobody can say whether they are whole',
    );
    expect(hasLatencyBelow({ p99Ms: 50 })(foreign).text).toBe(
      'A (x) was not measured: its pictures carry no frame code, which says when they were released',
    );
  }
  const silence = reasonOf('sender-silent', { times: 1, longestSeconds: 2.08 });
  const silent = { reason: [silence], figures: { ...clean, longestGapMs: 2080 } };
  expect(neverStalls()(measurement([silent, {}], { method: 'timestamps' }))).toEqual({
    outcome: 'not-measured',
    text: 'A (x) was not measured: the sender was connected, but no new frame arrived for 2.1 s: it may send only when its picture changes, so losses in that time were not measured, and whether it stood still then was not seen',
  });
  const stalled = { ...silent, figures: { ...silent.figures, stalls: 1 } };
  expect(neverStalls()(measurement([stalled], { method: 'timestamps' })).outcome).toBe('broken');
});

test('recovery is judged by the longest gap, and by whether pictures came back', () => {
  const measured = withFigures({ longestGapMs: 1500, stalls: 1 });
  expect(recoversWithin(2, true)(measured).outcome).toBe('holds');
  expect(recoversWithin(1, true)(measured).outcome).toBe('broken');
  expect(recoversWithin(2, false)(measured).text).toBe('A (x) was not back within 2 s from now');
});

test('recovery takes an absence as long as a stall, and pictures to the end', () => {
  const gap = (longestGapMs: number): Measurement =>
    withFigures({ longestGapMs, 'receiveIntervalMs.p50': 40 });
  expect(recoversWithin(2, true)(gap(599))).toEqual({
    outcome: 'not-measured',
    text: 'A (x) was not measured: it was without a picture for 599 ms at most since the mark, and less than 600 ms is no absence that it could recover from',
  });
  expect(recoversWithin(2, true)(gap(600)).outcome).toBe('holds');
  expect(recoversWithin(2, true)({ ...gap(600), standstill: 'Standing still' }).outcome).toBe('broken');
});

test('whose pictures gave way to those of another source neither came back nor stayed away', () => {
  const other = {
    outcome: 'not-measured',
    text: 'A (x) was not measured: another of our sources was shown: watch a mixer with programme: true',
  };
  const standstill = 'Pictures of another sender arrive under this name';
  expect(recoversWithin(1, false)(measurement([{}], { standstill }))).toEqual(other);
  expect(recoversWithin(1, false)(withFigures({ picturesWrongSource: 12 }))).toEqual(other);
  expect(recoversWithin(1, false)(measurement([{}], { standstill: 'Standing still' })).outcome).toBe(
    'broken',
  );
});

test('a fault that was found breaks a rule, whatever a row beside it lacks; nothing found is not measured', () => {
  const why = 'no record of the sender came';
  const [from, to] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:01.014Z'];
  const lacking: Partial<Row> = {
    ...{ from, to, figures: { picturesCaptured: null } },
    notMeasured: {
      ...{ framesDropped: why, framesMissing: 'see framesDropped', stalls: why, framesDuplicated: why },
      ...{ framesSpoilt: why, 'latencyMs.p99': why },
    },
  };
  const beside = (figures: Figures): Measurement =>
    measurement([lacking, { figures: { ...clean, ...figures } }]);
  for (const [rule, fault, text] of [
    [losesNoFrames(), { framesDropped: 4 }, 'lost at least 4 frames'],
    [neverStalls(), { stalls: 1 }, 'stood still at least 1 time'],
    [repeatsNoFrames(), { framesDuplicated: 2 }, 'repeated at least 2 frames'],
    [isWhole(), { framesSpoilt: 1 }, 'showed at least 1 frame not as sent'],
    [hasLatencyBelow({ p99Ms: 50 }), { 'latencyMs.p99': 80 }, 'has a p99 latency of 80.0 ms'],
  ] as const) {
    expect(rule(beside(fault))).toMatchObject({ outcome: 'broken', text: expect.stringContaining(text) });
    expect(rule(beside({}))).toMatchObject({
      outcome: 'not-measured',
      text: expect.stringContaining(why),
    });
  }
  expect(losesNoFrames()(beside({})).text).toBe(
    'A (x) was not measured: its losses were not measured: no record of the sender came from 00:00:01.000 to 00:00:01.014 UTC',
  );
});

/** 25 fps; second 1.5 to 10.5 without a picture, looked at in three rows. */
describe('an absence over the ends of rows is one', () => {
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  const period = { 'receiveIntervalMs.p50': 40 };
  const rowOf = (from: number, to: number, figures: Figures): Partial<Row> => ({
    ...{ from: at(from), to: at(to) },
    figures: { ...clean, ...period, stalls: 1, longestGapMs: 1000 * (to - from), ...figures },
  });
  const rows = (...figures: readonly [Figures, Figures, Figures]): Partial<Row>[] => [
    rowOf(0, 4, figures[0]),
    rowOf(4, 8, { ...figures[1], 'receiveIntervalMs.p50': null }),
    rowOf(8, 12, figures[2]),
  ];
  const loss = (
    from: number,
    to: number,
    frames: number,
    stage = 'missing',
  ): Measurement['losses'][number] => ({
    ...{ stage, firstFrame: 1, lastFrame: frames, frames, causes: [], text: '' },
    ...{ startedAt: at(from), endedAt: at(to) },
  });
  const outage = (
    seconds: number,
    framesEstimated: number,
    isOver = false,
  ): Measurement['outages'][number] => ({
    ...{ startedAt: at(1.5), endedAt: isOver ? at(10.5) : null, seconds, framesEstimated, text: '' },
  });
  const times = { from: at(0), to: at(12), seconds: 12 };
  /** Counted row by row, by what the sender says. */
  const counted = measurement(rows({ framesDropped: 62 }, { framesDropped: 100 }, { framesDropped: 62 }), {
    ...times,
    losses: [loss(1.54, 4, 62), loss(4, 8, 100), loss(8, 10.5, 62)],
  });
  /** Estimated row by row, and counted at its end by the frame's number, as behind a mixer that stood still. */
  const estimated = measurement(
    rows({ framesInOutages: 62 }, { framesInOutages: 100 }, { framesDropped: 224 }),
    {
      ...times,
      losses: [loss(10.5, 10.5, 224)],
      outages: [outage(2.5, 62), outage(4, 100), outage(2.5, 0, true)],
    },
  );

  test('for recovery', () => {
    for (const [measured, longest] of [
      [counted, '8.96'],
      [estimated, '9.00'],
    ] as const) {
      expect(recoversWithin(8, true)(measured)).toMatchObject({
        outcome: 'broken',
        text: `A (x) was without a picture for ${longest} s at most`,
      });
      expect(recoversWithin(9, true)(measured).outcome).toBe('holds');
    }
  });

  test('whose frames are found absent a little later, among pictures that come, costs them once and lasts no longer', () => {
    const later = { ...estimated, losses: [loss(10.54, 11.8, 224)] };
    expect(losesNoFrames()(later).text).toMatch(/lost 224 frames in 12\.0 s/);
    expect(neverStalls()(later).text).toMatch(/stood still 1 time in .*; longest gap: 9000 ms$/);
  });

  test('whole, although it began before the mark', () => {
    const measured = {
      ...estimated,
      from: at(8),
      rows: estimated.rows.slice(2),
      outages: [outage(2.5, 0, true)],
    };
    expect(recoversWithin(9, true)(measured).outcome).toBe('holds');
    expect(recoversWithin(4, true)(measured)).toMatchObject({
      outcome: 'broken',
      text: 'A (x) was without a picture for 9.00 s at most, of which 6500 ms before the mark',
    });
    expect(neverStalls()(measured).text).toMatch(
      /stood still 1 time in .*; longest gap: 9000 ms, of which 6500 ms before the mark$/,
    );
  });

  test('as one stall, also where a row holds a moment of it', () => {
    const moment = measurement(
      [
        rowOf(0, 4, { framesInOutages: 62 }),
        rowOf(4, 4.1, { framesInOutages: 2, 'receiveIntervalMs.p50': null }),
        rowOf(4.1, 12, { framesInOutages: 160 }),
      ],
      { ...times, outages: [outage(2.5, 62), outage(0.1, 2), outage(6.4, 160, true)] },
    );
    expect(neverStalls()(moment).text).toMatch(/stood still 1 time in .*; longest gap: 9000 ms$/);
  });

  test('for a silence that its sender may mean, of which rows say nothing', () => {
    const silences = [{ startedAt: at(1.5), endedAt: at(10.5) }];
    const silent = measurement(rows({}, {}, {}), { ...times, silences });
    expect(recoversWithin(8, true)(silent).outcome).toBe('broken');
    expect(recoversWithin(9, true)(silent).outcome).toBe('holds');
    // One that began before the mark, in a row of its own, was an absence too.
    const usual = measurement([rowOf(8, 12, { stalls: 0, longestGapMs: 40 })], { ...times, silences });
    expect(recoversWithin(9, true)(usual).outcome).toBe('holds');
    const marked = { ...silent, from: at(3) };
    expect(recoversWithin(8.9, true)(marked).text).toMatch(
      /was without a picture for 9\.00 s at most, of which 1500 ms before the mark$/,
    );
    expect(recoversWithin(9, true)(marked).outcome).toBe('holds');
  });

  test('for stalls; two with pictures between them are two', () => {
    expect(neverStalls()(counted).text).toMatch(/stood still 1 time in .*; longest gap: 8960 ms$/);
    expect(neverStalls()(estimated).text).toMatch(/stood still 1 time in .*; longest gap: 9000 ms$/);
    const twice = { ...counted, losses: [loss(1.54, 3.9, 59), loss(4, 8, 100), loss(8, 10.5, 62)] };
    expect(neverStalls()(twice).text).toMatch(/stood still 2 times/);
  });

  test('for its losses: what was estimated and then counted counts once', () => {
    expect(losesNoFrames()(counted).text).toMatch(/lost 224 frames in 12\.0 s/);
    expect(losesNoFrames()(estimated).text).toMatch(/lost 224 frames in 12\.0 s/);
    const figures = [{ framesInOutages: 62 }, { framesInOutages: 100 }, { framesDropped: 62 }] as const;
    const half = measurement(rows(...figures), {
      ...times,
      losses: [loss(8, 10.5, 62)],
      outages: [outage(2.5, 62), outage(4, 100), outage(2.5, 0, true)],
    });
    expect(losesNoFrames()(half).text).toMatch(/lost 224 frames/);
    expect(countedAgainTexts(half)).toEqual([]);
    // 224 counted, 162 estimated.
    expect(countedAgainTexts(estimated)).toEqual([
      '162 frames of these were estimated and counted, and count once: the list adds up to so many more',
    ]);
  });
});

describe('another source behind the first', () => {
  const event = (sourceIds: number[], isRestart: boolean) => ({
    ...{ at: '', kind: 'sender-restarted', text: 'x: …', details: { silentMs: 42, isRestart, sourceIds } },
  });
  noteSent(71, { names: ['VM (Begun anew)', 'Begun anew'], senderId: 1, injected: [] });
  noteSent(72, { names: ['VM (Begun anew)', 'Begun anew'], senderId: 1, injected: [] });
  const ofPictures = [isWhole(), repeatsNoFrames(), hasLatencyBelow({ p99Ms: 50 })];

  test('without a break is not measured; a sender of this test that begins anew is', () => {
    const found: Figures[] = [{}, { framesDropped: 4 }];
    for (const figures of found)
      for (const rule of [losesNoFrames(), neverStalls(), ...ofPictures]) {
        const shown = (ids: number[]) => rule({ ...withFigures(figures), events: [event(ids, false)] });
        expect(shown([1, 2])).toEqual({
          outcome: 'not-measured',
          text: 'A (x) was not measured: another of our sources was shown: watch a mixer with programme: true',
        });
        expect(shown([71, 72])).toEqual(rule(withFigures(figures)));
      }
  });

  const [startedAt, later] = ['2026-01-01T00:00:01.500Z', '2026-01-01T00:00:03.600Z'];
  const outage = (framesEstimated: number | null, endedAt: string | null = later) => ({
    ...{ startedAt, endedAt, seconds: 2.1, framesEstimated, text: '' },
  });
  const gone = (figures: Figures, about: Partial<Measurement>) => ({ ...withFigures(figures), ...about });
  const away = 'A (x) was not measured: no picture from 00:00:01.500 to 00:00:03.600 UTC';

  test('after a break says that the sender began anew or that a mixer cut, and holds of no pictures', () => {
    const about = { outages: [outage(52)], events: [event([1, 2], true)] };
    for (const rule of ofPictures)
      expect(rule(gone({}, about))).toEqual({
        outcome: 'not-measured',
        text: `${away}: about 52 frames (an estimate); its sender was started again, or a mixer cut: watch a mixer with programme: true`,
      });
    const own = { outages: [outage(52)], events: [event([71, 72], true)] };
    for (const rule of ofPictures)
      expect(rule(gone({}, own)).text).toBe(
        `${away}: about 52 frames (an estimate); whether it was so then was not seen`,
      );
    expect(isWhole()(gone({ framesSpoilt: 1 }, about)).outcome).toBe('broken');
    expect(repeatsNoFrames()(gone({ framesDuplicated: 1 }, about)).outcome).toBe('broken');
    expect(losesNoFrames()(gone({ framesInOutages: 52 }, about)).outcome).toBe('broken');
    expect(neverStalls()(gone({ stalls: 1 }, about)).outcome).toBe('broken');
    expect(recoversWithin(3, true)(gone({ stalls: 1, longestGapMs: 2100 }, about)).outcome).toBe('holds');
  });

  test('a sender that is gone at the end, or whose loss nobody can estimate, lets no rule hold', () => {
    for (const rule of ofPictures)
      expect(rule(gone({}, { outages: [outage(7, null)] })).outcome).toBe('not-measured');
    for (const rule of [losesNoFrames(), losesAtMost({ frames: 900 })])
      expect(rule(gone({}, { outages: [outage(null)] })).text).toBe(
        `${away}: how many frames it cost is not known`,
      );
    expect(
      losesAtMost({ frames: 52 })(gone({ framesInOutages: 52 }, { outages: [outage(52)] })).outcome,
    ).toBe('holds');
  });

  test('a silence whose frames the next number gave is none, in one row or over the end of one', () => {
    const silence = { outages: [outage(20, null), outage(0)] };
    for (const rule of ofPictures) expect(rule(gone({ framesDropped: 52 }, silence)).outcome).toBe('holds');
  });
});

test('frames out of order are not as sent', () => {
  expect(isWhole()(withFigures({ framesReordered: 1, framesSpoilt: 2 }))).toMatchObject({
    outcome: 'broken',
    text: 'A (x) showed 3 frames not as sent, 1 of them out of order, in 30.0 s (by the frame code)',
  });
});

describe('pictures that cannot be read', () => {
  const black = { framesUndecodable: 55, picturesCaptured: 55 };
  const all = [neverStalls(), repeatsNoFrames(), hasLatencyBelow({ p99Ms: 50 }), hasCuts(0, [])];

  test('are none, where no others came', () => {
    for (const rule of [...all, losesAtMost({ frames: 1e6 })])
      expect(rule(withNothing(black))).toEqual({
        outcome: 'not-measured',
        text: 'A (x) was not measured: no picture that can be counted came since the mark',
      });
    expect(losesNoFrames()(withNothing(black)).outcome).toBe('broken');
  });

  test('at the end, behind others, leave it unknown what came then', () => {
    const standstill = 'Pictures come, but they are black and carry no frame code';
    for (const rule of [...all, losesAtMost({ frames: 1e6 }), isWhole()])
      expect(rule(measurement([{}], { standstill }))).toMatchObject({
        outcome: 'not-measured',
        text: expect.stringContaining(`at the end no picture that can be counted came (${standstill})`),
      });
  });

  test('for as long as a stall, between others, may have hidden one, or a cut', () => {
    const loss = (endedAt: string): Measurement['losses'] => [
      {
        ...{
          stage: 'undecodable',
          firstFrame: 1,
          lastFrame: 15,
          frames: 15,
          causes: [],
          text: '15 frames arrived',
        },
        ...{ startedAt: '2026-01-01T00:00:01.000Z', endedAt },
      },
    ];
    const outcome = (rule: (measured: Measurement) => { outcome: string }, endedAt: string): string =>
      rule(measurement([{}], { losses: loss(endedAt) })).outcome;
    for (const rule of [neverStalls(), hasCuts(0, []), cutsTo('A', 1, [])])
      expect(outcome(rule, '2026-01-01T00:00:01.600Z')).toBe('not-measured');
    expect(outcome(neverStalls(), '2026-01-01T00:00:01.200Z')).toBe('holds');
    expect(repeatsNoFrames()(withFigures({ framesUndecodable: 3 }))).toMatchObject({
      outcome: 'not-measured',
      text: expect.stringContaining(': 3 pictures had no readable number'),
    });
  });
});
