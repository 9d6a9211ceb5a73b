import type { OwnTraffic } from '../../load/window';
import type { MeasuredStream } from './measured-stream';
import { type ReceivingMachine, trafficOfAll } from './receiving-machines';
import { reasons } from './row-reasons';

interface TrafficOfRow {
  receivers: readonly ReceivingMachine[];
  isSenderRemote: boolean;
  isBetween: boolean;
  streams: readonly MeasuredStream[];
}

/** Our sockets are counted by process: where more travelled than the streams of the row, their traffic is not that of the row. */
export function rowTraffic({ receivers, isSenderRemote, isBetween, streams }: TrafficOfRow): OwnTraffic {
  const areOthersOpen = receivers.some(({ load }) => (load.streams.max ?? 0) > streams.length);
  if (isBetween || areOthersOpen) return { mbps: null, reason: reasons.otherStreams };
  if (streams.some(({ stream }) => !stream.isReceiverRemote && stream.connections === null))
    return { mbps: null, reason: reasons.receiversUncounted };
  if (streams.some((one) => hasOtherReceivers(one, streams)))
    return { mbps: null, reason: reasons.otherReceivers };
  return trafficOfAll(receivers, isSenderRemote);
}

/** A sender sends its pictures to each receiver. Where none is ours, it is all that it sent that counts. */
function hasOtherReceivers({ stream }: MeasuredStream, streams: readonly MeasuredStream[]): boolean {
  const ours = streams.filter((other) => other.stream.senderId === stream.senderId);
  return !stream.isReceiverRemote && (stream.connections ?? 0) > ours.length;
}
