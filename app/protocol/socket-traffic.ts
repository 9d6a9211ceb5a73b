/** What the sockets of one process carried since its first look. */
export interface SocketTraffic {
  /** Payload over TCP, what was sent again included; that of closed sockets up to the last look before their end. */
  sentBytes: number;
  receivedBytes: number;
  tcpSockets: number;
  /** Those of mDNS apart. The system does not count the bytes of a UDP socket. */
  udpSockets: number;
}

/** What a stream host carried at one moment; null: its system does not report it. */
export interface TrafficLook {
  atNs: number;
  sockets: SocketTraffic | null;
}
