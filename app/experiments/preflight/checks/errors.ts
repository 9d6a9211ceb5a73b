import { type InterfaceCounters, readInterfaces } from '../../../engine/load/network';
import { type Check, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, warning } from '../line';

export type Counts = Pick<
  InterfaceCounters,
  'receiveErrors' | 'transmitErrors' | 'receiveDropped' | 'transmitDropped'
>;

const errorsOf = (counts: Counts): number => counts.receiveErrors + counts.transmitErrors;
const droppedOf = (counts: Counts): number => counts.receiveDropped + counts.transmitDropped;

export function judgeErrors(name: string, before: Counts, after: Counts, seconds: number): Line {
  const rise = { errors: errorsOf(after) - errorsOf(before), dropped: droppedOf(after) - droppedOf(before) };
  const details = { before, after, seconds };
  if (rise.errors > 0)
    return problem(foundOf('packets-broken', { name, packets: rise.errors, seconds }), details);
  if (rise.dropped > 0)
    return warning(foundOf('packets-dropped', { name, packets: rise.dropped, seconds }), details);
  const totals = { name, broken: errorsOf(after), dropped: droppedOf(after) };
  if (totals.broken > 0) return warning(foundOf('broken-earlier', totals), details);
  return ok(foundOf('no-errors', totals), details);
}

function countsOf(name: string): Counts {
  const counters = readInterfaces()?.find((entry) => entry.name === name);
  if (!counters) throw new NotFoundOut(foundOf('packets-not-counted', { name }));
  return counters;
}

export const errors: Check = {
  id: 'errors',
  async run({ interfaceName, parameters, clock, signal }) {
    const before = countsOf(interfaceName);
    await clock.sleep(parameters.durationSeconds * 1000, signal);
    return judgeErrors(interfaceName, before, countsOf(interfaceName), parameters.durationSeconds);
  },
};
