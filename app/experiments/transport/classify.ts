import type { Transport } from './declaration';
import type { Socket, SocketLook } from './sockets';

/** single-tcp: the control connection itself, which NDI falls back to, over loopback for example. */
export type SeenTransport = Transport | 'single-tcp';

/** What sockets say of the way that pictures took. */
export interface Seen {
  /** Several where several carry pictures; none if no socket can. */
  transports: SeenTransport[];
  /** What the sending process's connections sent, Mb/s. */
  tcpMbps: number;
  /** What the sender's machine transmitted in all, Mb/s. */
  networkMbps: number;
  tcpConnections: number;
  udpSockets: number;
  /** What was seen, for the reason of a row. */
  text: string;
}

/** A control connection takes some kb/s; pictures of the smallest stream take more than this. */
const carriesMbps = 0.5;
/** NDI's ports: control from 5960, RUDP the same in UDP; several TCP connections and UDP from 6960 and 7960. */
const isRudpPort = (port: number): boolean => port >= 5960 && port < 6960;
const isStreamPort = (port: number): boolean => port >= 6960 && port < 8960;

/** Of two samples of the same processes while pictures travel; what a connection sent before the first does not count. */
export function transportSeen(before: SocketLook, after: SocketLook): Seen {
  const seconds = (after.atNs - before.atNs) / 1e9;
  const connections = after.sending.filter(({ protocol, state }) => protocol === 'tcp' && state === 'ESTAB');
  const mbpsOf = (sockets: readonly Socket[]): number => {
    const bytes = sockets.reduce((sum, socket) => sum + socket.bytesSent - sentBefore(before, socket), 0);
    return (bytes * 8) / 1e6 / seconds;
  };
  const several = connections.filter(
    ({ localPort, peerPort }) => isStreamPort(localPort) || isStreamPort(peerPort),
  );
  const control = connections.filter((socket) => !several.includes(socket));
  const connected = after.sending.filter(({ protocol, peerPort }) => protocol === 'udp' && peerPort > 0);
  const groups = new Set(after.groups);
  const transports: SeenTransport[] = [
    ...(mbpsOf(several) >= carriesMbps ? (['tcp'] as const) : []),
    ...(mbpsOf(control) >= carriesMbps ? (['single-tcp'] as const) : []),
  ];
  // ss does not report the traffic of UDP sockets: they count where TCP does not carry the pictures.
  if (transports.length === 0) {
    if (connected.some(({ peerAddress }) => groups.has(peerAddress))) transports.push('multicast');
    const unicast = connected.filter(({ peerAddress }) => !isMulticast(peerAddress));
    if (unicast.some(({ peerPort }) => isRudpPort(peerPort))) transports.push('rudp');
    if (unicast.some(({ peerPort }) => isStreamPort(peerPort))) transports.push('udp');
  }
  const udpSockets = [...after.sending, ...after.receiving].filter(({ protocol }) => protocol === 'udp');
  const tcpMbps = mbpsOf(connections);
  const networkMbps = ((after.transmittedBytes - before.transmittedBytes) * 8) / 1e6 / seconds;
  const seen = {
    networkMbps,
    transports,
    tcpMbps,
    tcpConnections: connections.length,
    udpSockets: udpSockets.length,
  };
  return { ...seen, text: textOf(seen) };
}

function sentBefore({ sending }: SocketLook, { localPort, peerAddress, peerPort }: Socket): number {
  const same = sending.find(
    (socket) =>
      socket.protocol === 'tcp' &&
      socket.localPort === localPort &&
      socket.peerAddress === peerAddress &&
      socket.peerPort === peerPort,
  );
  return same?.bytesSent ?? 0;
}

function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first < 240;
}

function textOf({ transports, tcpMbps, tcpConnections, udpSockets }: Omit<Seen, 'text'>): string {
  const what = transports.length > 0 ? transports.join(' and ') : 'no transport';
  return `${what} was seen: ${tcpMbps.toFixed(2)} Mb/s over ${tcpConnections} TCP connections, ${udpSockets} UDP sockets`;
}
