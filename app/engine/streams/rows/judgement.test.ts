import { describe, expect, test } from 'vitest';
import { sentence } from '../../../protocol/fact';
import { wordsOf } from '../../../protocol/reason-words';
import { LateCause, MissCause, PictureStatus } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { type Late, range } from '../../../testing/columns';
import { TestStream, unknownClock } from '../../../testing/test-stream';
import { type Circumstances, type Judgement, judgeStream, worstOf } from './judgement';

const idle: Circumstances = {
  senderLoadPercent: 20,
  senderOthersPercent: 0,
  receiverLoadPercent: 20,
  instrumentFaults: [],
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
  sdkDropped?: number;
}

/** Verdict over slots 60 to 659 (10 s) of a stream with these faults. */
function judgementOf(play: Play, circumstances: Partial<Circumstances> = {}): Judgement {
  const { lost = [], missed = [], cause, late = [], blank = [], sdkDropped = 0 } = play;
  const { torn = [], damaged = [] } = play;
  const stream = new TestStream();
  const counter = stream.open(60, 659);
  stream.send(0, 719, { missed, cause, late });
  for (const slot of range(0, 719)) {
    if (blank.includes(slot)) stream.capture(slot, { status: PictureStatus.Undecodable });
    const status = statusOf(torn.includes(slot), damaged.includes(slot));
    if (lost.includes(slot)) stream.sdkDropped = sdkDropped;
    else if (!missed.includes(slot) && !blank.includes(slot)) stream.capture(slot, { status });
  }
  const counts = stream.close(counter, 659);
  return judgeStream(counts, defaultThresholds, { ...idle, ...circumstances });
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
      reason: '1 frame dropped in transport of 600',
    });
    expect(judged({ lost: [100, 220, 340] }).verdict).toBe('WARN');
    expect(judged({ blank: [100] })).toMatchObject({ verdict: 'WARN', reason: '1 frame undecodable of 600' });
  });

  test('two in the same two seconds are FAIL', () => {
    expect(judged({ lost: [100, 219] }).verdict).toBe('FAIL');
    expect(judged({ lost: [100], blank: [150] })).toMatchObject({
      verdict: 'FAIL',
      reason:
        '1 frame dropped in transport, 1 frame undecodable of 600 (rule: at most 1 frame lost in any 2 s; ' +
        'the worst time was from 00:00:02.666 to 00:00:03.516 UTC)',
    });
  });

  test('a frame that came torn or damaged is lost, by the same window', () => {
    expect(judged({ torn: [100] })).toMatchObject({ verdict: 'WARN', reason: '1 frame torn of 600' });
    expect(judged({ damaged: [100, 220] })).toMatchObject({
      verdict: 'WARN',
      reason: '2 frames damaged of 600',
    });
    expect(judged({ lost: [100], damaged: [150] })).toMatchObject({
      verdict: 'FAIL',
      reason:
        '1 frame dropped in transport, 1 frame damaged of 600 (rule: at most 1 frame lost in any 2 s; ' +
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
    const { verdict, reason } = inWords(judgeStream(counts, defaultThresholds, idle));
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /^276 frames torn of 300 \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
    );
  });

  test('a sender of which nearly every picture is torn fails, and the reason says how many', () => {
    const { verdict, reason } = judged({ torn: range(120, 659) });
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /^540 frames torn of 600 \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
    );
  });

  test('a stall is FAIL and says how long the gap was', () => {
    const { verdict, reason } = judged({ lost: range(200, 260) });
    expect(verdict).toBe('FAIL');
    expect(reason).toMatch(
      /stood still once, longest gap 1033 ms \(rule: no stall; the picture stood still from 00:00:04\.3\d\d to 00:00:05\.3\d\d UTC\)/,
    );
    expect(reason).toContain(
      '61 frames dropped in transport of 600 (rule: at most 1 frame lost in any 2 s; ' +
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
    expect(reasonOf(mixed)).toBe(
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
      'the sender missed 2 frames: the SDK’s send call had not returned (sdk-send-blocked) ' +
        '(rule: the sender misses no frame; the sender missed frames from 00:00:02.666 to 00:00:02.700 UTC)',
    );
  });

  test('an injected miss is the sender’s, and is said to be injected', () => {
    const judgement = judged({ missed: [100], cause: MissCause.Injected });
    expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
    expect(judgement.reason).toContain('the sender missed 1 frame: injected on purpose');
  });

  test.each([MissCause.SourceSkipped, MissCause.SenderLate])(
    'our own pacing (cause %i) is the sender’s at 90 %% load, otherwise INVALID',
    (cause) => {
      const full = judged({ missed: [100], cause }, { senderLoadPercent: 90 });
      expect(full).toMatchObject({ verdict: 'FAIL', senderMissed: true });
      expect(full.reason).toContain('the sender’s machine was at 90 %');
      for (const senderLoadPercent of [89.9, null]) {
        const judgement = judged({ missed: [100], cause }, { senderLoadPercent });
        expect(judgement).toMatchObject({ verdict: 'INVALID', senderMissed: false });
        expect(judgement.reason).toContain('our own pacing was late for 1 frame');
      }
    },
  );

  test('a miss on a machine that is full of other work names that work', () => {
    const full = { senderLoadPercent: 100, senderOthersPercent: 62 };
    const { reason } = judged({ missed: [100], cause: MissCause.SenderLate }, full);
    expect(reason).toContain('the sender’s machine was at 100 %, other programs took 62 % on average');
    const own = judged({ missed: [100], cause: MissCause.SenderLate }, { ...full, senderOthersPercent: 49 });
    expect(own.reason).toMatch(/the sender’s machine was at 100 % \(/);
  });

  test.each([LateCause.Disk, LateCause.Decode, LateCause.Command])(
    'our own pacing is the sender’s where its disk or decoding was late (cause %i)',
    (cause) => {
      const play = { missed: [100], cause: MissCause.SenderLate, late: new Map([[101, cause]]) };
      const judgement = judged(play);
      expect(judgement).toMatchObject({ verdict: 'FAIL', senderMissed: true });
      expect(judgement.reason).toContain('the sender missed 1 frame: its disk or its decoding was late');
      const full = judged(play, { senderLoadPercent: 95 });
      expect(full.reason).toContain('the sender’s machine was at 95 %');
    },
  );

  test('a damaged picture explains no miss', () => {
    const late = new Map([[101, LateCause.Damaged]]);
    expect(judged({ missed: [100], cause: MissCause.SenderLate, late }).verdict).toBe('INVALID');
  });

  test('loss in the receiver’s queue is a result at 90 % load, otherwise INVALID', () => {
    const lost = { lost: [100, 101], sdkDropped: 2 };
    expect(judged(lost, { receiverLoadPercent: 95 })).toMatchObject({
      verdict: 'FAIL',
      reason: expect.stringMatching(
        /^2 frames dropped in the receiver’s queue of 600 \(rule: at most 1 frame lost in any 2 s; the worst time was from /,
      ),
    });
    const judgement = judged(lost);
    expect(judgement.verdict).toBe('INVALID');
    expect(judgement.reason).toContain('we fetched 2 frames too late');
  });

  test('a fault of the instrument is INVALID, whatever else there is', () => {
    const judgement = judged(
      { lost: range(100, 200) },
      { instrumentFaults: sentence('the clock stood still') },
    );
    expect(judgement).toMatchObject({ verdict: 'INVALID', reason: 'the clock stood still' });
  });

  test('sums that do not hold are INVALID', () => {
    const stream = new TestStream();
    const counter = stream.open(0, 59);
    stream.send(0, 59);
    stream.receive(0, 59);
    const counts = { ...stream.close(counter, 59), conserved: false };
    expect(inWords(judgeStream(counts, defaultThresholds, idle))).toMatchObject({
      verdict: 'INVALID',
      reason: 'the sums of the stages do not agree',
    });
  });
});

test('the verdict of a row is that of its worst stream, and a miss in any stream makes it red', () => {
  const pass = judgementOf({});
  const warn = judgementOf({ lost: [100] });
  const red = judgementOf({ missed: [100], cause: MissCause.SendBlocked });
  const invalid = judgementOf({}, { instrumentFaults: sentence('x') });
  expect(worstOf([pass, warn])).toEqual(warn);
  expect(worstOf([warn, pass, red])).toEqual(red);
  expect(worstOf([red, invalid])).toEqual({ ...invalid, senderMissed: true });
  expect(worstOf([])).toEqual(pass);
  const late = judgementOf({ late: [100] });
  expect(worstOf([pass, late, pass])).toEqual(late);
  expect(worstOf([late, warn])).toEqual(warn);
});
