import type { OwnTraffic } from '../../load/window';
import type { MeasuredStream } from './measured-stream';
import { type ReceivingMachine, trafficOfAll } from './receiving-machines';
import { reasons } from './row-reasons';

interface TrafficOfRow {
  fromNs: number;
  toNs: number;
  receivers: readonly ReceivingMachine[];
  isSenderRemote: boolean;
  isBetween: boolean;
  streams: readonly MeasuredStream[];
}

/** More of what came may not have travelled outside the samples. */
const mostUnseenShare = 0.05;

/** Our sockets are counted by process: where more travelled than the streams of the row, their traffic is not that of the row. */
export function rowTraffic(row: TrafficOfRow): OwnTraffic {
  const { receivers, isSenderRemote, isBetween, streams } = row;
  const areOthersOpen = receivers.some(({ load }) => (load.streams.max ?? 0) > streams.length);
  if (isBetween || areOthersOpen) return { mbps: null, reason: reasons.otherStreams };
  if (streams.some(({ stream }) => !stream.isReceiverRemote && stream.connections === null))
    return { mbps: null, reason: reasons.receiversUncounted };
  if (streams.some((one) => hasOtherReceivers(one, streams)))
    return { mbps: null, reason: reasons.otherReceivers };
  const traffic = trafficOfAll(receivers, isSenderRemote);
  const isHidden = traffic.mbps !== null && streams.some((one) => mayHideTraffic(one, row));
  return isHidden ? { mbps: null, reason: reasons.unevenTraffic } : traffic;
}

/**
 * Samples lie wholly within the row, and leave out a part of a second at each of its ends. What travels steadily is the same there;
 * of a stream that stood still, all that came may have come there.
 */
function mayHideTraffic(
  { framesPerSecond, counts, foreign, outages }: MeasuredStream,
  { fromNs, toNs, receivers }: TrafficOfRow,
): boolean {
  const counted = counts ?? foreign?.counts;
  if (!counted || (counted.stalls === 0 && outages.length === 0)) return false;
  const sampledSeconds = Math.min(...receivers.map(({ load }) => load.seconds));
  const unseenSeconds = Math.max(0, (toNs - fromNs) / 1e9 - sampledSeconds);
  return unseenSeconds * framesPerSecond > mostUnseenShare * (counted.received ?? 0);
}

/** A sender sends its pictures to each receiver. If no receiver is ours, all that it sent counts. */
function hasOtherReceivers({ stream }: MeasuredStream, streams: readonly MeasuredStream[]): boolean {
  const ours = streams.filter((other) => other.stream.senderId === stream.senderId);
  return !stream.isReceiverRemote && (stream.connections ?? 0) > ours.length;
}
