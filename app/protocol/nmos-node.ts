import type { Problem } from './errors';

/** How the console is a node of NMOS, by the draft BCP-007-01: docs/nmos.md, "The console as a node". */
export interface NmosNodeSettings {
  /** URL of a registry; null: found by multicast DNS. */
  registry: string | null;
  /** Address of this machine at which controllers reach the node. */
  host: string;
  /** 0 takes one that is free; then the node has other ids after each start. */
  port: number;
  /** As many streams as controllers can make the console follow at once. */
  receivers: number;
}

export const usualNmosNode: NmosNodeSettings = { registry: null, host: '127.0.0.1', port: 0, receivers: 4 };
export const mostNmosReceivers = 64;

/** What became of the console's node, as windows show it. */
export type NmosNodeView =
  | { is: 'off' }
  /** It begins to listen, and asks for the heartbeat interval. */
  | { is: 'starting' }
  /** No registry is known yet. */
  | NmosNodeAt<{ is: 'searching' }>
  | NmosNodeAt<{ is: 'registering'; registry: string }>
  /** `warning`: why controllers elsewhere do not reach it, and what to do. */
  | NmosNodeAt<{
      is: 'registered';
      registry: string;
      version: string;
      resources: number;
      warning: string | null;
    }>
  /** It is not registered, or not there at all. `isRetried`: a registry that failed is asked again by itself. */
  | { is: 'problem'; address: string | null; registry: string | null; isRetried: boolean; problem: Problem };

type NmosNodeAt<State> = State & {
  /** Where it listens, for example http://127.0.0.1:8080. */
  address: string;
};
