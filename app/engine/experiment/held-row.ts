import { lostFramesOf } from '../../facts/lost-frames';
import { loadMetrics } from '../../facts/metrics/registry';
import { hostsWith, numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { isClean, wasDisturbed } from '../streams/rows/clean-row';
import type { RowMeter } from '../streams/rows/row-meter';
import { cutShort, isCutShort } from './cut-short';
import type { StreamsContext } from './experiment';

/** Rows of streams for experiments that hold each row for one time, whatever happens in it. */

/** A row opens this much ahead, so that faults counted from its first slot are in place before it. */
export const openAheadNs = 150e6;
/** An aborted row that is shorter than this proves nothing. */
export const shortestRowNs = 0.4e9;
/** Nor does a stopped row that is shorter than this and lost nothing, also of a live run: it is too short to pass. */
const shortestPassNs = 1e9;
/** The row of a stream that never showed a frame only says so. */
export const unconnectedHoldSeconds = 1;
const pollMs = 50;
/** If a stream is still not ready, a warm-up ends this much later than it may take. */
const spareSeconds = 10;
const lookEveryMs = 1000;

export interface RowTimes {
  holdSeconds: number;
  warmUpSeconds: number;
}

/** A row that was held for its time. */
export interface HeldRow {
  row: StreamsRow;
  /** False: one of the streams showed no frame in time, and the row is short. */
  connected: boolean;
}

/**
 * Waits until all streams are over their warm-up, measures them for the hold time and closes the row. An aborted row is
 * closed where it stands if anything was measured; null: nothing was. `onOpen` is called when the row has been opened.
 */
export async function measureRow(
  context: StreamsContext,
  index: number,
  { holdSeconds, warmUpSeconds }: RowTimes,
  onOpen?: (meter: RowMeter) => Promise<void>,
): Promise<HeldRow | null> {
  const { clock } = context;
  const connected = await warmUp(context, warmUpSeconds);
  if (context.signal.aborted) return null;
  const fromNs = clock.monotonicNs() + openAheadNs;
  const wantedSeconds = connected ? holdSeconds : unconnectedHoldSeconds;
  const toNs = fromNs + wantedSeconds * 1e9;
  const meter = context.streams.openRow(index, [...context.streams.set.streams], fromNs, toNs);
  await onOpen?.(meter);
  await holdTo(context, toNs);
  const endNs = Math.min(toNs, clock.monotonicNs());
  const row = await closeHeld(meter, { fromNs, endNs, holdSeconds: wantedSeconds });
  return row && { row, connected };
}

/** Closes a row that was held for its time or was stopped before; null: it was too short to be judged. */
export async function closeHeld(
  meter: RowMeter,
  { fromNs, endNs, holdSeconds }: { fromNs: number; endNs: number; holdSeconds: number },
): Promise<StreamsRow | null> {
  if (endNs - fromNs < shortestRowNs) return null;
  const row = cutShort(await meter.close(endNs), (endNs - fromNs) / 1e9, holdSeconds);
  const isTooShort = isCutShort(row) && endNs - fromNs < shortestPassNs;
  return isTooShort && row.verdict !== 'INVALID' && isClean(row) ? null : row;
}

/** Waits until then, until the run is stopped, or until a stream process is lost for good: no more of it can be measured. */
async function holdTo({ clock, signal, streams: { set } }: StreamsContext, toNs: number): Promise<void> {
  const leftMs = (): number => (toNs - clock.monotonicNs()) / 1e6;
  do await clock.sleep(Math.min(lookEveryMs, Math.max(0, leftMs())), signal);
  while (!signal.aborted && !set.lost && leftMs() > 0);
}

/**
 * Waits until every stream is over its warm-up, those that a new stream host started again included, and as long after
 * `changedNs`. False: one of them showed no frame in time, was not ready long after that, a stream process is lost for good, or the run was
 * stopped. `onConnected` is called when all show frames, and have to be waited for still.
 */
export async function warmUp(
  { streams: { set }, clock, signal, thresholds }: StreamsContext,
  warmUpSeconds: number,
  { changedNs = 0, onConnected }: { changedNs?: number; onConnected?: () => void } = {},
): Promise<boolean> {
  let reported = false;
  let allHereNs: number | null = null;
  while (!signal.aborted && !set.lost) {
    // What a machine that is out of reach has to say comes later.
    const nowNs = set.countedToNs(clock.monotonicNs());
    const waiting = set.streams.filter((stream) => stream.firstCaptureNs === 0);
    if (waiting.some((stream) => nowNs - stream.addedNs >= thresholds.connectTimeoutSeconds * 1e9))
      return false;
    if (waiting.length === 0 && !set.recovering) {
      const limits = { ...thresholds, warmUpSeconds };
      const isSettled = nowNs - changedNs >= warmUpSeconds * 1e9;
      if (isSettled && set.streams.every((stream) => stream.isReady(nowNs, limits))) return true;
      if (!reported) onConnected?.();
      reported = true;
      // By then each is ready, whatever its machine says of the time of its pictures.
      allHereNs ??= nowNs;
      const mostSeconds = warmUpSeconds + thresholds.connectTimeoutSeconds + spareSeconds;
      if (nowNs - Math.max(allHereNs, changedNs) > mostSeconds * 1e9) return false;
    } else allHereNs = null;
    await clock.sleep(pollMs, signal);
  }
  return false;
}

/**
 * Mean CPU load of one side's processes, all that they worked on together, % of all cores; null: not measured. Where several machines
 * receive, the highest of them, or that of one.
 */
export function processCpuOf(
  { load }: StreamsRow,
  side: 'sender' | 'receiver',
  machine?: string,
): number | null {
  const parts = loadMetrics.filter(({ id }) => id.startsWith(`${side}.cpuParts.`));
  const sums = hostsWith({ load }, side)
    .filter(([host]) => machine === undefined || host === machine)
    .map(([host, figures]) =>
      parts.reduce<number | null>((total, { id }) => {
        const part = numberOf({ figures: {}, load: { [host]: { [side]: figures } } }, id);
        return total === null || part === null ? null : total + part;
      }, 0),
    );
  return sums.reduce<number | null>(
    (most, sum) => (most === null || sum === null ? null : Math.max(most, sum)),
    sums[0] ?? null,
  );
}

/** No stream of the row lost a frame, no sender missed one, and it was measured well: all of the load was carried. */
export function isWhole(row: StreamsRow): boolean {
  return (
    lostFramesOf(row) === 0 &&
    row.figures.framesSenderMissed === 0 &&
    row.verdict !== 'INVALID' &&
    !wasDisturbed(row)
  );
}
