import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { RemoteMachine } from '../host-application';

/** Its agent is asked for the time four times a second. */
const knowsClockWithinNs = 5e9;
const lookMs = 100;

/** Waits until moments of ours can be said to it. @throws WhitelineError HOST_DIED naming the machine */
export async function knownClock(
  machine: Pick<RemoteMachine, 'name' | 'clock'>,
  clock: Pick<Clock, 'monotonicNs' | 'sleep'>,
): Promise<void> {
  const untilNs = clock.monotonicNs() + knowsClockWithinNs;
  while (!machine.clock.isKnown) {
    if (clock.monotonicNs() > untilNs)
      throw new WhitelineError({
        code: 'HOST_DIED',
        message: `${machine.name}: its clock could not be read`,
      });
    await clock.sleep(lookMs);
  }
}

/**
 * A moment of our monotonic clock, as a machine’s own has it; undefined: it is this one.
 * @throws Error before its clock is known
 */
export function momentOn(machine: Pick<RemoteMachine, 'clock'> | undefined, ourNs: number): number {
  return machine ? Math.round(machine.clock.toTheirsNs(ourNs)) : ourNs;
}
