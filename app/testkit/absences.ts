import { stagesOfTheWay } from '../facts/loss';
import { numberOf } from '../facts/row-figures';
import { stallSeconds } from '../protocol/thresholds';
import type { Loss, Measurement, Outage, Row } from './types';

/** Times without pictures, each one whole: rows end where a test asks, and what a row says of an absence ends there too. */

/** Since the mark. */
export interface Absence {
  startedMs: number;
  endedMs: number;
  /** When it began, perhaps before the mark. */
  begunMs: number;
  /** Each row that it reaches counts a stall where all of it so far is one. */
  isOutage: boolean;
  /** Frames that were counted as lost in it, and those that its rows estimated. */
  counted: number;
  estimated: number;
}

/** Stages at which a frame is lost whose picture never came. */
const neverCame: ReadonlySet<string> = new Set([...stagesOfTheWay, 'sender', 'receiver-queue']);
/** Times are whole milliseconds: what lies no further apart touches. Two absences with a picture between them lie further apart. */
const touchMs = 2;
/** So soon after an absence the frames that it cost are found absent. */
const foundWithinMs = 1000;

export function absencesOf(measured: Measurement): Absence[] {
  const { from, to, losses, outages } = measured;
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const lost = losses.filter((loss) => neverCame.has(loss.stage) && !isByNumbers(loss, measured));
  const parts = [...lost.map(ofLoss), ...ofOutages(outages, fromMs)]
    .map((part) => ({
      ...part,
      startedMs: Math.max(part.startedMs, fromMs),
      endedMs: Math.min(part.endedMs, toMs),
    }))
    .filter(({ startedMs, endedMs }) => endedMs >= startedMs)
    .sort((one, other) => one.startedMs - other.startedMs);
  const joined: Absence[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && part.startedMs <= last.endedMs + touchMs) joined.splice(-1, 1, together(last, part));
    else joined.push(part);
  }
  return joined;
}

/** Its frames were found absent when the next one came: they were due before it, and its times are none of theirs. */
function isByNumbers({ startedAt, endedAt, frames }: Loss, measured: Measurement): boolean {
  const slots = (Date.parse(endedAt) - Date.parse(startedAt)) / periodMsOf(measured);
  return frames > slots + 2;
}

/** The longest one, whole, and how much of it lies before the mark. */
export interface LongestAbsence {
  ms: number;
  beforeMarkMs: number;
}

/** Null: there was none. */
export function longestAbsence(measured: Measurement): LongestAbsence | null {
  // A silence that a sender may mean loses nothing.
  const silences = measured.silences.map(({ startedAt, endedAt }) => ({
    begunMs: Date.parse(startedAt),
    endedMs: Date.parse(endedAt),
  }));
  const fromMs = Date.parse(measured.from);
  const [longest] = [...absencesOf(measured), ...silences]
    .map(({ begunMs, endedMs }) => ({
      ms: endedMs - begunMs,
      beforeMarkMs: Math.max(0, fromMs - begunMs),
    }))
    .sort((one, other) => other.ms - one.ms);
  return longest ?? null;
}

/** A gap of so long is a stall. */
export function stallMsOf(measured: Measurement): number {
  return 1000 * stallSeconds(1000 / periodMsOf(measured));
}

/** Stalls that rows counted beyond the first of one absence. */
export function stallsCountedAgain(measured: Measurement): number {
  const stallMs = stallMsOf(measured);
  const again = absencesOf(measured).map((absence) => {
    const long = measured.rows.filter(
      (row) => (numberOf(row, 'stalls') ?? 0) > 0 && stoodMs(row, absence) >= stallMs,
    );
    return Math.max(0, long.length - 1);
  });
  return again.reduce((sum, count) => sum + count, 0);
}

/**
 * Frames that rows estimated, and that a later one counted by their numbers: together they would be more than were due. The larger of both
 * is what was lost.
 */
export function framesCountedAgain(measured: Measurement): number {
  const periodMs = periodMsOf(measured);
  const byNumbers = measured.losses.filter(
    (loss) => neverCame.has(loss.stage) && isByNumbers(loss, measured),
  );
  const again = absencesOf(measured).map(({ startedMs, endedMs, counted, estimated }) => {
    const due = (endedMs - startedMs) / periodMs;
    const found = byNumbers.filter(({ startedAt }) => {
      const afterMs = Date.parse(startedAt) - endedMs;
      return estimated > 0 && afterMs > startedMs - endedMs && afterMs < foundWithinMs;
    });
    const all = counted + found.reduce((sum, loss) => sum + loss.frames, 0);
    return all + estimated > due + 1 ? Math.min(all, estimated) : 0;
  });
  return again.reduce((sum, frames) => sum + frames, 0);
}

/** As long as a row counts it: its part of it, or of an outage all until the row's end. */
function stoodMs({ from, to }: Row, { startedMs, endedMs, begunMs, isOutage }: Absence): number {
  const untilMs = Math.min(to === null ? endedMs : Date.parse(to), endedMs);
  const partMs = untilMs - Math.max(Date.parse(from), startedMs);
  return isOutage && partMs > 0 ? untilMs - begunMs : partMs;
}

/** The usual distance of its pictures; 0: not known, and then any number of frames may have been due. */
function periodMsOf({ rows }: Measurement): number {
  return rows.flatMap((row) => numberOf(row, 'receiveIntervalMs.p50') ?? [])[0] ?? 0;
}

function ofLoss({ startedAt, endedAt, frames }: Loss): Absence {
  const span = { startedMs: Date.parse(startedAt), endedMs: Date.parse(endedAt) };
  return { ...span, begunMs: span.startedMs, isOutage: false, counted: frames, estimated: 0 };
}

/** Rows tell of one that goes on from row to row by its beginning; how long it was in each adds up. */
function ofOutages(outages: readonly Outage[], fromMs: number): Absence[] {
  return [...new Set(outages.map(({ startedAt }) => startedAt))].map((begun) => {
    const parts = outages.filter(({ startedAt }) => startedAt === begun);
    const startedMs = Math.max(Date.parse(begun), fromMs);
    const end = parts.flatMap(({ endedAt }) => endedAt ?? []).at(-1);
    const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
    return {
      ...{ startedMs, endedMs: end === undefined ? startedMs + 1000 * seconds : Date.parse(end) },
      ...{ begunMs: Date.parse(begun), isOutage: true },
      counted: 0,
      estimated: parts.reduce((sum, { framesEstimated }) => sum + (framesEstimated ?? 0), 0),
    };
  });
}

function together(one: Absence, other: Absence): Absence {
  return {
    startedMs: one.startedMs,
    endedMs: Math.max(one.endedMs, other.endedMs),
    begunMs: Math.min(one.begunMs, other.begunMs),
    isOutage: one.isOutage || other.isOutage,
    counted: one.counted + other.counted,
    estimated: one.estimated + other.estimated,
  };
}
