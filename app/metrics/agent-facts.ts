import type { AgentPresence } from '../protocol/fleet/presence';
import { freshSample } from './console-facts';
import type { Facts } from './facts';

/** What an agent says of itself at this moment. */
export interface SaidNow {
  presence: AgentPresence;
  /** When it said so last to its fleet, its monotonic clock; null: it has not yet. */
  saidNs: number | null;
  bus: string;
}

const noCounts = {};

/** @param now null: it is not connected to its fleet yet */
export function agentFacts(now: SaidNow | null, version: string, nowNs: number): Facts {
  const around = {
    build: { version, node: process.versions.node },
    ...{ run: null, counting: noCounts, streams: [], isReceiverRemote: false },
  };
  if (!now) {
    const agent = { bus: 'connecting', presenceAgeSeconds: null, streamsLimit: null, hosts: {} };
    return { ...around, machines: [], agent };
  }
  const { presence, saidNs, bus } = now;
  const { id, name, load, holder, senders, receivers, limits, hosts } = presence;
  return {
    ...around,
    machines: [
      {
        ...{ id, name, version, clock: null, isReachable: null, isLeased: holder !== null },
        sample: load && freshSample(load, (nowNs - load.atNs) / 1e9),
        ends: { sender: senders, receiver: receivers },
      },
    ],
    agent: {
      ...{ bus, streamsLimit: limits.streams },
      presenceAgeSeconds: saidNs === null ? null : (nowNs - saidNs) / 1e9,
      hosts: {
        sending: hosts.filter(({ role }) => role === 'sending').length,
        receiving: hosts.filter(({ role }) => role === 'receiving').length,
      },
    },
  };
}
