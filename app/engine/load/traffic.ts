import type { RoleTraffic } from '../../protocol/load';
import type { TrafficLook } from '../../protocol/socket-traffic';

/** The newest looks of stream hosts at their own sockets, by the id of their process. */
export type TrafficLooks = ReadonlyMap<number, TrafficLook>;

export const trafficReasons = {
  none: 'none of its processes has looked at its sockets yet',
  fresh: 'a process was started in this second',
  silent: 'a process reported nothing in this second',
  system: 'this system does not report the bytes of a socket',
  udp: 'streams may travel over UDP, and the system does not count the bytes of a UDP socket',
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
    if (sockets.udpSockets > 0 || old.sockets.udpSockets > 0) return trafficReasons.udp;
    const mbps = (bytes: number): number => (8e3 * bytes) / (atNs - old.atNs);
    sentMbps += mbps(sockets.sentBytes - old.sockets.sentBytes);
    receivedMbps += mbps(sockets.receivedBytes - old.sockets.receivedBytes);
  }
  return { sentMbps, receivedMbps };
}
