import { hostname } from 'node:os';
import type { LoadSample } from '../../../protocol/load';
import type { ProcessStandstill } from '../../load/standstills';
import type { MachineSide } from '../../machines/machine-side';
import type { SampledMachine } from './instrument-faults';

/** The machines at the two ends of streams. */
export interface Sides {
  /** Machine of the senders, if the receivers are on another one. */
  readonly senderSide?: MachineSide;
  /** Machines of the receivers, in the order in which streams come to them; empty if all receivers are on this one. */
  readonly receiverSides?: readonly MachineSide[];
}

/** Each machine on which an end of the streams is, those of the receivers first; without a name where that is this one alone. */
export function machinesOf(
  { senderSide, receiverSides = [] }: Sides,
  ownSamples: readonly LoadSample[],
): SampledMachine[] {
  if (!senderSide && receiverSides.length === 0) return [{ samples: ownSamples }];
  const receivers =
    receiverSides.length > 0 ? receiverSides.map(machineOf) : [{ machine: hostname(), samples: ownSamples }];
  return senderSide && !receiverSides.includes(senderSide)
    ? [...receivers, machineOf(senderSide)]
    : receivers;
}

function machineOf({ name, samples, isOurs }: MachineSide): SampledMachine {
  return { machine: name, isElsewhere: !isOurs, samples };
}

/**
 * Standstills of streams with an end on another machine, ours by the name of this one. Where no end is here, this machine only counts: what
 * was sent and received waits for it, and its standstills touch no frame.
 */
export function standstillsOfEnds(
  pieces: readonly ProcessStandstill[],
  { ourName, isEndHere }: { ourName: string; isEndHere: boolean },
): ProcessStandstill[] {
  const isElsewhere = ({ who }: ProcessStandstill): boolean => 'role' in who && who.machine !== undefined;
  if (!isEndHere) return pieces.filter(isElsewhere);
  return pieces.map((piece) =>
    'role' in piece.who && !isElsewhere(piece)
      ? { ...piece, who: { ...piece.who, machine: ourName } }
      : piece,
  );
}
