import { hostname } from 'node:os';
import { type DiscoveryDaemon, readDiscoveryDaemon } from '../../../engine/machine/discovery-daemon';
import { NotKnown } from '../../../engine/machine/facts';
import type { Check, CheckContext } from '../check';
import { recordTypes } from '../dns-message';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';
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
  if (!isLooked) return unknown(foundOf('discovery-of-system'), details);
  if (!isRunning) return warning(foundOf('daemon-absent'), details);
  if (!busAnswers) return warning(foundOf('bus-dead'), details);
  if (answeredBy === null) return unknown(foundOf('daemon-not-asked', { why: reason }), details);
  if (answeredBy.length === 0) return warning(foundOf('daemon-silent'), details);
  return ok(foundOf('daemon-answers'), details);
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
