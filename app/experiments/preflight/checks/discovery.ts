import { hostname } from 'node:os';
import { type DiscoveryDaemon, readDiscoveryDaemon } from '../../../engine/machine/discovery-daemon';
import { type Check, type CheckContext, NotFoundOut } from '../check';
import { recordTypes } from '../dns-message';
import { type Found, foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';
import { askMulticast, multicastAddress } from '../multicast-dns';

export interface DiscoveryFacts extends DiscoveryDaemon {
  /** Who answered a question for this machine's own name, or why it could not be asked; null: no daemon runs. */
  answeredBy: string[] | Found | null;
}

/** Answers come within a tenth of a second; the rest is for a machine that is busy. */
const waitMs = 2000;

export function judgeDiscovery(facts: DiscoveryFacts): Line {
  const { isLooked, isRunning, busAnswers, answeredBy } = facts;
  const details = { ...facts };
  if (!isLooked) return unknown(foundOf('discovery-of-system'), details);
  if (!isRunning || answeredBy === null) return warning(foundOf('daemon-absent'), details);
  if (!busAnswers) return warning(foundOf('bus-dead'), details);
  if (!Array.isArray(answeredBy)) {
    const data = { ...answeredBy.data, daemonRuns: true };
    return unknown({ ...answeredBy, data }, details);
  }
  if (answeredBy.length === 0) return warning(foundOf('daemon-silent'), details);
  return ok(foundOf('daemon-answers'), details);
}

async function gather(context: CheckContext): Promise<DiscoveryFacts> {
  const daemon = await readDiscoveryDaemon();
  if (!daemon.isRunning) return { ...daemon, answeredBy: null };
  try {
    const name = `${hostname().split('.')[0]}.local`;
    const answers = await askMulticast(
      [{ name, type: recordTypes.a }],
      multicastAddress(context.interfaceName),
      { waitMs, signal: context.signal, isEnough: (found) => found.length > 0 },
    );
    return { ...daemon, answeredBy: [...new Set(answers.map(({ from }) => from))] };
  } catch (error) {
    if (error instanceof NotFoundOut) return { ...daemon, answeredBy: error.found };
    throw error;
  }
}

export const discovery: Check = {
  id: 'discovery',
  run: async (context) => judgeDiscovery(await gather(context)),
};
