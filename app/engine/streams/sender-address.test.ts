import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { listeningPorts, parseListening, senderAddress } from './sender-address';

const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1749 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 36041 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1749 0100007F:D2A4 01 00000000:00000000 00:00000000 00000000     0        0 36055 1 0000000000000000 20 4 30 10 -1
`;

test('of the sockets of a machine those that listen are reported, with their ports', () => {
  expect(parseListening(text)).toEqual([{ port: 5961, inode: '36041' }]);
});

function listen(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, port: (server.address() as { port: number }).port }),
    );
  });
}

test.runIf(process.platform === 'linux')('a process is reached where it alone listens', async () => {
  const before = listeningPorts(process.pid);
  const { server, port } = await listen();
  expect(listeningPorts(process.pid).filter((one) => !before.includes(one))).toEqual([port]);
  if (before.length === 0) expect(senderAddress(process.pid)).toBe(`127.0.0.1:${port}`);
  const other = await listen();
  expect(senderAddress(process.pid)).toBeUndefined();
  server.close();
  other.server.close();
});

test('a process that is gone is reached nowhere', () => {
  expect(senderAddress(2 ** 30)).toBeUndefined();
});
