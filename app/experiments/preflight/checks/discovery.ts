import { hostname } from 'node:os';
import {
  type DiscoveryDaemon,
  readDiscoveryDaemon,
  startDaemon,
} from '../../../engine/machine/discovery-daemon';
import { NotKnown } from '../../../engine/machine/facts';
import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import type { Check, CheckContext } from '../check';
import { recordTypes } from '../dns-message';
import { askMulticast, multicastAddress } from '../multicast-dns';

export interface DiscoveryFacts extends DiscoveryDaemon {
  /** Who answered a question for this machine's own name; null: it could not be asked, with the reason. */
  answeredBy: string[] | null;
  reason: string;
}

/** Answers come within a tenth of a second; the rest is for a machine that is busy. */
const waitMs = 2000;

export function judgeDiscovery(facts: DiscoveryFacts): Line {
  const { isLooked, isRunning, busAnswers, answeredBy, reason } = facts;
  const details = { ...facts };
  if (!isLooked) return unknown('discovery is the system’s own here, which we do not know', '', '', details);
  const advice = 'Without it only this machine and senders of known addresses are found';
  if (!isRunning) return warning('avahi-daemon does not run', advice, startDaemon, details);
  if (!busAnswers) {
    const found = 'avahi-daemon runs, and the system’s bus, over which NDI asks it, takes no connection';
    return warning(found, advice, 'service dbus start && service avahi-daemon restart', details);
  }
  if (answeredBy === null) return unknown(`avahi-daemon runs; ${reason}`, '', '', details);
  if (answeredBy.length === 0) {
    const found =
      'avahi-daemon runs, and no answer came when this machine’s own name was asked for by multicast';
    const why =
      'See that it is allowed on this interface (avahi-daemon.conf), and that no rule drops 5353/udp';
    return warning(found, why, 'service avahi-daemon restart', details);
  }
  return ok(`avahi-daemon runs, and answers questions by multicast`, details);
}

async function gather(context: CheckContext): Promise<DiscoveryFacts> {
  const daemon = await readDiscoveryDaemon();
  const facts = { ...daemon, answeredBy: null, reason: '' };
  if (!daemon.isRunning) return facts;
  try {
    const name = `${hostname().split('.')[0]}.local`;
    const answers = await askMulticast(
      [{ name, type: recordTypes.a }],
      multicastAddress(context.interfaceName),
      { waitMs, signal: context.signal, isEnough: (found) => found.length > 0 },
    );
    return { ...facts, answeredBy: [...new Set(answers.map(({ from }) => from))] };
  } catch (error) {
    if (error instanceof NotKnown) return { ...facts, reason: error.message };
    throw error;
  }
}

export const discovery: Check = {
  id: 'discovery',
  run: async (context) => judgeDiscovery(await gather(context)),
};
