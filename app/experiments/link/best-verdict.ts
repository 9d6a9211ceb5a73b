import { leastByOurClock } from '../../engine/experiment/elsewhere/by-our-clock';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import { type Verdict, worseVerdict } from '../../facts/verdict';
import { burstShare } from './contradictions';
import type { LinkParameters } from './declaration';
import { heldShare } from './held-rate';
import { reachedShare } from './judgement';

/** Of two ends that count the same, in their own times. */
const endsShare = 0.1;
const roundingShare = 0.001;

/** The best that a row of these figures can be, measured by another machine: INVALID where it is not one that was asked for. */
export function bestLinkVerdict(row: ClosedRow, parameters: LinkParameters): Verdict {
  const protocol = scalarOf(row, 'link.protocol');
  if (protocol === 'ping') return parameters.pings > 0 ? bestPing(row) : 'INVALID';
  if (!isAsked(row, parameters) || !isOfItsRate(row, parameters)) return 'INVALID';
  return protocol === 'TCP' ? bestTcp(row, parameters) : bestUdp(row, parameters);
}

/** What measuring such a row takes at least; one that failed, or of ping, may be over at once. */
export function leastLinkSeconds(row: ClosedRow, { repeats, holdSeconds }: LinkParameters): number {
  if (row.verdict === 'INVALID' || scalarOf(row, 'link.protocol') === 'ping') return 0;
  // Its reason says so where the run ended in it.
  const short = row.reason.find(({ code }) => code === 'repeats-short');
  const done = short ? Math.max(1, Number(short.data.done)) : repeats;
  return leastByOurClock(done * holdSeconds);
}

const figure = (row: ClosedRow, id: string): number | null => numberOf(row, `link.${id}`);
const isAbove0 = (value: number | null): boolean => value === null || value > 0;

function isAsked(row: ClosedRow, { protocols, directions, ...asked }: LinkParameters): boolean {
  const protocol = protocols.find((one) => one.toUpperCase() === scalarOf(row, 'link.protocol'));
  const direction = directions.find((one) => one === scalarOf(row, 'link.direction'));
  if (!protocol || !direction) return false;
  const held = figure(row, 'ndiStreams');
  if (held !== null) return asked.rates.includes('ndi') && held <= (asked.maxStreams ?? held);
  const [streams, bytes] = [figure(row, 'streams'), figure(row, 'datagramBytes')];
  return (
    asked.rates.includes('line') &&
    asked.streams.some((one) => one === streams) &&
    (protocol === 'tcp' ? bytes === null : asked.datagramBytes.some((one) => one === bytes))
  );
}

/** What its figures say of each other. */
function isOfItsRate(row: ClosedRow, { lineRateMbps, streamMbps }: LinkParameters): boolean {
  const [throughput, percent] = [figure(row, 'throughputMbps'), figure(row, 'lineRatePercent')];
  const [held, target] = [figure(row, 'ndiStreams'), figure(row, 'targetMbps')];
  if (held !== null && !isAlike(target, held * streamMbps)) return false;
  if (percent === null) return true;
  if (throughput === null || percent > 100 * (1 + burstShare)) return false;
  return lineRateMbps === undefined || isAlike(percent, (100 * throughput) / lineRateMbps);
}

function isAlike(one: number | null, other: number): boolean {
  return one !== null && Math.abs(one - other) <= roundingShare * other;
}

function bestPing(row: ClosedRow): Verdict {
  return figure(row, 'rttMs') === null || isAbove0(figure(row, 'lossPercent')) ? 'WARN' : 'PASS';
}

function bestTcp(row: ClosedRow, { passPercent, warnPercent }: LinkParameters): Verdict {
  if (figure(row, 'ndiStreams') !== null)
    return worseVerdict(bestHeld(row, heldShare), isAbove0(figure(row, 'retransmits')) ? 'WARN' : 'PASS');
  if (figure(row, 'throughputMbps') === null) return 'INVALID';
  const percent = figure(row, 'lineRatePercent');
  if (percent === null) return 'WARN';
  return percent >= passPercent ? 'PASS' : percent >= warnPercent ? 'WARN' : 'FAIL';
}

function bestUdp(row: ClosedRow, { maxLossPercent }: LinkParameters): Verdict {
  const lost = figure(row, 'lossPercent');
  if (lost === null) return 'INVALID';
  if (lost > 0) return lost > maxLossPercent ? 'FAIL' : 'WARN';
  if (figure(row, 'ndiStreams') !== null) return bestHeld(row, heldShare - endsShare);
  return isReached(row, reachedShare - endsShare) ? 'PASS' : 'WARN';
}

function bestHeld(row: ClosedRow, share: number): Verdict {
  if (!isReached(row, share)) return 'FAIL';
  return (figure(row, 'lateIntervals') ?? 0) > 0 ? 'WARN' : 'PASS';
}

function isReached(row: ClosedRow, share: number): boolean {
  const [throughput, target] = [figure(row, 'throughputMbps'), figure(row, 'targetMbps')];
  return throughput !== null && target !== null && throughput >= share * target;
}
