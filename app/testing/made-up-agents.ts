import { randomBytes } from 'node:crypto';
import { connectBus } from '../fleet/bus/nats-bus';
import { newAgentId, newSecret } from '../fleet/site/agent-name';
import type { InvitedAgent } from '../fleet/site/agents';
import { thisMachine } from '../fleet/site/hosts';
import { readJoinFile } from '../fleet/site/join-file';
import { Site, siteFiles } from '../fleet/site/site';
import type { AgentPresence } from '../protocol/fleet/presence';
import { everyPresence, presenceSubject } from '../protocol/fleet/subjects';
import { machineClock } from '../protocol/machine-clock';

/** Agents that say what one real agent of their fleet says, under their own ids, each by a connection of its own. */

/** The fleet of this folder, which was started once. */
export function siteOf(folder: string): Site {
  return Site.open(folder, { clock: machineClock, machine: thisMachine });
}

/** Before the server starts, which reads its users then. */
export function inviteMadeUp(site: Site, names: readonly string[]): void {
  const invitedAt = new Date().toISOString();
  for (const name of names)
    site.agents.add({ version: 1, id: newAgentId(), name, secret: newSecret(), address: null, invitedAt });
  site.write();
}

interface Speaking {
  folder: string;
  agents: readonly InvitedAgent[];
  perSecond: number;
  /** What one of them says in the place of what the real one says. */
  vary?(said: AgentPresence, number: number): AgentPresence;
}

/** Connects some at a time, because a server has room for a limited number of handshakes. */
const atOnce = 16;

/** Resolves once all speak; returns what ends that. */
export async function speakAsMadeUp({ folder, agents, perSecond, vary }: Speaking): Promise<() => void> {
  const site = siteOf(folder);
  const said = await realPresence(folder);
  const stops: (() => void)[] = [];
  const waiting = [...agents.entries()];
  const everyMs = 1000 / perSecond;
  async function connectSome(): Promise<void> {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [number, agent] = next;
      const { id, name } = agent;
      const bus = await connectBus(site.joinOf(agent), 'agent', { clock: machineClock });
      const own = { ...said, id, name, session: randomBytes(8).toString('hex') };
      const speak = (): void => bus.publish(presenceSubject(id), vary?.(own, number) ?? own);
      let timer: ReturnType<typeof setInterval>;
      // Spread over the time between two, as those of a site are.
      const first = setTimeout(() => {
        timer = setInterval(speak, everyMs);
      }, Math.random() * everyMs);
      stops.push(() => {
        clearTimeout(first);
        clearInterval(timer);
        void bus.close();
      });
    }
  }
  await Promise.all(Array.from({ length: atOnce }, connectSome));
  return () => {
    for (const stop of stops) stop();
  };
}

/** With the load of its machine. */
async function realPresence(folder: string): Promise<AgentPresence> {
  const join = readJoinFile(siteFiles(folder).console);
  const bus = await connectBus(join, 'console', { clock: machineClock });
  return new Promise((resolve) => {
    const stop = bus.subscribe(everyPresence, (value) => {
      const presence = value as AgentPresence;
      if (presence.load === null) return;
      stop();
      void bus.close().then(() => resolve(presence));
    });
  });
}
