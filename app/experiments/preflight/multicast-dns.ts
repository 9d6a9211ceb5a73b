import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { NotFoundOut } from './check';
import { type DnsRecord, encodeQuestions, parseAnswer, type Question } from './dns-message';
import { foundOf } from './found-reasons';
import { ndiPorts } from './ports';

const group = '224.0.0.251';
/** Asked again, since a lost datagram is not repeated. */
const askEveryMs = 500;

/** An answer, and who gave it. */
export interface MulticastAnswer {
  from: string;
  records: DnsRecord[];
}

/**
 * The address of an interface that multicast leaves by.
 * @throws NotFoundOut if it has no IPv4 address, or is loopback
 */
export function multicastAddress(interfaceName: string): string {
  const addresses = networkInterfaces()[interfaceName] ?? [];
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (own) return own.address;
  throw new NotFoundOut(
    interfaceName === 'lo'
      ? foundOf('multicast-over-loopback')
      : foundOf('address-absent', { name: interfaceName }),
  );
}

/**
 * Asks all machines of the network and collects what they answer until the time is over or `isEnough`. A port of our own
 * is asked from, so that answers come to us alone.
 * @throws NotFoundOut if nothing can be sent
 */
export function askMulticast(
  questions: readonly Question[],
  address: string,
  options: { waitMs: number; signal?: AbortSignal; isEnough?(answers: MulticastAnswer[]): boolean },
): Promise<MulticastAnswer[]> {
  const { waitMs, signal, isEnough = () => false } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return resolve([]);
    const answers: MulticastAnswer[] = [];
    const socket = createSocket('udp4');
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearInterval(asking);
      signal?.removeEventListener('abort', stop);
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.close();
      settle();
    };
    const stop = (): void => end(() => resolve(answers));
    const fail = ({ message }: Error): void =>
      end(() => reject(new NotFoundOut(foundOf('multicast-not-sent', { why: message }))));
    const ask = (): void => {
      socket.send(
        encodeQuestions(questions),
        ndiPorts.mdns,
        group,
        (error) => error && socket.emit('error', error),
      );
    };
    const timer = setTimeout(stop, waitMs);
    let asking: NodeJS.Timeout | undefined;
    socket.once('error', fail);
    socket.on('message', (message, { address: from }) => {
      const records = parseAnswer(message);
      if (records.length > 0) answers.push({ from, records });
      if (isEnough(answers)) stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    socket.bind(0, address, () => {
      try {
        socket.setMulticastInterface(address);
        socket.setMulticastTTL(255);
      } catch (error) {
        return fail(error as Error);
      }
      ask();
      asking = setInterval(ask, askEveryMs);
    });
  });
}
