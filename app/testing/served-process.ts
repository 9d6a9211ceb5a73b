import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { EngineState } from '../protocol/console';
import { type ServedChannel, servedProtocol, tokenMark } from '../protocol/served';
import { decodeFrame } from '../protocol/socket-frame';
import { WhitelineCommand } from './command';

/** Of Node 18 and later, in which the tests run; what is tested runs in Node 16 too, of which the types are. */
declare module 'node:net' {
  interface Socket {
    readonly closed: boolean;
    resetAndDestroy(): this;
  }
}

/** The built `whiteline serve`, with the ways of a page into it and those of a stranger. */
export class ServedProcess {
  private constructor(
    readonly command: WhitelineCommand,
    readonly host: string,
    readonly token: string,
  ) {}

  static async start(runsFolder: string): Promise<ServedProcess> {
    const command = new WhitelineCommand(['serve', '--json', '--runs', runsFolder]);
    await command.says(/address/);
    const { host, hash } = new URL((JSON.parse(command.output) as { address: string }).address);
    return new ServedProcess(command, host, hash.slice(tokenMark.length));
  }

  get port(): number {
    return Number(this.host.split(':')[1]);
  }

  /** Of the serving process itself. */
  get processId(): number {
    const [processId] = this.command.processes(' serve ');
    if (processId === undefined) throw new Error(`whiteline serve is gone:\n${this.command.errors}`);
    return processId;
  }

  /** Memory that the process holds now. */
  residentMb(processId = this.processId): number {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  }

  /** Lines of the handshake of a page's WebSocket, each to be replaced. */
  upgrade(channel: string, headers: Record<string, string> = {}): string {
    const lines = {
      Host: this.host,
      Origin: `http://${this.host}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol': `${servedProtocol}, ${this.token}`,
      ...headers,
    };
    const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    return `GET /${channel} HTTP/1.1\r\n${text.join('')}\r\n`;
  }

  /** A connection without a word. */
  async knock(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async open(channel: ServedChannel): Promise<ServedPage> {
    const socket = new WebSocket(`ws://${this.host}/${channel}`, [servedProtocol, this.token], {
      origin: `http://${this.host}`,
    });
    const page = new ServedPage(socket);
    await once(socket, 'open');
    return page;
  }
}

/** What a port answers a request with. */
type Answer = Record<string, unknown>;

/** A page's end of one port. */
export class ServedPage {
  /** Above those of requests that a test writes itself. */
  private requestId = 1_000_000_000;
  private newest: EngineState | null = null;
  private readonly waiting: {
    requestId: number | null;
    resolve(answer: Answer): void;
    reject(error: Error): void;
  }[] = [];

  constructor(readonly socket: WebSocket) {
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      for (const { reject } of this.waiting.splice(0))
        reject(new Error(`the socket was closed with ${code}`));
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      const message = decodeFrame(data.toString()) as Answer & { state?: EngineState };
      if (message.type === 'state') this.newest = message.state ?? null;
      if ('requestId' in message) this.settle(message);
    });
  }

  /** The engine's state as it was reported last. */
  get state(): EngineState | null {
    return this.newest;
  }

  /** The next answer after a text as it is; rejected where the socket ends instead. */
  answerTo(text: string, requestId: number | null = null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ requestId, resolve, reject });
      this.socket.send(text);
    });
  }

  /** @throws where the request is refused */
  async ask(command: object): Promise<Answer> {
    this.requestId += 1;
    const request = { type: 'request', requestId: this.requestId, command };
    const answer = await this.answerTo(JSON.stringify(request), this.requestId);
    if (answer.problem) throw new Error(JSON.stringify(answer.problem));
    return answer;
  }

  private settle(answer: Answer): void {
    const at = this.waiting.findIndex(
      ({ requestId }) => requestId === null || requestId === answer.requestId,
    );
    if (at !== -1) this.waiting.splice(at, 1)[0]?.resolve(answer);
  }
}
