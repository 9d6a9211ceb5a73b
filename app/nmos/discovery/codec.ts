import { type Answer, AUTHORITATIVE_ANSWER, type DecodedPacket, decode, encode } from 'dns-packet';
import { badInput } from '../../protocol/errors';

/** As much of DNS as service discovery needs, out of and into bytes. Sources: RFC 1035, RFC 2782, RFC 6762, RFC 6763. */

export type ServiceRecord = { name: string; ttlSeconds: number; isFlush: boolean } & (
  | { type: 'PTR'; target: string }
  /** Priority and weight are 0 if they are not given. */
  | { type: 'SRV'; target: string; port: number; priority?: number; weight?: number }
  | { type: 'TXT'; texts: string[] }
  | { type: 'A' | 'AAAA'; address: string }
);

export type QuestionType = ServiceRecord['type'] | 'ANY';

export interface DnsQuestion {
  name: string;
  type: string;
}

export interface DnsMessage {
  id: number;
  isResponse: boolean;
  isTruncated: boolean;
  /** RCODE of RFC 1035 section 4.1.1: 0 no error, 2 server failure, 3 no such name, 5 refused. */
  code: number;
  questions: DnsQuestion[];
  answers: ServiceRecord[];
  /** What a probe is about to claim, RFC 6762 section 8.2. */
  authorities: ServiceRecord[];
  additionals: ServiceRecord[];
}

const headerBytes = 12;
export const longestLabelBytes = 63;
const longestNameBytes = 255;

/** Null for anything that is no DNS message: these are foreign bytes. */
export function decodeMessage(bytes: Buffer): DnsMessage | null {
  const packet = decoded(bytes);
  if (packet === null) return null;
  const { id = 0, flags = 0, questions = [], answers = [], authorities = [], additionals = [] } = packet;
  return {
    id,
    isResponse: packet.flag_qr,
    isTruncated: packet.flag_tc,
    code: flags & 0xf,
    questions: questions.map(({ name, type }) => ({ name, type })),
    answers: answers.flatMap(recordOf),
    authorities: authorities.flatMap(recordOf),
    additionals: additionals.flatMap(recordOf),
  };
}

function decoded(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}

function recordOf(answer: Answer): ServiceRecord[] {
  if (answer.type === 'OPT') return [];
  const common = { name: answer.name, ttlSeconds: answer.ttl ?? 0, isFlush: answer.flush ?? false };
  switch (answer.type) {
    case 'PTR':
      return [{ ...common, type: answer.type, target: answer.data }];
    case 'SRV':
      return [{ ...common, type: answer.type, ...answer.data }];
    case 'TXT':
      return [{ ...common, type: answer.type, texts: [answer.data].flat().map(String) }];
    case 'A':
    case 'AAAA':
      return [{ ...common, type: answer.type, address: answer.data }];
    default:
      return [];
  }
}

/** A question by labels: the name of a service may have dots in it, which text cannot hold apart. */
export interface Question {
  labels: readonly string[];
  type: QuestionType;
}

export interface MessageToSend {
  id?: number;
  questions?: readonly Question[];
  answers?: readonly ServiceRecord[];
  authorities?: readonly ServiceRecord[];
  additionals?: readonly ServiceRecord[];
}

/** @throws WhitelineError BAD_INPUT for a name that DNS cannot carry */
export function encodeQuery(message: MessageToSend, flags = 0): Buffer {
  return encodeMessage('query', flags, message);
}

/** @throws WhitelineError BAD_INPUT for a name that DNS cannot carry */
export function encodeResponse(message: MessageToSend): Buffer {
  return encodeMessage('response', AUTHORITATIVE_ANSWER, message);
}

function encodeMessage(type: 'query' | 'response', flags: number, message: MessageToSend): Buffer {
  const { id, questions = [], answers = [], authorities = [], additionals = [] } = message;
  const rest = encode({
    ...{ type, id, flags },
    answers: answers.map(answerOf),
    authorities: authorities.map(answerOf),
    additionals: additionals.map(answerOf),
  });
  rest.writeUInt16BE(questions.length, 4);
  return Buffer.concat([
    ...[rest.subarray(0, headerBytes), ...questions.map(encodeQuestion)],
    rest.subarray(headerBytes),
  ]);
}

function answerOf(record: ServiceRecord): Answer {
  const { name, ttlSeconds: ttl, isFlush: flush } = record;
  switch (record.type) {
    case 'PTR':
      return { name, ttl, flush, type: record.type, data: record.target };
    case 'SRV':
      return { name, ttl, flush, type: record.type, data: record };
    case 'TXT':
      return { name, ttl, flush, type: record.type, data: record.texts };
    default:
      return { name, ttl, flush, type: record.type, data: record.address };
  }
}

/** Numbers of types, RFC 1035 section 3.2.2, RFC 3596, RFC 2782. */
const typeNumbers = { PTR: 12, SRV: 33, TXT: 16, A: 1, AAAA: 28, ANY: 255 } as const;

function encodeQuestion({ labels, type }: Question): Buffer {
  const end = Buffer.alloc(4);
  end.writeUInt16BE(typeNumbers[type], 0);
  end.writeUInt16BE(1, 2);
  return Buffer.concat([encodeName(labels), end]);
}

function encodeName(labels: readonly string[]): Buffer {
  const parts = labels.flatMap((label) => {
    const bytes = labelBytes(label, 'name');
    return [Buffer.from([bytes.length]), bytes];
  });
  const name = Buffer.concat([...parts, Buffer.from([0])]);
  if (name.length > longestNameBytes)
    throw badInput('name', `at most ${longestNameBytes} bytes`, labels.join('.'), 'Use a shorter domain');
  return name;
}

/** @throws WhitelineError BAD_INPUT for a text that DNS cannot carry as one label */
export function labelBytes(label: string, field: string): Buffer {
  const bytes = Buffer.from(label);
  if (bytes.length === 0 || bytes.length > longestLabelBytes)
    throw badInput(field, `1 to ${longestLabelBytes} bytes`, label, 'Use a shorter name');
  return bytes;
}

/**
 * Which records of one name come later, by class, type and content in this order: negative where the others do. Of two that probe
 * for a name at once, the one with the later records gets it, RFC 6762 section 8.2.1. The class is always that of the Internet.
 */
export function compareRecords(ones: readonly ServiceRecord[], others: readonly ServiceRecord[]): number {
  const [sorted, otherSorted] = [ones, others].map((records) => records.map(comparable).sort(Buffer.compare));
  for (const [index, one] of (sorted ?? []).entries()) {
    const other = otherSorted?.[index];
    const order = other === undefined ? 1 : Buffer.compare(one, other);
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}

/** Type and content, as they are coded without compression. */
function comparable(record: ServiceRecord): Buffer {
  const coded = encode({ type: 'response', answers: [answerOf({ ...record, name: '.' })] });
  const afterName = headerBytes + 1;
  return Buffer.concat([coded.subarray(afterName, afterName + 2), coded.subarray(afterName + 10)]);
}

/** Names are the same whatever their case, RFC 1035 section 2.3.3. */
export function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
