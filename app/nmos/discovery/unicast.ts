import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { RECURSION_DESIRED } from 'dns-packet';
import type { Clock } from '../../protocol/clock';
import { connectionWords } from '../connection-words';
import { type DnsMessage, decodeMessage, encodeQuery, type QuestionType, type ServiceRecord } from './codec';
import type { DnsProblem, DnsServer } from './dns-problem';
import { type DiscoveredService, instanceOf, serviceOf } from './service';
import type { ServiceType } from './service-types';

export interface UnicastBrowsing {
  services: DiscoveredService[];
  /** Of the first question that failed: what was found before it stands. */
  problem: DnsProblem | null;
}

const noSuchName = 3;
/** A network that loses packets may lose two. */
const tries = 3;
/** More registries than any real domain has; limits a hostile server. */
const mostInstances = 500;

/**
 * Browses a domain at a DNS server, RFC 6763 section 4 over RFC 1035.
 * @param timeoutMs for each question, all tries together
 */
export async function browseUnicast(
  server: DnsServer,
  domain: string,
  types: readonly ServiceType[],
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<UnicastBrowsing> {
  const services: DiscoveredService[] = [];
  try {
    for (const type of types)
      services.push(...(await browseType({ server, domain, type, timeoutMs, clock })));
    return { services, problem: null };
  } catch (error) {
    if (error instanceof DnsFailure) return { services, problem: error.problem };
    throw error;
  }
}

interface TypeAtServer {
  server: DnsServer;
  domain: string;
  type: ServiceType;
  timeoutMs: number;
  clock: Pick<Clock, 'after'>;
}

async function browseType({
  server,
  domain,
  type,
  timeoutMs,
  clock,
}: TypeAtServer): Promise<DiscoveredService[]> {
  const place = [...type.split('.'), ...domain.split('.').filter((label) => label !== '')];
  const ask = (labels: readonly string[], question: QuestionType): Promise<ServiceRecord[]> =>
    askServer(server, labels, question, timeoutMs, clock);
  const pointers = await ask(place, 'PTR');
  const ending = place.slice(2).join('.');
  const instances = pointers.flatMap((record) => {
    const instance = record.type === 'PTR' ? instanceOf(record.target, type, ending) : null;
    return instance === null ? [] : [instance];
  });
  const services: DiscoveredService[] = [];
  for (const instance of [...new Set(instances)].slice(0, mostInstances)) {
    const records = [
      ...(await ask([instance, ...place], 'SRV')),
      ...(await ask([instance, ...place], 'TXT')),
    ];
    const host = records.find((record) => record.type === 'SRV')?.target;
    for (const question of ['A', 'AAAA'] as const)
      if (host !== undefined && host !== '.') records.push(...(await ask(host.split('.'), question)));
    services.push(serviceOf(records, type, instance, ending));
  }
  return services;
}

class DnsFailure extends Error {
  constructor(readonly problem: DnsProblem) {
    super(problem.code);
  }
}

/** Answers and what came along with them; none for a name that does not exist. @throws DnsFailure */
async function askServer(
  server: DnsServer,
  labels: readonly string[],
  type: QuestionType,
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<ServiceRecord[]> {
  const id = randomInt(0x10000);
  const question = encodeQuery({ id, questions: [{ labels, type }] }, RECURSION_DESIRED);
  const first = await askByDatagram(server, question, id, timeoutMs, clock);
  const message = first.isTruncated ? await askByConnection(server, question, id, timeoutMs, clock) : first;
  if (message.code === noSuchName) return [];
  if (message.code !== 0) throw new DnsFailure({ code: 'error-answer', rcode: message.code });
  return [...message.answers, ...message.additionals];
}

function askByDatagram(
  server: DnsServer,
  question: Buffer,
  id: number,
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<DnsMessage> {
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
  return new Promise<DnsMessage>((resolve, reject) => {
    let sent = 0;
    let stop = (): void => undefined;
    const fail = (problem: DnsProblem): void => reject(new DnsFailure(problem));
    const send = (): void => {
      if (sent++ < tries) {
        socket.send(question);
        stop = clock.after(timeoutMs / tries, send);
      } else fail({ code: 'silent', afterMs: timeoutMs });
    };
    socket.on('error', (error) => fail({ code: 'unreachable', reason: connectionWords(error) }));
    socket.on('close', () => stop());
    socket.on('message', (bytes) => {
      const message = decodeMessage(bytes);
      // Anything may arrive at a port; an answer has the number of its question.
      if (message?.isResponse && message.id === id) resolve(message);
    });
    // Connected, it takes datagrams of this server only, and hears that nothing listens there.
    socket.connect(server.port, server.address, () => send());
  }).finally(() => socket.close());
}

/** For an answer that does not fit a datagram, RFC 1035 section 4.2.2. */
function askByConnection(
  server: DnsServer,
  question: Buffer,
  id: number,
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<DnsMessage> {
  const socket = connect({ host: server.address, port: server.port });
  return new Promise<DnsMessage>((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const fail = (problem: DnsProblem): void => reject(new DnsFailure(problem));
    const stop = clock.after(timeoutMs, () => fail({ code: 'silent', afterMs: timeoutMs }));
    socket.on('close', () => {
      stop();
      fail({ code: 'unreadable' });
    });
    socket.on('error', (error) => fail({ code: 'unreachable', reason: connectionWords(error) }));
    socket.on('connect', () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(question.length);
      socket.write(Buffer.concat([length, question]));
    });
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part]);
      if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return;
      const message = decodeMessage(bytes.subarray(2, 2 + bytes.readUInt16BE(0)));
      if (message?.isResponse && message.id === id) resolve(message);
      else fail({ code: 'unreadable' });
    });
  }).finally(() => socket.destroy());
}
