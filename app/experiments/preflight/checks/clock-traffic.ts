import { createSocket, type Socket } from 'node:dgram';
import { NotKnown } from '../../../engine/machine/facts';
import { type Check, type CheckContext, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, warning } from '../line';
import { multicastAddress } from '../multicast-dns';
import { lined } from '../shared-reasons';

/** Of PTP over UDP, versions 1 and 2. Source: IEEE 1588, annex D. */
const ports = [319, 320] as const;
/** Version 1 has one group for each of its four domains; version 2 the first of them, and one between neighbours. */
const groups = ['224.0.1.129', '224.0.1.130', '224.0.1.131', '224.0.1.132', '224.0.0.107'];

export interface ClockMessages {
  version1: number;
  version2: number;
  /** Addresses that sent them. */
  senders: string[];
  seconds: number;
}

/** Of a message of PTP; null for anything else. */
export function ptpVersion(message: Buffer): 1 | 2 | null {
  // Version 1 begins with its number as 16 bits; version 2 has it in the low half of its second byte.
  if (message.length >= 40 && message.readUInt16BE(0) === 1) return 1;
  if (message.length >= 34 && ((message[1] ?? 0) & 0x0f) === 2) return 2;
  return null;
}

export function judgeClockTraffic(messages: ClockMessages): Line {
  const { version1, version2, senders, seconds } = messages;
  const details = { ...messages };
  if (version1 + version2 === 0) return ok(foundOf('no-clock-heard', { seconds }), details);
  return warning(foundOf('clocks-heard', { version1, version2, seconds, senders: lined(senders) }), details);
}

/** @throws NotKnown if the ports cannot be opened */
async function listen(
  address: string,
  seconds: number,
  { clock, signal }: Pick<CheckContext, 'clock' | 'signal'>,
): Promise<ClockMessages> {
  const messages: ClockMessages = { version1: 0, version2: 0, senders: [], seconds };
  const sockets: Socket[] = [];
  try {
    for (const port of ports) {
      sockets.push(
        await joined(port, address, (message, from) => {
          const version = ptpVersion(message);
          if (version === null) return;
          messages[version === 1 ? 'version1' : 'version2'] += 1;
          if (!messages.senders.includes(from)) messages.senders.push(from);
        }),
      );
    }
    await clock.sleep(seconds * 1000, signal);
    return messages;
  } finally {
    for (const socket of sockets) socket.close();
  }
}

function joined(
  port: number,
  address: string,
  onMessage: (message: Buffer, from: string) => void,
): Promise<Socket> {
  // A PTP daemon of this machine may have the port too.
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      socket.close();
      const isRefused = error.code === 'EACCES';
      reject(isRefused ? new NotFoundOut(foundOf('clock-ports-refused')) : new NotKnown(error.message));
    };
    socket.once('error', fail);
    socket.on('message', (message, { address: from }) => onMessage(message, from));
    socket.bind(port, () => {
      try {
        for (const group of groups) socket.addMembership(group, address);
      } catch (error) {
        return fail(error as NodeJS.ErrnoException);
      }
      socket.removeListener('error', fail).on('error', () => undefined);
      resolve(socket);
    });
  });
}

export const clockTraffic: Check = {
  id: 'clock-traffic',
  async run(context) {
    const address = multicastAddress(context.interfaceName);
    return judgeClockTraffic(await listen(address, context.parameters.durationSeconds, context));
  },
};
