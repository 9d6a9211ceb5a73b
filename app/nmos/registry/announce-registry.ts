import { hostname } from 'node:os';
import type { Clock } from '../../protocol/clock';
import { Announcer } from '../discovery/announce';
import { MulticastLink } from '../discovery/link';
import { type ServiceType, serviceTypes } from '../discovery/service-types';
import { apiVersions } from './resource';

/** Of a registry, IS-04 Discovery – Registered Operation and IS-09 Discovery – Operation: `_nmos-registration` is for v1.2 alone. */
const announced: readonly { type: ServiceType; versions: readonly string[] }[] = [
  { type: serviceTypes.register, versions: apiVersions },
  { type: serviceTypes.registration, versions: ['v1.2'] },
  { type: serviceTypes.query, versions: apiVersions },
  { type: serviceTypes.system, versions: ['v1.0'] },
];

const longestInstance = 63;

export interface AnnouncementOptions {
  /** The interfaces with these addresses are announced on. */
  hosts: readonly string[];
  /** Of the registry. */
  port: number;
  /** 0 first; from 100 on for development. */
  priority: number;
  /** Of multicast DNS; for tests another than the usual. */
  multicastPort?: number;
  clock: Clock;
  log?: (line: string) => void;
}

/**
 * Announces the APIs of a registry by multicast DNS; resolves to what withdraws them.
 * @throws WhitelineError if multicast DNS cannot be spoken there
 */
export async function announceRegistry(options: AnnouncementOptions): Promise<() => Promise<void>> {
  const { hosts, port, priority, multicastPort, clock, log } = options;
  const link = await MulticastLink.open({ hosts, port: multicastPort, clock });
  const announcer = new Announcer(link, clock, log);
  const close = async (): Promise<void> => {
    await announcer.close();
    await link.close();
  };
  const instance = `Whiteline registry ${port} ${hostname()}`.slice(0, longestInstance);
  const claims = announced.map(({ type, versions }) => {
    const txt = { api_proto: 'http', api_ver: versions.join(','), api_auth: 'false', pri: String(priority) };
    return announcer.announce({ type, instance, port, txt });
  });
  try {
    await Promise.all(claims);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}
