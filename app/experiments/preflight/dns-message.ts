/** As much of DNS as multicast discovery needs: questions out, records in. Source: RFC 1035, RFC 6762. */

export const recordTypes = { a: 1, ptr: 12, srv: 33 } as const;

export interface Question {
  name: string;
  type: number;
}

export type DnsRecord =
  | { name: string; type: 'a'; address: string }
  | { name: string; type: 'ptr'; target: string }
  | { name: string; type: 'srv'; target: string; port: number };

const headerBytes = 12;
const classInternet = 1;
/** Names that point to each other without end are cut here. */
const mostPointers = 32;
const longestLabelBytes = 63;

export function encodeQuestions(questions: readonly Question[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(questions.length, 4);
  const parts = questions.map(({ name, type }) => {
    const end = Buffer.alloc(4);
    end.writeUInt16BE(type, 0);
    end.writeUInt16BE(classInternet, 2);
    return Buffer.concat([encodeName(name), end]);
  });
  return Buffer.concat([header, ...parts]);
}

/** A dot within a label is written \. as everywhere in DNS; NDI's names have them. */
function encodeName(name: string): Buffer {
  const labels = name.match(/(?:\\.|[^.\\])+/g) ?? [];
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label.replace(/\\(.)/g, '$1')).subarray(0, longestLabelBytes);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** The records of an answer that we know; empty for anything that is no sound answer: these are foreign bytes. */
export function parseAnswer(message: Buffer): DnsRecord[] {
  try {
    return new AnswerReader(message).records();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

class AnswerReader {
  private at = headerBytes;

  constructor(private readonly message: Buffer) {}

  /** @throws RangeError if the message ends too early */
  records(): DnsRecord[] {
    const { message } = this;
    const isAnswer = (message.readUInt16BE(2) & 0x8000) !== 0;
    if (!isAnswer) return [];
    const questions = message.readUInt16BE(4);
    const count = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
    for (let index = 0; index < questions; index++) {
      this.name();
      this.at += 4;
    }
    const records: DnsRecord[] = [];
    for (let index = 0; index < count; index++) {
      const record = this.record();
      if (record) records.push(record);
    }
    return records;
  }

  private record(): DnsRecord | null {
    const { message } = this;
    const name = this.name();
    const type = message.readUInt16BE(this.at);
    const dataBytes = message.readUInt16BE(this.at + 8);
    const data = this.at + 10;
    const end = data + dataBytes;
    if (end > message.length) throw new RangeError('the record is cut short');
    this.at = data;
    const record = this.data(name, type, data, dataBytes);
    this.at = end;
    return record;
  }

  private data(name: string, type: number, data: number, dataBytes: number): DnsRecord | null {
    const { message } = this;
    if (type === recordTypes.a && dataBytes === 4)
      return { name, type: 'a', address: [...message.subarray(data, data + 4)].join('.') };
    if (type === recordTypes.ptr) return { name, type: 'ptr', target: this.name() };
    if (type !== recordTypes.srv) return null;
    this.at = data + 6;
    return { name, type: 'srv', port: message.readUInt16BE(data + 4), target: this.name() };
  }

  private name(): string {
    const { message } = this;
    const labels: string[] = [];
    let at = this.at;
    let after: number | null = null;
    for (let pointers = 0; ; ) {
      const length = message.readUInt8(at);
      if (length === 0) break;
      if (length >= 0xc0) {
        after ??= at + 2;
        if (++pointers > mostPointers) throw new RangeError('the name points to itself');
        at = message.readUInt16BE(at) & 0x3fff;
        continue;
      }
      if (at + 1 + length > message.length) throw new RangeError('the name is cut short');
      labels.push(message.toString('utf8', at + 1, at + 1 + length).replace(/[.\\]/g, '\\$&'));
      at += 1 + length;
    }
    this.at = after ?? at + 1;
    return labels.join('.');
  }
}
