import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** Any: nothing is sent. */
const port = 9;

/** The address of this machine from which it reaches another one at that address of IPv4; null: no way leads there. */
export function addressTowards(address: string): Promise<string | null> {
  if (!isIPv4(address)) return Promise.resolve(null);
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const end = (found: string | null): void => {
      socket.close();
      resolve(found);
    };
    socket.once('error', () => end(null));
    socket.connect(port, address, () => end(socket.address().address));
  });
}
