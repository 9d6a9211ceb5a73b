import type { RoleTraffic } from '../../protocol/load';
import type { TrafficGap, TrafficLook } from '../../protocol/socket-traffic';

/** The newest looks of stream hosts at their own sockets, by the id of their process. */
export type TrafficLooks = ReadonlyMap<number, TrafficLook>;

export const trafficReasons = {
  none: 'none of its processes has looked at its sockets yet',
  fresh: 'a process was started in this second',
  silent: 'a process reported nothing in this second',
  system: 'this system does not report the bytes of a socket',
};

/** Why it is not known what they carried. */
export const gapReasons: Record<TrafficGap, string> = {
  'not-allowed': 'streams may travel over UDP, and only root may count the bytes of UDP',
  'no-library':
    'streams may travel over UDP, and the library that counts its bytes, libnftables, is not installed',
  'no-kernel-support':
    'streams may travel over UDP, and this kernel has no nf_tables that counts its bytes (Linux 5.12 or newer)',
  unreadable: 'streams may travel over UDP, and the system’s counters of its bytes could not be read',
  'shared-port': 'another process has a UDP socket at the same port: whose bytes were counted is not known',
  fragments: 'datagrams of IPv6 came in fragments: their bytes cannot be counted',
  'new-socket': 'a UDP socket was opened in this second: what it carried at first was not counted',
  'closed-socket':
    'a TCP connection was closed in this second: what it carried since it was last looked at was not counted',
};

/** What the processes of a role carried between two looks of each of them, or why it is not known. */
export function compareTraffic(before: TrafficLooks, now: TrafficLooks): RoleTraffic | string {
  if (now.size === 0) return trafficReasons.none;
  let [sentMbps, receivedMbps] = [0, 0];
  for (const [processId, { atNs, sockets }] of now) {
    const old = before.get(processId);
    if (!old) return trafficReasons.fresh;
    if (atNs <= old.atNs) return trafficReasons.silent;
    if (!sockets || !old.sockets) return trafficReasons.system;
    if (sockets.gaps > old.sockets.gaps) return gapReasons[sockets.newestGap ?? 'unreadable'];
    const mbps = (bytes: number): number => (8e3 * bytes) / (atNs - old.atNs);
    sentMbps += mbps(sockets.sentBytes - old.sockets.sentBytes);
    receivedMbps += mbps(sockets.receivedBytes - old.sockets.receivedBytes);
  }
  return { sentMbps, receivedMbps };
}
