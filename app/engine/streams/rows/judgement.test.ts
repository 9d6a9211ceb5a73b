import { describe, expect, test } from 'vitest';
import { violatedBy, violatedByLoad } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import { LateCause, MissCause, PictureStatus } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { type Late, range } from '../../../testing/columns';
import { endLoad } from '../../../testing/end-load';
import { sentence } from '../../../testing/sentence';
import { TestStream, unknownClock } from '../../../testing/test-stream';
import { standstillGuard, type Who } from '../../load/standstills';
import type { RangeCounts } from '../counting/range-counts';
import { lateSourceMisses } from '../losses/late-source';
import { noneInjected } from '../losses/loss-parts';
import { type Circumstances, codedEvidence, type Judgement, judgeStream, worstOf } from './judgement';
import { stopCostOf } from './stop-cost';

const idle: Circumstances = {
  sender: endLoad(20),
  receiver: endLoad(20),
  guards: [],
  contradictions: [],
  lateDisk: { rateMBps: null, neededMBps: null, reads: null },
  wallOffsetUs: 0,
};

interface Play {
  lost?: number[];
  missed?: number[];
  cause?: number;
  late?: Late;
  blank?: number[];
  torn?: number[];
  damaged?: number[];
  transportDropped?: number;
  isQueueCounted?: boolean;
}

/** Verdict over slots 60 to 659 (10 s) of a stream with these faults. */
function judgementOf(play: Play, circumstances: Partial<Circumstances> = {}): Judgement {
  const { lost = [], missed = [], cause, late = [], blank = [], transportDropped = 0 } = play;
  const { torn = [], damaged = [] } = play;
  const stream = new TestStream();
  stream.ledger.isQueueCounted = play.isQueueCounted ?? true;
  const counter = stream.open(60, 659);
  stream.send(0, 719, { missed, cause, late });
  for (const slot of range(0, 719)) {
    if (blank.includes(slot)) stream.capture(slot, { status: PictureStatus.Undecodable });
    const status = statusOf(torn.includes(slot), damaged.includes(slot));
    if (lost.includes(slot)) stream.transportDropped = transportDropped;
    else if (!missed.includes(slot) && !blank.includes(slot)) stream.capture(slot, { status });
  }
  const counts = stream.close(counter, 659);
  const explained = lateSourceMisses(stream.ledger, counts);
  return judgedBy(counts, { ...idle, lateSourceMisses: explained, ...circumstances });
}

function judgedBy(counts: RangeCounts, circumstances: Circumstances): Judgement {
  return judgeStream(
    codedEvidence(counts, defaultThresholds, circumstances),
    circumstances,
    defaultThresholds,
  );
}

/** The same in words. */
function judged(play: Play, circumstances: Partial<Circumstances> = {}) {
  return inWords(judgementOf(play, circumstances));
}

function inWords({ reason, ...judgement }: Judgement) {
  return { ...judgement, reason: wordsOf(reason) };
}

function statusOf(isTorn: boolean, isDamaged: boolean): number {
  if (isTorn) return PictureStatus.Torn;
  return isDamaged ? PictureStatus.Damaged : PictureStatus.Good;
}

describe('losses', () => {
  test('none is PASS', () => {
    expect(judged({})).toEqual({ verdict: 'PASS', reason: 'no frame lost', senderMissed: false });
  });

  test('one in any two seconds is WARN', () => {
    expect(judged({ lost: [100] })).toMatchObject({
      verdict: 'WARN',
      reason: '1 of 600 frames was dropped in transport',
    });
    expect(judged({ lost: [100, 220, 340] }).verdict).toBe('WARN');
    expect(judged({ blank: [100] })).toMatchObject({
      verdict: 'WARN',
      reason: '1 of 600 frames was undecodable',
    });
  });

  test('two in the same two seconds are FAIL', () => {
    expect(judged({ lost: [100, 219] }).verdict).toBe('FAIL');
    expect(judged({ lost: [100], blank: [150] })).toMatchObject({
      verdict: 'FAIL',
      reason:
        '2 of 600 frames were lost: 1 dropped in transport, 1 undecodable (rule: at most 1 frame lost in any 2 s; ' +
        'the worst time was from 00:00:02.666 to 00:00:03.516 UTC)',
    });
  });

  test('a frame that came torn or damaged is lost, by the same window', () => {
    expect(judged({ torn: [100] })).toMatchObject({ verdict: 'WARN', reason: '1 of 600 frames was torn' });
    expect(judged({ damaged: [100, 220] })).toMatchObject({
      verdict: 'WARN',
      reason: '2 of 600 frames were damaged',
    });
    expect(judged({ lost: [100], damaged: [150] })).toMatchObject({
      verdict: 'FAIL',
      reason:
        '2 of 600 frames were lost: 1 dropped in transport, 1 damaged (rule: at most 1 frame lost in any 2 s; ' +
        'the worst time was from 00:00:02.666 to 00:00:03.516 UTC)',
    });
  });

  test('a sender without records of which 276 of 300 pictures are torn fails, and the reason says so', () => {
    const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
    const counter = stream.open(0, 299);
    for (const slot of range(0, 320))
      stream.capture(slot, { status: statusOf(slot >= 24 && slot < 300, false) });
    const counts = stream.close(counter, 299);
    expect(counts).toMatchObject({ received: 300, spoilt: { torn: 276 }, conserved: true });
    const { verdict, reason } = inWords(judgedBy(counts, idle));
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /^276 of 300 frames were torn \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
    );
  });

  test('a sender of which nearly every picture is torn fails, and the reason says how many', () => {
    const { verdict, reason } = judged({ torn: range(120, 659) });
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /^540 of 600 frames were torn \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
    );
  });

  test('a stall is as long as its own gap, beside a longer one of an outage', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 659);
    stream.send(0, 719);
    for (const slot of range(0, 719)) if (slot < 200 || slot > 260) stream.capture(slot);
    const counts = { ...stream.close(counter, 659), longestGapMs: 2574 };
    const { reason } = inWords(judgedBy(counts, idle));
    expect(reason).toContain('stood still once, longest gap 1033 ms (rule: no stall;');
  });

  test('two stalls with one frame between are as long as the longer of them, beside a longer silence of the sender', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 659);
    stream.send(0, 719, { missed: range(400, 600) });
    for (const slot of [...range(0, 199), 260, ...range(301, 399), ...range(601, 719)]) stream.capture(slot);
    const counts = stream.close(counter, 659);
    expect(counts.longestGapMs).toBeCloseTo((202 * 1000) / 60, 3);
    const { reason } = inWords(judgedBy(counts, idle));
    expect(reason).toContain('stood still 2 times, longest gap 1017 ms (rule: no stall;');
  });

  test('a stall is FAIL and says how long the gap was', () => {
    const { verdict, reason } = judged({ lost: range(200, 260) });
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /stood still once, longest gap 1033 ms \(rule: no stall; from 00:00:04\.3\d\d to 00:00:05\.3\d\d UTC\)/,
    );
    expect(reason).toContain(
      '61 of 600 frames were dropped in transport (rule: at most 1 frame lost in any 2 s; ' +
        'the worst time was from 00:00:04.333 to 00:00:05.350 UTC)',
    );
  });

  test('a late movie alone is no loss, but is reported with what is known of its cause', () => {
    const { Disk, Decode, Damaged } = LateCause;
    const reasonOf = (late: Late, lateDisk?: Circumstances['lateDisk']): string => {
      const { verdict, reason } = judged({ late }, lateDisk ? { lateDisk } : {});
      expect(verdict).toBe('PASS');
      return reason;
    };
    expect(reasonOf([100, 101])).toBe('2 pictures came late from ffmpeg, its disk or its decoding');
    expect(reasonOf(new Map([[100, Disk]]))).toBe('1 picture came late from the disk');
    const twelve = new Map(range(100, 111).map((slot) => [slot, Disk]));
    expect(reasonOf(twelve, { rateMBps: 31.2, neededMBps: 409.6, reads: 'direct' })).toBe(
      '12 pictures came late from the disk (31 MB/s of 410 MB/s needed, past the page cache)',
    );
    expect(reasonOf(twelve, { rateMBps: 0.1149, neededMBps: 9.96, reads: 'cached' })).toContain(
      '(0.11 MB/s of 10 MB/s needed, through the page cache)',
    );
    expect(reasonOf(twelve, { rateMBps: null, neededMBps: 409.6, reads: 'direct' })).not.toContain('MB/s');
    const mixed = new Map([
      [100, Disk],
      [101, Decode],
      [102, Decode],
      [103, Damaged],
    ]);
    expect(judged({ late: mixed }).verdict).toBe('WARN');
    expect(judged({ late: mixed }).reason).toBe(
      '1 picture came late from the disk, 2 pictures came late, decoding took too long, ' +
        '1 picture could not be read or decoded, the movie is damaged',
    );
  });
});

describe('whose fault', () => {
  test('a blocked send call is the sender’s: red row', () => {
    const judgement = judged({ missed: [100, 101], cause: MissCause.SendBlocked });
    expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
    expect(judgement.reason).toBe(
      'the sender missed 2 frames while the transport’s send call had not returned (sdk-send-blocked) ' +
        '(rule: the sender misses no frame; from 00:00:02.666 to 00:00:02.700 UTC)',
    );
  });

  test('an injected miss is the sender’s, and is said to be injected', () => {
    const play = { missed: [100], cause: MissCause.Injected };
    const judgement = judged(play, { injected: { ...noneInjected, missed: 1 } });
    expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
    expect(judgement.reason).toContain('the sender missed 1 frame: injected on purpose');
  });

  test('a miss that a remote sender says it injected is the sender’s, and is said to be reported', () => {
    const judgement = judged({ missed: [100], cause: MissCause.Injected });
    expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
    expect(judgement.reason).toContain(
      'the sender missed 1 frame: the sender reports an injected fault (rule',
    );
  });

  describe('V16: each cause with its own frames', () => {
    /** Slots 0 to 719 in three parts, so that each has misses of its own cause. */
    const missedOf = (parts: [missed: number[], cause: number][], injected = noneInjected): string => {
      const stream = new TestStream();
      const counter = stream.open(60, 659);
      const all = parts.flatMap(([missed]) => missed);
      for (const [index, [missed, cause]] of parts.entries())
        stream.send(index * 200, index === parts.length - 1 ? 719 : index * 200 + 199, { missed, cause });
      stream.receive(0, 719, all);
      const counts = stream.ledger.close(counter, 659);
      return wordsOf(judgedBy(counts, { ...idle, sender: endLoad(96), injected }).reason);
    };

    test('injected, held up by the SDK, and late ourselves', () => {
      const { Injected, SendBlocked, SenderLate } = MissCause;
      const fiveAndFour: [number[], number][] = [
        [range(100, 104), Injected],
        [range(300, 303), SendBlocked],
      ];
      expect(missedOf(fiveAndFour)).toContain(
        '9 frames: 5 where the sender reports an injected fault, 4 while the transport’s send call had not returned',
      );
      expect(missedOf(fiveAndFour, { ...noneInjected, missed: 5 })).toMatch(
        /^the sender missed 9 frames: 5 injected on purpose, 4 while the transport’s send call had not returned \(sdk-send-blocked\) \(rule/,
      );
      expect(
        missedOf(
          [
            [[100], Injected],
            [[300, 301], SendBlocked],
            [[500], SenderLate],
          ],
          { ...noneInjected, missed: 1 },
        ),
      ).toContain(
        '4 frames: 1 injected on purpose, 2 while the transport’s send call had not returned (sdk-send-blocked), ' +
          '1 while the CPU of the sender’s machine was at 96 %',
      );
    });

    test('misses behind a call that was held back on purpose are injected', () => {
      const held = { ...noneInjected, held: 3 };
      expect(missedOf([[range(100, 102), MissCause.SendBlocked]], held)).toContain(
        'the sender missed 3 frames: injected on purpose (rule',
      );
      expect(missedOf([[range(100, 104), MissCause.SendBlocked]], held)).toContain(
        '3 injected on purpose, 2 while the transport’s send call had not returned',
      );
    });

    test('of lost frames, how many were injected', () => {
      const { reason } = judged({ lost: range(100, 108) }, { injected: { ...noneInjected, lost: 5 } });
      expect(reason).toMatch(
        /^9 of 600 frames were dropped in transport, 5 of them injected on purpose \(rule/,
      );
    });

    test('a run of an earlier version has one cause for all', () => {
      const data = { frames: 9, cause: 'sdk-send-blocked', loadPercent: 20, othersPercent: 0 };
      const told = (cause: string) => wordsOf([{ code: 'frames-missed', data: { ...data, cause } }]);
      expect(told('sdk-send-blocked')).toMatch(/ while the transport’s send call had not returned/);
      expect(told('injected')).toMatch(/: injected on purpose$/);
      expect(told('source')).toMatch(/while its disk or its decoding was late$/);
      expect(told('load')).toMatch(/ while the CPU of the sender’s machine was at 20 %$/);
    });
  });

  test.each([MissCause.SourceSkipped, MissCause.SenderLate])(
    'our own pacing (cause %i) is the sender’s at 90 %% load, otherwise INVALID',
    (cause) => {
      const full = judged({ missed: [100], cause }, { sender: endLoad(90) });
      expect(full).toMatchObject({ verdict: 'FAIL', senderMissed: true });
      expect(full.reason).toContain('the sender’s machine was at 90 %');
      for (const percent of [89.9, null]) {
        const judgement = judged({ missed: [100], cause }, { sender: endLoad(percent) });
        expect(judgement).toMatchObject({ verdict: 'INVALID', senderMissed: false });
        expect(judgement.reason).toContain('our own pacing was late while');
      }
    },
  );

  test('a miss on a machine that is full of other work names that work', () => {
    const late = { missed: [100], cause: MissCause.SenderLate };
    const { verdict, reason } = judged(late, { sender: endLoad(100, 62) });
    expect(verdict).toBe('INVALID');
    expect(reason).toBe(
      'the sender missed 1 frame while the CPU of the sender’s machine was at 100 %, not judged: ' +
        'other programs took 62.0 % of the CPU (limit 25 %)',
    );
    const own = judged(late, { sender: endLoad(100, 24) });
    expect(own).toMatchObject({
      verdict: 'FAIL',
      reason: expect.stringMatching(/the sender’s machine was at 100 % \(/),
    });
  });

  test.each([LateCause.Disk, LateCause.Decode, LateCause.Command])(
    'our own pacing is the sender’s where its disk or decoding was late (cause %i)',
    (cause) => {
      const play = { missed: [100], cause: MissCause.SenderLate, late: new Map([[101, cause]]) };
      const judgement = judged(play);
      expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
      expect(judgement.reason).toContain('the sender missed 1 frame while its disk or its decoding was late');
      const full = judged(play, { sender: endLoad(95) });
      expect(full.reason).toContain('the sender’s machine was at 95 %');
    },
  );

  test.each([
    { late: 160, explains: true },
    { late: 161, explains: false },
    { late: 500, explains: false },
  ])('a picture that was late at slot $late explains a miss at slot 100: $explains', ({ late, explains }) => {
    const play = {
      ...{ missed: [100], cause: MissCause.SenderLate },
      late: new Map([[late, LateCause.Disk]]),
    };
    const judgement = judged(play);
    expect(judgement).toMatchObject({ verdict: explains ? 'FAIL' : 'INVALID', senderMissed: explains });
    if (!explains) expect(judgement.reason).toContain('our own pacing was late while');
  });

  test('of two misses one beside a late picture, one without any reason: INVALID, for the second', () => {
    const late = new Map([[101, LateCause.Disk]]);
    const judgement = judged({ missed: [100, 400], cause: MissCause.SenderLate, late });
    expect(judgement).toMatchObject({ verdict: 'INVALID', senderMissed: true });
    expect(judgement.reason).toContain('our own pacing was late for 1 frame');
  });

  test('a damaged picture explains no miss', () => {
    const late = new Map([[101, LateCause.Damaged]]);
    expect(judged({ missed: [100], cause: MissCause.SenderLate, late }).verdict).toBe('INVALID');
  });

  const stop = (who: Who, seconds: number) => {
    const guards = [standstillGuard({ who, stoppedSeconds: seconds, seconds }, defaultThresholds)];
    return { guards, stopCost: stopCostOf(guards, { name: 'Cam 1', framesPerSecond: 60 }) };
  };

  test('what was lost is named first, then a process that was stopped, once', () => {
    const missed = { missed: range(100, 129), cause: MissCause.SenderLate };
    for (const [who, words] of [
      [{ role: 'sending' }, 'our sending process'],
      [{ sender: 'Cam 1' }, 'the sending process of Cam 1'],
    ] satisfies [Who, string][]) {
      expect(judged(missed, stop(who, 0.5))).toMatchObject({
        verdict: 'INVALID',
        reason: `the sender missed 30 frames, not judged: ${words} was stopped for 0.5 s (limit 0.25 s)`,
      });
    }
    expect(
      judged({ lost: range(100, 129), transportDropped: 30 }, stop({ role: 'receiving' }, 0.5)),
    ).toMatchObject({
      verdict: 'INVALID',
      reason:
        'stood still once, longest gap 517 ms; 30 of 600 frames were dropped in the receiver’s queue, not judged: ' +
        'our receiving process was stopped for 0.5 s (limit 0.25 s)',
    });
  });

  test('a stop that is too short, or of another process, explains no frame that our pacing missed', () => {
    const missed = { missed: range(100, 129), cause: MissCause.SenderLate };
    for (const other of [
      stop({ role: 'sending' }, 0.3),
      stop({ role: 'receiving' }, 0.5),
      stop({ sender: 'Cam 2' }, 0.5),
    ])
      expect(judged(missed, other).reason).toMatch(
        /, not judged: .+ was stopped .+; our own pacing was late while /,
      );
  });

  test('loss in the receiver’s queue is a result at 90 % load, otherwise INVALID', () => {
    const lost = { lost: [100, 101], transportDropped: 2 };
    expect(judged(lost, { receiver: endLoad(95) })).toMatchObject({
      verdict: 'FAIL',
      reason: expect.stringMatching(
        /^2 of 600 frames were dropped in the receiver’s queue \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
      ),
    });
    const judgement = judged(lost);
    expect(judgement.verdict).toBe('INVALID');
    expect(judgement.reason).toMatch(
      /^2 of 600 frames were dropped in the receiver’s queue, not judged: we fetched too late, or pictures arrived all at once, while /,
    );
  });

  test('where the queue is not counted a loss may be our own: INVALID, but at 90 % load and where nothing is lost', () => {
    const lost = { lost: [100, 101], isQueueCounted: false };
    expect(judged(lost, { receiver: endLoad(95) })).toMatchObject({
      verdict: 'FAIL',
      reason: expect.stringMatching(
        /^2 of 600 frames were dropped in transport or in the receiver’s queue \(rule: /,
      ),
    });
    const judgement = judged(lost);
    expect(judgement.verdict).toBe('INVALID');
    expect(judgement.reason).toMatch(
      /^2 of 600 frames were dropped in transport or in the receiver’s queue, not judged: whether we fetched in time could not be checked: the transport does not report what its receiver’s queue dropped$/,
    );
    expect(judged({ isQueueCounted: false }).verdict).toBe('PASS');
    expect(judged({ missed: [100], cause: MissCause.SendBlocked, isQueueCounted: false }).verdict).toBe(
      'FAIL',
    );
  });

  const stoodStill = { guards: [violatedByLoad(sentence('the clock stood still'))] };

  test('a machine elsewhere that its own streams fill excuses nothing of this one', () => {
    const full = { ...endLoad(95, 5), isElsewhere: true };
    const judgement = judged({ lost: range(100, 200) }, { ...stoodStill, sender: full });
    expect(judgement).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(
        /^stood still once, .+; 101 of 600 frames were dropped in transport, not judged: the clock stood still$/,
      ),
    });
  });

  test('other programs beside one of several troubles make the row INVALID, also where the worst was calm', () => {
    const lost = { lost: [100, 101] };
    expect(judged(lost, { eachTrouble: [endLoad(30, 3)] }).verdict).toBe('FAIL');
    expect(judged(lost, { eachTrouble: [endLoad(30, 3), endLoad(99, 90)] })).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(
        /^2 of 600 frames were dropped in transport, not judged: other programs took 90\.0 % of the CPU/,
      ),
    });
  });

  test('a ring that overflowed voids the counts, however full our own streams made the machine', () => {
    const overflowed = { guards: [violatedBy(sentence('a ring overflowed'))] };
    const full = { sender: endLoad(95, 5), receiver: endLoad(95, 5) };
    expect(judged({ lost: range(100, 200) }, { ...overflowed, ...full })).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(/^stood still once, .+, not judged: a ring overflowed$/),
    });
    expect(judged({}, { ...overflowed, ...full }).verdict).toBe('PASS');
  });

  test('a loss while the machine stood still is INVALID, unless our own streams filled it', () => {
    const lost = { lost: range(100, 200) };
    const judgement = judged(lost, stoodStill);
    expect(judgement).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(/^stood still once, .+, not judged: the clock stood still$/),
    });
    const own = judged(lost, { ...stoodStill, sender: endLoad(95, 5), receiver: endLoad(95, 5) });
    expect(own).toMatchObject({ verdict: 'FAIL', reason: expect.stringMatching(/the clock stood still$/) });
    const others = judged(lost, { ...stoodStill, sender: endLoad(95, 30), receiver: endLoad(95, 30) });
    expect(others.verdict).toBe('INVALID');
    const unknown = judged(lost, { ...stoodStill, sender: endLoad(95, null), receiver: endLoad(95, null) });
    expect(unknown.verdict).toBe('INVALID');
  });

  test('a movie whose disk was late explains frames that its sender missed, and no others', () => {
    const late = new Map([[101, LateCause.Disk]]);
    const missed = { missed: [100], cause: MissCause.SenderLate, late };
    expect(judged(missed, stoodStill).verdict).toBe('FAIL');
    expect(judged({ ...missed, lost: [300] }, stoodStill).verdict).toBe('INVALID');
  });

  test('all frames came: PASS, whatever disturbed the instrument, which is named', () => {
    expect(judged({}, stoodStill)).toMatchObject({
      verdict: 'PASS',
      reason: 'no frame lost; the clock stood still',
    });
  });

  test('a damaged movie is no pass, also where nothing was lost', () => {
    const late = new Map([[101, LateCause.Damaged]]);
    expect(judged({ late })).toMatchObject({
      verdict: 'WARN',
      reason: '1 picture could not be read or decoded, the movie is damaged',
    });
  });

  test('figures that contradict each other are INVALID, whatever else there is', () => {
    const contradictions = sentence('the movie failed');
    expect(judged({ lost: range(100, 200) }, { contradictions }).verdict).toBe('INVALID');
    expect(judged({}, { contradictions })).toMatchObject({ verdict: 'INVALID', reason: 'the movie failed' });
  });

  test('where a part was not counted no loss is proved, and none is no PASS', () => {
    const uncounted = [reasonOf('cuts-unclear', { cuts: 2 })];
    const words = 'pictures around 2 cuts of the mixer arrived too irregularly to count the missing frames';
    expect(judged({}, { uncounted })).toMatchObject({ verdict: 'INVALID', reason: words });
    expect(judged({ lost: range(100, 200) }, { uncounted })).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(`101 of 600 frames were dropped in transport, not judged: ${words}$`),
    });
  });

  test('V27: frames of a remote sender of which nothing arrived did not arrive; without its records alone, INVALID', () => {
    const stream = new TestStream();
    const counter = stream.open(0, 79);
    for (const [first, last] of [
      [0, 39],
      [60, 79],
    ] as const) {
      stream.send(first, last);
      stream.receive(first, last);
    }
    const counts = stream.close(counter, 79);
    expect(counts).toMatchObject({ unrecorded: 20, unreported: 20 });
    expect(inWords(judgedBy(counts, idle)).verdict).toBe('INVALID');
    expect(inWords(judgedBy(counts, { ...idle, unreportedFrames: 12 })).verdict).toBe('INVALID');
    expect(inWords(judgedBy(counts, { ...idle, unreportedFrames: 20 }))).toMatchObject({
      verdict: 'FAIL',
      reason:
        '20 frames did not arrive, nor did the sender’s records of them (rule: at most 1 frame lost in any 2 s; ' +
        'the worst time was from 00:00:01.666 to 00:00:02.000 UTC)',
    });
  });

  test.each([
    { unreported: [[100, 100]], lost: [], verdict: 'WARN' },
    { unreported: [[100, 101]], lost: [], verdict: 'FAIL' },
    // One each time, farther apart than the window of the verdict.
    {
      unreported: [
        [100, 100],
        [300, 300],
        [500, 500],
      ],
      lost: [],
      verdict: 'WARN',
    },
    // With a frame that was lost in the same two seconds there are two.
    { unreported: [[100, 100]], lost: [150], verdict: 'FAIL' },
    { unreported: [[100, 100]], lost: [300], verdict: 'WARN' },
  ])('unreported $unreported beside lost $lost: $verdict, by the window of the verdict', (play) => {
    const stream = new TestStream();
    const counter = stream.open(60, 659);
    let first = 0;
    for (const [from = 0, to = 0] of [...play.unreported, [720, 720]]) {
      stream.send(first, from - 1);
      stream.receive(first, from - 1, play.lost);
      first = to + 1;
    }
    const counts = stream.close(counter, 659);
    const unreportedFrames = counts.unreported;
    expect(judgedBy(counts, { ...idle, unreportedFrames }).verdict).toBe(play.verdict);
  });

  test('sums that do not hold are INVALID', () => {
    const stream = new TestStream();
    const counter = stream.open(0, 59);
    stream.send(0, 59);
    stream.receive(0, 59);
    const counts = { ...stream.close(counter, 59), conserved: false };
    expect(inWords(judgedBy(counts, idle))).toMatchObject({
      verdict: 'INVALID',
      reason: 'the counts of the stages do not add up',
    });
  });
});

test('the verdict of a row is that of its worst stream, and a miss in any stream makes it red', () => {
  const pass = judgementOf({});
  const warn = judgementOf({ lost: [100] });
  const red = judgementOf({ missed: [100], cause: MissCause.SendBlocked });
  const invalid = judgementOf({}, { contradictions: sentence('x') });
  expect(worstOf([pass, warn], [])).toEqual(warn);
  expect(worstOf([warn, pass, red], [])).toEqual(red);
  expect(worstOf([red, invalid], [])).toEqual(red);
  expect(worstOf([warn, invalid], [])).toEqual(invalid);
  expect(worstOf([], [])).toEqual(pass);
  const late = judgementOf({ late: [100] });
  expect(worstOf([pass, late, pass], [])).toEqual(late);
  expect(worstOf([late, warn], [])).toEqual(warn);
});

test('of streams with one verdict it is the one that lost most, of equal ones the first', () => {
  const [few, many] = [judgementOf({ lost: [100, 101] }), judgementOf({ lost: [100, 101, 102] })];
  expect(worstOf([few, many], [2, 3])).toEqual(many);
  expect(worstOf([many, few], [3, 2])).toEqual(many);
  expect(worstOf([few, many], [3, 3])).toEqual(few);
  const warn = judgementOf({ lost: [100] });
  expect(worstOf([few, warn], [2, 9])).toEqual(few);
});
