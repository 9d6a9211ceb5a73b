/** An answer of HTTP as it came. */
export interface ReadAnswer {
  status: number;
  body: Buffer;
  date?: string;
  /** How long the connection may rest before it is used again, in s; 0: it may not be used again. */
  restSeconds: number;
}

const mostHeadBytes = 16_384;
const mostLineBytes = 1024;
const mostBytes = 1_000_000;
/** Servers that say nothing keep a connection at least as long as this, or close it where it is seen. */
const usualRestSeconds = 60;
const nothing = Buffer.alloc(0);

type Next = 'head' | 'length' | 'close' | 'size' | 'chunk' | 'chunk-end' | 'trailer';

/**
 * Reads one answer after the other from a connection, in whatever pieces it comes. Source: RFC 9112 sections 4 to 7, RFC 9110.
 * A request of ours is never HEAD or CONNECT, whose answers have no body.
 */
export class AnswerReader {
  private next: Next = 'head';
  private held: Buffer = nothing;
  private parts: Buffer[] = [];
  /** Of this answer, heads of interim answers included. */
  private bytes = 0;
  /** Bytes of the body or of the chunk that are still to come. */
  private left = 0;
  private answer: Omit<ReadAnswer, 'body'> = { status: 0, restSeconds: 0 };

  /** Bytes came that belong to no answer yet. */
  get hasRest(): boolean {
    return this.held.length > 0;
  }

  /** @returns null while it is not whole @throws Error in words for what is no answer of HTTP/1 */
  read(bytes: Buffer): ReadAnswer | null {
    this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    for (;;) {
      if (this.next === 'close') this.takeBody(this.held.length);
      if (this.next === 'length' || this.next === 'chunk') this.left -= this.takeBody(this.left);
      if (this.next === 'close' || this.left > 0) return null;
      if (this.next === 'length') return this.whole();
      if (this.next === 'chunk') this.next = 'chunk-end';
      const text =
        this.next === 'head'
          ? this.takeUntil('\r\n\r\n', mostHeadBytes)
          : this.takeUntil('\r\n', mostLineBytes);
      if (text === null) return null;
      if (this.next === 'head') this.readHead(text);
      else if (this.next === 'size') this.readSize(text);
      else if (this.next === 'trailer' && text === '') return this.whole();
      else if (this.next === 'chunk-end') {
        if (text !== '') throw new Error('a chunk of the answer is longer than its declared size');
        this.next = 'size';
      }
    }
  }

  /** The connection is closed. @returns null if that ends no answer */
  end(): ReadAnswer | null {
    return this.next === 'close' ? this.whole() : null;
  }

  private whole(): ReadAnswer {
    const [first = nothing] = this.parts;
    const body = this.parts.length > 1 ? Buffer.concat(this.parts) : first;
    this.parts = [];
    this.bytes = 0;
    this.next = 'head';
    return { ...this.answer, body };
  }

  private readHead(text: string): void {
    const found = /^HTTP\/1\.([01]) (\d{3})(?: |\r\n|$)/.exec(text);
    if (!found) {
      const [line = ''] = text.split('\r\n', 1);
      throw new Error(`the answer is not HTTP: it begins with ${JSON.stringify(line.slice(0, 40))}`);
    }
    const status = Number(found[2]);
    if (status === 101) throw new Error('the answer switches to another protocol');
    if (status < 200) return;
    const { length, coding, connection, keepAlive, date } = fieldsOf(text);
    const isChunked = coding === 'chunked';
    if (coding !== undefined && !isChunked)
      throw new Error(`the answer has an unknown transfer coding: ${coding.slice(0, 40)}`);
    const isEmpty = status === 204 || status === 304;
    this.left = isEmpty || isChunked || length === undefined ? 0 : lengthOf(length);
    if (isChunked && !isEmpty) this.next = 'size';
    else this.next = isEmpty || length !== undefined ? 'length' : 'close';
    const isKept =
      this.next !== 'close' &&
      !/\bclose\b/i.test(connection ?? '') &&
      (found[1] === '1' || /\bkeep-alive\b/i.test(connection ?? ''));
    const hint = /\btimeout=(\d{1,6})/.exec(keepAlive ?? '')?.[1];
    this.answer = { status, date, restSeconds: isKept ? restOf(hint) : 0 };
  }

  private readSize(line: string): void {
    const size = /^([0-9a-f]{1,8})[\t ]*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) throw new Error('the answer has a chunk without a size');
    this.left = Number.parseInt(size, 16);
    this.next = this.left === 0 ? 'trailer' : 'chunk';
  }

  /** @returns how many of at most `most` bytes there were */
  private takeBody(most: number): number {
    const part = this.held.subarray(0, most);
    if (part.length === 0) return 0;
    this.count(part.length);
    this.parts.push(part);
    this.held = this.held.subarray(part.length);
    return part.length;
  }

  private takeUntil(end: string, most: number): string | null {
    const at = this.held.indexOf(end, 0, 'latin1');
    if (at > most || (at < 0 && this.held.length > most))
      throw new Error(
        `the answer has a ${this.next === 'head' ? 'head' : 'line'} of more than ${most} bytes`,
      );
    if (at < 0) return null;
    const text = this.held.toString('latin1', 0, at);
    this.count(at + end.length);
    this.held = this.held.subarray(at + end.length);
    return text;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > mostBytes) throw new Error('the answer is longer than 1 MB');
  }
}

interface Fields {
  length?: string;
  coding?: string;
  connection?: string;
  keepAlive?: string;
  date?: string;
}

const names: Record<string, keyof Fields> = {
  'content-length': 'length',
  'transfer-encoding': 'coding',
  connection: 'connection',
  'keep-alive': 'keepAlive',
  date: 'date',
};
const knownField = new RegExp(String.raw`\r\n(${Object.keys(names).join('|')}):([^\r\n]*)`, 'gi');

/** One pass over the head: most of its lines are of no use here. */
function fieldsOf(head: string): Fields {
  const fields: Fields = {};
  knownField.lastIndex = 0;
  for (let found = knownField.exec(head); found; found = knownField.exec(head)) {
    const [, name = '', text = ''] = found;
    const field = names[name.toLowerCase()];
    if (field === undefined) continue;
    const value = text.trim();
    fields[field] = fields[field] === undefined ? value : `${fields[field]}, ${value}`;
  }
  if (fields.coding) fields.coding = fields.coding.toLowerCase();
  return fields;
}

/** RFC 9112 section 6.3: several that are the same are one. */
function lengthOf(text: string): number {
  const [length = '', ...others] = text.split(',').map((one) => one.trim());
  if (!/^\d{1,15}$/.test(length) || others.some((other) => other !== length))
    throw new Error(`the answer has an invalid Content-Length: ${text.slice(0, 40)}`);
  return Number(length);
}

/** A server closes when this is over, which the request of that moment would not survive: one second less. */
function restOf(hintSeconds: string | undefined): number {
  return hintSeconds === undefined ? usualRestSeconds : Math.max(0, Number(hintSeconds) - 1);
}
