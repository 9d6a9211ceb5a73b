import { type LossContext, lossesOf } from '../engine/streams/losses/losses';
import { linksDown } from '../engine/streams/losses/proved';
import type { MeasuredStream } from '../engine/streams/rows/measured-stream';
import type { Loss } from '../facts/loss';
import { lossText } from '../facts/loss-words';
import type { LoadSample } from '../protocol/load';
import { PictureStatus } from '../protocol/records';
import { defaultThresholds } from '../protocol/thresholds';
import { type Late, range } from './columns';
import { loadSample } from './load-sample';
import { TestStream, unknownClock } from './test-stream';

/** What a test does to a stream. */
export interface Play {
  lost?: number[];
  missed?: number[];
  cause?: number;
  late?: Late;
  blank?: number[];
  torn?: number[];
  damaged?: number[];
  /** Rise of the transport's own counter in the first lost frame. */
  transportDropped?: number;
  /** The transport has one; default: true. */
  isQueueCounted?: boolean;
  previousCallNs?: (slot: number) => number;
  assumeSubmitted?: boolean;
}

/** Of those that are measured. */
export const lastSlot = 1799;

/** Slots 60 to 1799, 29 s, of a stream with these faults. */
export function played(play: Play = {}): MeasuredStream {
  const { lost = [], missed = [], blank = [], cause, late, assumeSubmitted = false } = play;
  const stream = new TestStream({ assumeSubmitted, ...(assumeSubmitted && { clock: unknownClock }) });
  stream.ledger.isQueueCounted = play.isQueueCounted ?? true;
  const counter = stream.open(60, lastSlot);
  const { previousCallNs } = play;
  if (!assumeSubmitted)
    stream.send(0, lastSlot + 60, {
      missed,
      cause,
      late,
      ...(previousCallNs && { timing: { previousCallNs } }),
    });
  const absent = new Set([...lost, ...missed, ...blank]);
  for (const slot of range(0, lastSlot + 60)) {
    if (blank.includes(slot)) stream.blank(slot);
    if (slot === lost[0]) stream.transportDropped = play.transportDropped ?? 0;
    if (!absent.has(slot)) stream.capture(slot, { status: statusOf(play, slot) });
  }
  return stream.measure(counter, lastSlot);
}

function statusOf({ torn = [], damaged = [] }: Play, slot: number): number {
  if (torn.includes(slot)) return PictureStatus.Torn;
  return damaged.includes(slot) ? PictureStatus.Damaged : PictureStatus.Good;
}

/** A sample of the machine each half second from 2 to 31 s, each of them idle unless the test says otherwise. */
export function samples(change: (seconds: number) => Partial<LoadSample> = () => ({})): LoadSample[] {
  return range(4, 62).map((half) => loadSample({ atNs: (half / 2) * 1e9, ...change(half / 2) }));
}

export function context(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): LossContext {
  const { samples: seen = samples() } = overrides;
  return {
    ...{
      streams,
      samples: seen,
      linksDown: linksDown(seen),
      standstills: () => [],
      thresholds: defaultThresholds,
      wallOffsetUs: 1.7e15,
    },
    ...{
      isSenderRemote: false,
      carrier: 'loopbackMbps' as const,
      counted: { fromNs: 0, toNs: 31e9 },
      ...overrides,
    },
  };
}

/** The only loss of the first of these streams. */
export function onlyLoss(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): Loss {
  const losses = lossesOf(streams[0] as MeasuredStream, context(streams, overrides));
  const [loss] = losses;
  if (!loss || losses.length > 1) throw new Error(`one loss was expected, ${losses.length} were found`);
  return loss;
}

/** With its words, for what a test says of both. */
export function worded(loss: Loss): Loss & { text: string } {
  return { ...loss, text: lossText(loss) };
}

/** What is said of the cause, without what happened. */
export function causeOf(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): string {
  return lossText(onlyLoss(streams, overrides)).split('; ').slice(1).join('; ');
}

/** Between two seconds of the monotonic clock, means over a second that end there. */
export function during(seconds: number, from: number, to: number): boolean {
  return seconds > from && seconds <= to;
}

/** One frame of 19 still comes through, for 5 s from slot 600, 11 s. */
export const strangled = { lost: range(600, 900).filter((slot) => slot % 19 !== 0) };
