/**
 * Why it is not known how much the sockets carried. Of UDP, not-allowed: only root may count it. no-kernel-support: no nf_tables
 * whose tables have an owner. unreadable: its counters could not be read. shared-port: another process has a socket at the same
 * port. fragments: datagrams of IPv6 came in fragments. new-socket: what one carried until it was seen was not counted. Of TCP,
 * closed-socket: what one carried between the last look and its end was not.
 */
export type TrafficGap =
  | 'not-allowed'
  | 'no-library'
  | 'no-kernel-support'
  | 'unreadable'
  | 'shared-port'
  | 'fragments'
  | 'new-socket'
  | 'closed-socket';

/** What the sockets of one process carried since its first look. */
export interface SocketTraffic {
  /**
   * Payload, what TCP sent again included; of closed TCP sockets up to the last look before their end. Of UDP, what passed the
   * firewall at the ports of own sockets.
   */
  sentBytes: number;
  receivedBytes: number;
  tcpSockets: number;
  /** Those of mDNS apart, which are not counted. */
  udpSockets: number;
  /** Looks since the one before which something is not in the sums, and why at the newest of them. */
  gaps: number;
  newestGap: TrafficGap | null;
}

/** What a stream host carried at one moment; null: its system does not report it. */
export interface TrafficLook {
  atNs: number;
  sockets: SocketTraffic | null;
}
