import type { Loss } from '../../facts/loss';
import { knownLostFramesOf } from '../../facts/lost-frames';
import type { Row, Subject } from '../../facts/row';
import { isOfStreams, numberOf } from '../../facts/row-figures';
import type { LoadSample } from '../../protocol/load';
import { liveLossDelaySeconds } from '../../protocol/thresholds';

/** As a sample tells the load of the second before it. */
const secondMs = 1000;
/** The sample that is looked for may have been taken so much later. */
const latestMs = 500;
/** Times of rows are recorded in whole ms. */
const roundingMs = 1;
/** A loss of more slots is drawn by so many points. */
const mostPoints = 1000;

interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * Frames lost or not sent in the second before each sample, by when they were due. A row knows that of each of its losses; where it
 * does not list them all, and between rows, the sample says it that was taken when they were counted. Null: not measured.
 * @param between losses that no row has
 */
export function lostOverTime(
  samples: readonly LoadSample[],
  rows: readonly Row[],
  between: readonly Loss[] = [],
): (number | null)[] {
  const known = rows.filter(isExplained);
  const spans = joined(known.map((row) => spanOf(row.from, row.to)));
  const outages = known.flatMap((row) =>
    row.subjects.flatMap((stream) =>
      (stream.outages ?? []).map((outage) => spanOf(outage.startedAt, outage.endedAt ?? row.to)),
    ),
  );
  const times = samples.map(({ wallMs }) => wallMs);
  const frames = times.map(() => 0);
  const ofRows = known.flatMap(({ subjects }) => subjects.flatMap(({ losses = [] }) => losses));
  for (const loss of [...ofRows, ...between])
    for (const { atMs, share } of pointsOf(loss))
      for (
        let index = firstFrom(times, atMs);
        (times[index] ?? Number.POSITIVE_INFINITY) < atMs + secondMs;
        index++
      )
        frames[index] = (frames[index] ?? 0) + share;
  return times.map((toMs, index) => {
    const second = { fromMs: toMs - secondMs, toMs };
    const listed = frames[index] ?? 0;
    const isKnown = spans.some(({ fromMs, toMs: endMs }) => fromMs <= second.fromMs && toMs <= endMs);
    if (isKnown && !outages.some((outage) => touches(outage, second))) return listed;
    const counted = isKnown ? null : countedLater(samples, times, toMs);
    // What was counted has the losses that a row lists of its part of the second, but not what the sender did not send.
    return listed > 0 ? Math.max(listed, counted ?? 0) : counted;
  });
}

/** Spans of which the next one begins where one ends are one. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.fromMs - other.fromMs)) {
    const before = whole.at(-1);
    if (before && span.fromMs <= before.toMs + roundingMs) before.toMs = Math.max(before.toMs, span.toMs);
    else whole.push({ ...span });
  }
  return whole;
}

/** Its losses are all that it counted. */
function isExplained(row: Row): boolean {
  return isOfStreams(row) && row.to !== null && row.subjects.length > 0 && row.subjects.every(isListed);
}

function isListed(stream: Subject): boolean {
  const [lost, missed] = [knownLostFramesOf(stream), numberOf(stream, 'framesSenderMissed')];
  if ((lost === null && missed === null) || !stream.losses) return false;
  const counted = (lost ?? 0) + (missed ?? 0);
  return stream.losses.reduce((sum, { frames }) => sum + frames, 0) === counted;
}

/** When each of its slots was due, and how much of its frames each stands for. */
function pointsOf({
  startedAt,
  endedAt,
  firstFrame,
  lastFrame,
  frames,
}: Loss): { atMs: number; share: number }[] {
  const { fromMs, toMs } = spanOf(startedAt, endedAt);
  const count = Math.min(mostPoints, lastFrame + 1 - firstFrame);
  return Array.from({ length: count }, (_, index) => ({
    atMs: fromMs + ((toMs - fromMs) * index) / count,
    share: frames / count,
  }));
}

/** Losses of a second are in the sample that is taken a second behind it. */
function countedLater(samples: readonly LoadSample[], times: readonly number[], toMs: number): number | null {
  const atMs = toMs + 1000 * liveLossDelaySeconds;
  const index = firstFrom(times, atMs - latestMs / 2);
  const sample = samples[index];
  return sample !== undefined && sample.wallMs <= atMs + latestMs ? sample.lostPerSecond : null;
}

function firstFrom(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function spanOf(from: string, to: string | null): Span {
  return { fromMs: Date.parse(from), toMs: Date.parse(to ?? from) };
}

function touches(one: Span, other: Span): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs;
}
