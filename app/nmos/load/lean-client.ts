import { connect, type Socket } from 'node:net';
import type { Answer, HttpClient, SmallAsking } from '../node/http-client';
import { AnswerReader, type ReadAnswer } from './answer-reader';

const givenUp = 'the request was aborted';

/** On a new connection, in which a server that closes after its first answer without saying so has closed. */
const firstRestMs = 5;
/** One that closes later has waited for another request. */
const closedAtOnceMs = 1000;

interface Request {
  text: string;
  /** Called once. */
  end(outcome: ReadAnswer | Error): void;
}

/**
 * An HTTP/1.1 client that takes a quarter of the processor time that `node:http` takes for a small request, so that thousands of nodes
 * in one process load a registry and not themselves. No TLS, redirects or cookies; connections are kept, one request at a time on each.
 */
export class LeanClient implements HttpClient {
  private readonly hosts = new Map<string, Host>();
  /** Of requests that are under way, by what ends them: a listener for each request would cost more than the request’s text. */
  private readonly abortable = new WeakMap<AbortSignal, Set<() => void>>();

  private newestUrl: { text: string; parsed: URL } | null = null;

  /** @param connections to each host; requests beyond them wait in turn */
  constructor(private readonly connections: number) {}

  ask({ method, url, body, timeoutMs, signal }: SmallAsking): Promise<Answer> {
    if (signal?.aborted) return Promise.reject(new Error(givenUp));
    return new Promise((resolve, reject) => {
      const { host: name, pathname, search } = this.parsedUrl(url);
      const content = body === undefined ? '' : JSON.stringify(body);
      const type = body === undefined ? '' : 'Content-Type: application/json\r\n';
      const length = `Content-Length: ${Buffer.byteLength(content)}\r\n`;
      const head = `${method} ${pathname}${search} HTTP/1.1\r\nHost: ${name}\r\nAccept: application/json\r\n${type}${length}\r\n`;
      const host = this.hostOf(name);
      const request: Request = {
        text: head + content,
        end: (outcome) => {
          clearTimeout(timer);
          aborts?.delete(abort);
          if (outcome instanceof Error) reject(outcome);
          else resolve(answerOf(outcome));
        },
      };
      const giveUp = (reason: string): void => host.giveUp(request, new Error(reason));
      const abort = (): void => giveUp(givenUp);
      const timer = setTimeout(giveUp, timeoutMs, `no answer within ${timeoutMs / 1000} s`);
      const aborts = signal && this.abortsOf(signal);
      aborts?.add(abort);
      host.take(request);
    });
  }

  close(): void {
    for (const host of this.hosts.values()) host.close();
    this.hosts.clear();
  }

  /** A node sends its heartbeats to the same URL each time. */
  private parsedUrl(url: string): URL {
    if (url !== this.newestUrl?.text) this.newestUrl = { text: url, parsed: new URL(url) };
    return this.newestUrl.parsed;
  }

  private abortsOf(signal: AbortSignal): Set<() => void> {
    const known = this.abortable.get(signal);
    if (known) return known;
    const aborts = new Set<() => void>();
    this.abortable.set(signal, aborts);
    signal.addEventListener('abort', () => {
      for (const abort of [...aborts]) abort();
    });
    return aborts;
  }

  private hostOf(name: string): Host {
    const known = this.hosts.get(name);
    if (known) return known;
    const host = new Host(name, this.connections);
    this.hosts.set(name, host);
    return host;
  }
}

/** Connections to one host, and the requests that wait for one. */
class Host {
  /** A connection was closed by it in place of a second answer: none is used twice any more. */
  private closesAfterAnswer = false;
  private readonly hostname: string;
  private readonly port: number;
  private readonly open = new Set<Connection>();
  private readonly idle: Connection[] = [];
  private waiting: Request[] = [];

  constructor(
    name: string,
    private readonly most: number,
  ) {
    const { hostname, port } = new URL(`http://${name}`);
    this.hostname = hostname.replace(/^\[(.*)\]$/, '$1');
    this.port = port === '' ? 80 : Number(port);
  }

  take(request: Request): void {
    const connection = this.rested() ?? this.opened();
    if (connection) connection.send(request);
    else this.waiting.push(request);
  }

  giveUp(request: Request, reason: Error): void {
    const place = this.waiting.indexOf(request);
    if (place >= 0) {
      this.waiting.splice(place, 1);
      request.end(reason);
    }
    for (const connection of this.open) if (connection.request === request) connection.fail(reason);
  }

  close(): void {
    const reason = new Error('the HTTP client was closed');
    for (const request of this.waiting) request.end(reason);
    this.waiting = [];
    for (const connection of this.open) connection.fail(reason);
  }

  private rested(): Connection | undefined {
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (connection.mayRestUntilMs > performance.now()) return connection;
      connection.destroy();
    }
    return undefined;
  }

  private opened(): Connection | undefined {
    if (this.open.size >= this.most) return undefined;
    const connection = new Connection(connect({ host: this.hostname, port: this.port, noDelay: true }), {
      mayRest: () => !this.closesAfterAnswer,
      closedEarly: () => {
        this.closesAfterAnswer = true;
      },
      free: () => {
        const next = this.waiting.shift();
        if (next) connection.send(next);
        else this.idle.push(connection);
      },
      gone: () => {
        this.open.delete(connection);
        const place = this.idle.indexOf(connection);
        if (place >= 0) this.idle.splice(place, 1);
        const next = this.waiting.shift();
        if (next) this.take(next);
      },
    });
    this.open.add(connection);
    return connection;
  }
}

class Connection {
  request: Request | null = null;
  mayRestUntilMs = 0;
  private answers = 0;
  private answeredAtMs = 0;
  private firstRest: NodeJS.Timeout | undefined;
  private readonly reader = new AnswerReader();
  private isGone = false;

  constructor(
    private readonly socket: Socket,
    private readonly on: { free(): void; gone(): void; mayRest(): boolean; closedEarly(): void },
  ) {
    socket.on('data', (bytes: Buffer) => this.read(bytes));
    socket.on('end', () => {
      const isEarly = performance.now() - this.answeredAtMs < closedAtOnceMs;
      if (this.answers === 1 && isEarly) this.on.closedEarly();
      if (this.request === null) this.destroy();
      const answer = this.reader.end();
      if (answer) this.answer(answer);
    });
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () =>
      this.fail(new Error('the connection was closed before the answer was complete')),
    );
  }

  send(request: Request): void {
    this.request = request;
    this.socket.write(request.text);
  }

  fail(reason: Error): void {
    const { request } = this;
    this.request = null;
    this.destroy();
    request?.end(reason);
  }

  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    clearTimeout(this.firstRest);
    this.socket.destroy();
    this.on.gone();
  }

  private read(bytes: Buffer): void {
    // Nothing was asked: a server that is about to close says so.
    if (this.request === null) {
      this.destroy();
      return;
    }
    try {
      const answer = this.reader.read(bytes);
      if (answer) this.answer(answer);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private answer(answer: ReadAnswer): void {
    const { request } = this;
    this.request = null;
    this.answeredAtMs = performance.now();
    this.mayRestUntilMs = this.answeredAtMs + answer.restSeconds * 1000;
    this.answers++;
    if (answer.restSeconds === 0 || this.reader.hasRest || !this.on.mayRest()) this.destroy();
    else if (this.answers > 1) this.on.free();
    else this.firstRest = setTimeout(() => this.on.free(), firstRestMs);
    request?.end(answer);
  }
}

/** Most bodies, those of answers to heartbeats, are never read: they are parsed where they are. */
function answerOf({ status, date, body }: ReadAnswer): Answer {
  return {
    ...{ status, date },
    get body() {
      return parsed(body);
    },
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
