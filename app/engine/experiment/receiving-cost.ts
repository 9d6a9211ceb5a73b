import type { ReasonedNumber } from '../../facts/reasoned';
import { hostsWith } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';

/** A machine that receives, where several do; undefined: the only one. */
export type Receiving = string | undefined;

/** Machines for which the cost of a stream is known, each from its own streams. */
export function receivingIn(row: StreamsRow): readonly Receiving[] {
  const machines = hostsWith(row, 'receiver').map(([host]) => host);
  return machines.length > 1 ? machines.filter((machine) => receivedOn(row, machine) > 0) : [undefined];
}

/** Streams of a row that a machine receives. */
export function receivedOn({ step, subjects }: StreamsRow, machine: Receiving): number {
  return machine === undefined
    ? step.streams
    : subjects.filter(({ hosts }) => hosts.receiver === machine).length;
}

/** The highest of the machines that receive a stream of the row; not measured where it is not of one of them. */
export function highestOf(
  machines: readonly Receiving[],
  cost: (machine: Receiving) => ReasonedNumber,
  noMachine: string,
): ReasonedNumber {
  let highest: number | null = null;
  for (const machine of machines) {
    const [value, reason] = cost(machine);
    if (value === null) return [null, machine === undefined ? reason : `${machine}: ${reason}`];
    highest = Math.max(highest ?? value, value);
  }
  return [highest, noMachine];
}
