import type { Clock } from '../../protocol/clock';
import { problemText, toProblem } from '../../protocol/errors';
import type { DnsServer } from '../discovery/dns-problem';
import { MulticastLink } from '../discovery/link';
import { serviceTypes } from '../discovery/service-types';
import { type ApiFinder, multicastApis, sought, unicastApis } from './api-finder';
import type { NmosNode } from './nmos-node';
import { NodeAnnouncement } from './node-announcement';
import { Registration, type RegistrationState } from './registration';
import { nodeApiVersions } from './resources';
import { SystemFollower } from './system-follower';

/** Where a node looks for registries and the System API. */
export type NodeDiscovery =
  | { by: 'urls'; registries: ApiFinder; systems: ApiFinder }
  | { by: 'multicast'; hosts: readonly string[]; priorities?: { from: number; to: number } }
  | { by: 'unicast'; server: DnsServer; domain: string; priorities?: { from: number; to: number } };

export interface RunOptions {
  node: NmosNode;
  discovery: NodeDiscovery;
  clock: Clock;
  onState: (state: RegistrationState) => void;
  /** At the start, and whenever a System API gives another; whether it came from one. */
  onHeartbeat: (seconds: number, isOfSystem: boolean) => void;
  log: (line: string) => void;
}

export interface RunningNode {
  /** Removes the node from its registry and from discovery; the node itself is left. */
  close(): Promise<void>;
}

/** How long a node waits for a System API before it registers with the usual interval. */
const systemWaitMs = 2000;

interface Finders {
  registries: ApiFinder;
  systems: ApiFinder;
  link: MulticastLink | null;
}

/**
 * Registers a node and keeps it so, as it is found by `discovery`.
 * @throws WhitelineError for interfaces that are none
 */
export async function runNode({
  node,
  discovery,
  clock,
  onState,
  onHeartbeat,
  log,
}: RunOptions): Promise<RunningNode> {
  const { registries, systems, link } = await openFinders(discovery, clock, log);
  const announcement = link && (await announce(link, node, clock, log));
  let registration: Registration | null = null;
  const system = new SystemFollower({
    ...{ systems, clock, log },
    onHeartbeat: (seconds) => {
      // The first is known before the registration.
      if (registration) onHeartbeat(seconds, true);
      registration?.heartbeatEvery(seconds);
    },
  });
  await system.firstAsked(systemWaitMs);
  const { heartbeatSeconds, isOfSystem } = system;
  onHeartbeat(heartbeatSeconds, isOfSystem);
  registration = new Registration({
    ...{ model: node.model, registries, clock, heartbeatSeconds, log },
    onState: (state) => {
      if (state.is !== 'registering') announcement?.setRegistered(state.is === 'registered');
      // A node that expired may have the wrong interval.
      else system.lookAgain();
      onState(state);
    },
  });
  return {
    close: async () => {
      await system.close();
      await registration?.close();
      await announcement?.close();
      registries.close();
      systems.close();
      await link?.close();
    },
  };
}

async function openFinders(
  discovery: NodeDiscovery,
  clock: Clock,
  log: (line: string) => void,
): Promise<Finders> {
  if (discovery.by === 'urls') return { ...discovery, link: null };
  const { priorities } = discovery;
  const registryTypes = [serviceTypes.register, serviceTypes.registration];
  const registry = sought(registryTypes, nodeApiVersions, priorities);
  const system = sought([serviceTypes.system], ['v1.0'], priorities);
  if (discovery.by === 'unicast') {
    const { server, domain } = discovery;
    const finder = (wanted: typeof registry): ApiFinder => unicastApis(server, domain, wanted, clock, log);
    return { registries: finder(registry), systems: finder(system), link: null };
  }
  const link = await MulticastLink.open({ hosts: discovery.hosts, clock });
  const finder = (wanted: typeof registry): ApiFinder => multicastApis(link, wanted, clock);
  return { registries: finder(registry), systems: finder(system), link };
}

/** A node that cannot be announced can be registered nevertheless. */
async function announce(
  link: MulticastLink,
  node: NmosNode,
  clock: Clock,
  log: (line: string) => void,
): Promise<NodeAnnouncement | null> {
  try {
    return await NodeAnnouncement.start(link, node.model, instanceOf(node), node.port, clock, log);
  } catch (error) {
    log(`The node is not announced: ${problemText(toProblem(error))}`);
    return null;
  }
}

/** One for each node, in the 63 bytes that DNS has for it. */
function instanceOf({ model, port }: NmosNode): string {
  return `whiteline-${model.node.id.slice(0, 8)}-${port}`;
}
