import { createSocket } from 'node:dgram';

/** A UDP port that no program has at this moment, for several sockets that share it. */
export function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
