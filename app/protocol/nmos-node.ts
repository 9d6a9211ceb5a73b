import { z } from 'zod';
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

const mostReceivers = 64;

/** Each as it is set for this machine; the node is off until it is switched on. */
export const nmosNodeFields = {
  nmosNode: z.boolean().default(false),
  nmosRegistry: z
    .string()
    .max(300)
    .regex(/^http:\/\/[^/\s?#]+\/?$/)
    .nullable()
    .default(null),
  nmosHost: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  nmosPort: z.int().min(0).max(65_535).default(0),
  nmosReceivers: z.int().min(1).max(mostReceivers).default(4),
};
export const nmosNodeFieldsSchema = z.strictObject(nmosNodeFields);
export type NmosNodeFields = z.infer<typeof nmosNodeFieldsSchema>;

/** What each field accepts, as error messages say it. */
export const expectedOfNmosNode: Record<keyof NmosNodeFields, string> = {
  nmosNode: 'on or off',
  nmosRegistry: 'a URL of HTTP without a path, or nothing',
  nmosHost: 'an address of this machine',
  nmosPort: 'a whole number from 0 to 65535',
  nmosReceivers: `a whole number from 1 to ${mostReceivers}`,
};

export const examplesOfNmosNode: Partial<Record<keyof NmosNodeFields, string>> = {
  nmosRegistry: 'For example http://192.0.2.9:8010',
  nmosHost: 'For example 127.0.0.1 or 192.0.2.7',
};

/** What became of the console's node, as windows show it. */
export type NmosNodeView =
  | { is: 'off' }
  /** It begins to listen, and asks for the heartbeat interval. */
  | { is: 'starting' }
  /** No registry is known yet. */
  | NmosNodeAt<{ is: 'searching' }>
  | NmosNodeAt<{ is: 'registering'; registry: string }>
  /** `warning`: why controllers elsewhere do not reach it, or what of it the registry refused. */
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
