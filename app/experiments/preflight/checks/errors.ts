import { type InterfaceCounters, readInterfaces } from '../../../engine/load/network';
import { NotKnown } from '../../../engine/machine/facts';
import { type Line, ok, problem, warning } from '../../../engine/machine/line';
import type { Check } from '../check';

export type Counts = Pick<
  InterfaceCounters,
  'receiveErrors' | 'transmitErrors' | 'receiveDropped' | 'transmitDropped'
>;

const errorsOf = (counts: Counts): number => counts.receiveErrors + counts.transmitErrors;
const droppedOf = (counts: Counts): number => counts.receiveDropped + counts.transmitDropped;

export function judgeErrors(name: string, before: Counts, after: Counts, seconds: number): Line {
  const rise = { errors: errorsOf(after) - errorsOf(before), dropped: droppedOf(after) - droppedOf(before) };
  const details = { before, after, seconds };
  if (rise.errors > 0) {
    const found = `${name} counted ${rise.errors} broken packets in ${seconds} s`;
    return problem(
      found,
      'Check the cable, its plugs and the port of the switch',
      `ethtool -S ${name}`,
      details,
    );
  }
  if (rise.dropped > 0) {
    const found = `${name} dropped ${rise.dropped} packets in ${seconds} s`;
    const advice =
      'This machine does not take or send them fast enough, or no program here wants them: find out which';
    return warning(found, advice, `ethtool -S ${name}; ethtool -g ${name}`, details);
  }
  const totals = `since it came up ${errorsOf(after)} broken and ${droppedOf(after)} dropped`;
  if (errorsOf(after) > 0) {
    const found = `${name} counts no errors now, but ${totals}`;
    return warning(found, 'Check it again under load', `ethtool -S ${name}`, details);
  }
  return ok(`${name} counts no errors now; ${totals}`, details);
}

function countsOf(name: string): Counts {
  const counters = readInterfaces()?.find((entry) => entry.name === name);
  if (!counters) throw new NotKnown(`the kernel counts no packets of ${name}`);
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
