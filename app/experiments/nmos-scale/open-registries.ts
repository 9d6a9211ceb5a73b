import type { ContextWith } from '../../engine/experiment/experiment';
import type { RegistryCommand, RegistryMessage } from '../../nmos/programs/messages';
import { Conversation } from './conversation';
import type { NmosScaleParameters } from './declaration';
import type { ScaleNetworks } from './networks';
import { registryProgram } from './programs';

type Registry = Conversation<RegistryCommand, RegistryMessage>;
/** A registry of our own. */
export interface OwnRegistry {
  talk: Registry;
  /** Its URL, as this machine knows it. */
  origin: string;
  /** All of its URLs, that one first. */
  origins: readonly string[];
  role: string;
}

/**
 * Starts them, each the peer of the others.
 * @param started those that were, whatever becomes of the next
 * @param places where each runs
 * @param towards addresses at which other machines reach them; none: they are reached at their places alone
 */
export async function openRegistries(
  started: OwnRegistry[],
  places: ScaleNetworks['registries'],
  options: { parameters: NmosScaleParameters; context: ContextWith<'helper'>; towards: readonly string[] },
): Promise<void> {
  const { context, towards } = options;
  const { clock, helper: helpers, signal } = context;
  const { heartbeatSeconds, expirySeconds } = options.parameters;
  for (const [index, { network, host }] of places.entries()) {
    const name = `registry ${index + 1}`;
    const { helper } = await helpers.start(registryProgram(network, index + 1));
    const talk: Registry = new Conversation(name, helper, clock, signal);
    const hosts = towards.length > 0 ? [...towards] : [host];
    const { origins } = await talk.ask({ type: 'serve', hosts, heartbeatSeconds, expirySeconds }, 'serving');
    const role = places.length > 1 ? name : 'registry';
    started.push({ talk, origin: origins[0] ?? '', origins, role });
  }
  for (const one of started)
    for (const other of started)
      if (other !== one) await one.talk.send({ type: 'follow', peer: other.origin });
}
