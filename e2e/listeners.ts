import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Console, expect } from './app';

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

/**
 * Reaches each of them from here, forgets it, and gives how often they were reached in all: more than twice an address where
 * something else reached them before.
 */
export async function tryListeners({ addresses, tcpPort, udpPort, heard }: Listeners): Promise<number> {
  const sender = createSocket('udp4');
  for (const address of addresses) {
    sender.send('x', udpPort, address);
    const socket = connect(tcpPort, address);
    socket.on('connect', () => socket.destroy());
  }
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2 * addresses.length);
  sender.close();
  return heard.splice(0).length;
}

/** Until what the window asked of the browser and its network process before is on its way, or refused. */
export async function untilAskedFor({ app, page }: Console): Promise<void> {
  await page.evaluate(() =>
    (window as unknown as { whiteline: { readSettings(): Promise<unknown> } }).whiteline.readSettings(),
  );
  await app.evaluate(({ session }) => session.defaultSession.resolveProxy('http://192.0.2.1/'));
}
