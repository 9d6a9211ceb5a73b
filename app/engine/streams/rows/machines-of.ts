import { hostname } from 'node:os';
import type { LoadSample } from '../../../protocol/load';
import type { MachineSide } from '../../machines/machine-side';
import type { SampledMachine } from './instrument-faults';

/** The machines at the two ends of streams. */
export interface Sides {
  /** Of the senders, where the receivers are on another machine. */
  readonly senderSide?: MachineSide;
  /** Of the receivers, where they are not on ours. */
  readonly receiverSide?: MachineSide;
}

/** Each machine on which an end of the streams is, that of the receivers first; without a name where that is this one alone. */
export function machinesOf(
  { senderSide, receiverSide }: Sides,
  ownSamples: readonly LoadSample[],
): SampledMachine[] {
  if (!senderSide && !receiverSide) return [{ samples: ownSamples }];
  const receiver = receiverSide ? machineOf(receiverSide) : { machine: hostname(), samples: ownSamples };
  return senderSide ? [receiver, machineOf(senderSide)] : [receiver];
}

function machineOf({ name, samples, isOurs }: MachineSide): SampledMachine {
  return { machine: name, isElsewhere: !isOurs, samples };
}
