import { expect, test } from 'vitest';
import type { GapHistogram } from '../../../facts/distribution';
import { spoiltWords, wordsOf } from '../../../facts/reason-words';
import { spoiltFigureOf, spoiltKinds } from '../../../facts/spoilt';
import { type FaultVerb, faultVerbs } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { testSourceId } from '../../../testing/columns';
import { endLoad } from '../../../testing/end-load';
import { Random, seeds } from '../../../testing/random';
import { type Injected, SimulatedPath } from '../../../testing/simulated-path';
import { figures, frameNs, TestStream, testRate } from '../../../testing/test-stream';
import {
  checkFaults,
  expectedFrames,
  isSpoiling,
  kindOfVerb,
  leastMissed,
  lostRange,
} from '../../faults/expected-counts';
import { codedEvidence, judgeStream } from '../rows/judgement';
import type { RangeCounts } from './range-counts';

const millionFrames = 1_000_000;

type Losses = ReturnType<SimulatedPath['takeLosses']>;

interface Counted {
  sums: Record<string, number>;
  conserved: boolean;
  injected: Injected;
  played: number;
  path: SimulatedPath;
}

/** Plays rows, one after the other, checks each one's losses, and sums up what they say. */
function counted(
  stream: TestStream,
  random: Random,
  frames: number,
  rows: number,
  checkRow: (counts: RangeCounts, losses: Losses) => void,
): Counted {
  const first = stream.ledger.identity.firstSlot;
  const path = new SimulatedPath(stream, random, first);
  const sums: Record<string, number> = {};
  let conserved = true;
  let start = first;
  let counter = stream.open(start);
  for (let row = 1; row <= rows; row++) {
    path.play(Math.ceil(frames / rows));
    const last = path.next - 1;
    const counts = stream.ledger.close(counter, last);
    conserved &&= counts.conserved;
    checkRow(counts, path.takeLosses());
    const reported: Record<string, unknown> = { ...figures(counts), wrongSource: counts.wrongSource };
    for (const [key, value] of Object.entries(reported))
      if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
    start = last + 1;
    counter = stream.open(start);
  }
  return { sums, conserved, injected: path.injected, played: path.next - first, path };
}

function expected({ spoilt, ...injected }: Injected, played: number) {
  const submitted = played - injected.missed;
  const received = submitted - injected.dropped;
  return {
    ...injected,
    ...spoilt,
    ...{ scheduled: played, submitted, received },
    captured: received + injected.duplicated + injected.unmatched,
  };
}

/** Gaps and the worst second counted again from the numbers that the path says are lost. */
function checkLosses(counts: RangeCounts, { absent, lost }: Losses): void {
  expect(counts.tally.lost.gapHistogram).toEqual(histogramOf(absent));
  const perSecond = testRate.numerator;
  let worst = 0;
  let from = 0;
  for (const [index, slot] of lost.entries()) {
    while (slot - (lost[from] ?? slot) >= perSecond) from += 1;
    worst = Math.max(worst, index - from + 1);
  }
  expect(counts.tally.worstSecondLost).toBe(worst);
}

function histogramOf(absent: number[]): GapHistogram {
  const gaps = { of1: 0, of2: 0, of3to5: 0, of6to10: 0, of11to30: 0, over30: 0 };
  const limits = [1, 2, 5, 10, 30, Number.POSITIVE_INFINITY];
  const names = Object.keys(gaps) as (keyof GapHistogram)[];
  let length = 0;
  for (const [index, slot] of absent.entries()) {
    length += 1;
    if (absent[index + 1] === slot + 1) continue;
    const name = names[limits.findIndex((limit) => length <= limit)];
    if (name) gaps[name] += 1;
    length = 0;
  }
  return gaps;
}

test.each(seeds)('a million frames of random faults count exactly what was put in (seed %i)', (seed) => {
  const random = new Random(seed);
  const stream = new TestStream({ firstSlot: random.whole(0, 1000) });
  const { sums, conserved, injected, played } = counted(stream, random, millionFrames, 20, checkLosses);
  expect(played).toBeGreaterThanOrEqual(millionFrames);
  const { spoilt, ...others } = injected;
  for (const [figure, frames] of Object.entries({ ...others, ...spoilt }))
    expect(frames, figure).toBeGreaterThan(500);
  expect(sums).toEqual(expected(injected, played));
  expect(conserved).toBe(true);
});

test.each(seeds)('many short rows, across the wrap of the frame number (seed %i)', (seed) => {
  const stream = new TestStream({ firstSlot: 2 ** 32 - 40_000 });
  const checkRow = (counts: RangeCounts, losses: Losses): void => {
    checkLosses(counts, losses);
    const { missed, dropped, matched, lost } = counts.tally;
    const framesOf = (stage: string): number =>
      lost.listed.filter((run) => run.stage === stage).reduce((sum, run) => sum + run.frames, 0);
    expect(framesOf('sender')).toBe(missed);
    expect(framesOf('dropped')).toBe(dropped);
    expect(framesOf('undecodable')).toBe(matched);
    // What the captures count and what the marks of the slots say are two counts.
    for (const kind of spoiltKinds) expect(framesOf(kind)).toBe(counts.spoilt[kind]);
    expect(counts.tally.lostFrames).toBe(losses.lost.length);
  };
  const { sums, conserved, injected, played } = counted(stream, new Random(seed), 80_000, 400, checkRow);
  expect(sums).toEqual(expected(injected, played));
  expect(conserved).toBe(true);
});

test.each(seeds)('what is predicted of each verb is what is counted (seed %i)', (seed) => {
  const stream = new TestStream();
  const path = new SimulatedPath(stream, new Random(seed), 0, faultVerbs);
  const counter = stream.open(0);
  path.play(100_000);
  checkFaults(path.faults, testRate, path.next);
  const counts = stream.ledger.close(counter, path.next - 1);
  const { frames, stalls, derived } = expectedFrames(path.faults, testRate);
  const { absent } = path.takeLosses();
  /** From the numbers that never came, as a receiver's own log has them. */
  const derivedFrom = (verb: FaultVerb): number => {
    const ranges = derived.filter((fault) => fault.verb === verb).map((fault) => lostRange(fault, testRate));
    return absent.filter((slot) => ranges.some(({ first, last }) => slot >= first && slot <= last)).length;
  };
  expect(derivedFrom('delay')).toBeGreaterThanOrEqual(
    derived.reduce((sum, fault) => sum + leastMissed(fault, testRate), 0),
  );
  expect(figures(counts)).toMatchObject({
    missed: frames.framesSenderMissed.length + derivedFrom('delay'),
    dropped: frames.framesDropped.length + derivedFrom('stall'),
    queue: derivedFrom('stall'),
    duplicated: frames.framesDuplicated.length,
    reordered: frames.framesReordered.length,
    ...Object.fromEntries(spoiltKinds.map((kind) => [kind, frames[spoiltFigureOf[kind]].length])),
    matched: frames.framesUndecodable.length,
    unmatched: 0,
    stalls,
    conserved: true,
  });
});

test.each(faultVerbs)(
  'a path on which only %s happens does not pass, unless each frame came once and whole',
  (verb) => {
    const stream = new TestStream();
    const path = new SimulatedPath(stream, new Random(3), 0, [verb]);
    const counter = stream.open(0);
    path.play(600);
    const counts = stream.ledger.close(counter, path.next - 1);
    const circumstances = {
      ...{
        sender: endLoad(95),
        receiver: endLoad(95),
        guards: [],
        contradictions: [],
        wallOffsetUs: 0,
      },
      lateDisk: { rateMBps: null, neededMBps: null, reads: null },
    };
    const evidence = codedEvidence(counts, defaultThresholds, circumstances);
    const { verdict, reason } = judgeStream(evidence, circumstances, defaultThresholds);
    const isWhole = verb === 'repeat' || verb === 'swap';
    expect(verdict).toBe(isWhole ? 'PASS' : 'FAIL');
    expect(wordsOf(reason)).toContain(isSpoiling(verb) ? spoiltWords[kindOfVerb[verb]] : '');
  },
);

test('a sender that is started again is a new stream: nothing of it is a reorder', () => {
  const random = new Random(7);
  const restartedId = testSourceId + 1;
  const old = new TestStream();
  const before = counted(old, random, 20_000, 1, checkLosses);
  const restarted = new TestStream({ sourceId: restartedId });
  const counter = old.open(before.path.next);
  const after = counted(restarted, random, 20_000, 1, checkLosses);
  expect(after.sums).toEqual(expected(after.injected, after.played));
  // What comes of the new source while the old one is still followed is reported as another source's, and nothing else.
  for (let slot = 0; slot < 100; slot++)
    old.capture(slot, { sourceId: restartedId, captureNs: frameNs(before.path.next + slot) });
  const last = before.path.next + 99;
  const counts = old.ledger.close(counter, last);
  expect(counts).toMatchObject({ wrongSource: 100, reordered: 0, duplicated: 0, received: 0, captured: 0 });
});
