import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A TCP and a UDP socket on all addresses of this machine, which write down what reaches them. */
export interface Listeners {
  /** With the loopback's and, where there is one, the machine's own. */
  addresses: string[];
  tcpPort: number;
  udpPort: number;
  heard: string[];
  close(): void;
}

export async function openListeners(): Promise<Listeners> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    heard.push(`tcp ${socket.localAddress}`);
    socket.on('data', (data) => heard.push(`tcp data ${data.subarray(0, 16).toString('hex')}`));
    socket.on('error', () => undefined);
  });
  const udp = createSocket('udp4', (data) => heard.push(`udp ${data.subarray(0, 16).toString('hex')}`));
  tcp.listen(0, '0.0.0.0');
  udp.bind(0, '0.0.0.0');
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  return {
    addresses: ['127.0.0.1', ...(own ? [own.address] : [])],
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    heard,
    close: () => {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
    },
  };
}

/** Reaches each of them from here, so that their silence means something; then forgets it. */
export async function tryListeners({ addresses, tcpPort, udpPort, heard }: Listeners): Promise<number> {
  const sender = createSocket('udp4');
  for (const address of addresses) {
    sender.send('x', udpPort, address);
    const socket = connect(tcpPort, address);
    socket.on('connect', () => socket.destroy());
  }
  const until = Date.now() + 15_000;
  while (heard.length < 2 * addresses.length && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10));
  sender.close();
  return heard.splice(0).length;
}
