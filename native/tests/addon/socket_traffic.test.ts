import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { addon } from './addon_fixture';

const isLinux = process.platform === 'linux';

function look() {
  const traffic = addon.socketTraffic();
  if (!traffic) throw new Error('This system does not report the bytes of a socket');
  return traffic;
}

async function pair() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  accepted.resume();
  return { server, client, accepted };
}

async function end(socket: Socket): Promise<void> {
  socket.destroy();
  if (!socket.closed) await once(socket, 'close');
}

test.runIf(isLinux)(
  'bytes of own sockets count exactly, stay counted when the socket is closed, and what is not counted of it is a gap',
  async () => {
    const before = look();
    const { server, client, accepted } = await pair();
    const bytes = 3_000_000;
    client.write(Buffer.alloc(bytes));
    while (accepted.bytesRead < bytes) await once(accepted, 'data');
    const open = look();
    // Both ends are of this process: what one sends the other receives. A busy machine sends some of it again.
    expect(open.sentBytes - before.sentBytes).toBeGreaterThanOrEqual(bytes);
    expect(open.receivedBytes - before.receivedBytes).toBe(bytes);
    expect(open.tcpSockets - before.tcpSockets).toBe(3);
    await end(client);
    await end(accepted);
    server.close();
    await once(server, 'close');
    const closed = look();
    expect(closed).toMatchObject({ sentBytes: open.sentBytes, receivedBytes: open.receivedBytes });
    expect(closed.tcpSockets).toBe(before.tcpSockets);
    expect([open.gaps, closed.gaps]).toEqual([before.gaps, open.gaps + 1]);
    expect(closed.newestGap).toBe('closed-socket');
    // A new one takes the file descriptors of those, and counts from 0.
    const next = await pair();
    next.client.write(Buffer.alloc(1000));
    while (next.accepted.bytesRead < 1000) await once(next.accepted, 'data');
    expect(look().sentBytes - closed.sentBytes).toBeGreaterThanOrEqual(1000);
    expect(look().sentBytes - closed.sentBytes).toBeLessThan(bytes);
    await end(next.client);
    await end(next.accepted);
    next.server.close();
  },
);

test.runIf(isLinux)('a socket that only listened left nothing uncounted', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = look();
  server.close();
  await once(server, 'close');
  const after = look();
  expect([after.tcpSockets, after.gaps]).toEqual([before.tcpSockets - 1, before.gaps]);
});

test.runIf(isLinux)('what is sent and what is received are told apart', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bytes = 100_000;
  const code = `require('node:net').connect(${port}, '127.0.0.1').write(Buffer.alloc(${bytes}))`;
  const before = look();
  const other = spawn(process.execPath, ['-e', code]);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.resume();
  while (socket.bytesRead < bytes) await once(socket, 'data');
  const after = look();
  expect(after.sentBytes).toBe(before.sentBytes);
  expect(after.receivedBytes - before.receivedBytes).toBe(bytes);
  other.kill();
  await end(socket);
  server.close();
});

test.runIf(isLinux)('UDP sockets are counted, but for those of mDNS', async () => {
  const before = look();
  const sockets = [createSocket('udp4'), createSocket({ type: 'udp4', reuseAddr: true })];
  for (const [index, socket] of sockets.entries()) {
    socket.bind(index === 0 ? 0 : 5353, '127.0.0.1');
    await once(socket, 'listening');
  }
  expect(look().udpSockets - before.udpSockets).toBe(1);
  for (const socket of sockets) socket.close();
});
