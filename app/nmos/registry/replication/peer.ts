import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { WebSocket } from 'ws';
import { counted } from '../../../facts/count-words';
import { badInput } from '../../../protocol/errors';
import { connectionWords } from '../../connection-words';
import { boundedLog, type Log } from '../../http/bounded-log';
import type { Store } from '../store';
import { isLoopback, PeerHost } from './admission';
import {
  instanceHeader,
  type Message,
  nowHeader,
  parseMessage,
  replicationPath,
  replicationProtocol,
} from './message';
import { takeMessage } from './take-message';

/** Follows what a peer registry holds: connects, takes over, and connects again after each end, for as long as it is not closed. */

/** Half a million characters, of which each may be 3 bytes, and a resource that is as long as one may be. */
const largestMessageBytes = 5_000_000;
/** A peer says something each second. */
const longestSilenceMs = 5000;
const isItself = 'its URL is that of this registry';
/** An address, or a name, may move from this machine to another one. */
const isItselfPauseMs = 60_000;
const isNamedTwice = 'another --peer names the same registry; this one is used when that one is lost';
const shortestPauseMs = 250;
/** Short enough that two registries which reach each other again are alike within 5 s. */
const longestPauseMs = 3000;
/** What is followed for so long is no peer that is refused again and again. */
const steadyMs = 5000;
/** Why it is lost, until it is there again: a peer may say something else each time. */
const mostReasons = 10;
/** Characters of its answer that are read. */
const longestRefusal = 2000;

/** The WebSocket of a registry's URL. @throws WhitelineError BAD_INPUT */
export function peerAddress(text: string): string {
  let url: URL | null = null;
  try {
    url = new URL(text);
  } catch {
    // Refused below.
  }
  const { protocol, host, port, pathname, search } = url ?? {};
  const isHttp = protocol === 'http:';
  if (isHttp && port !== '0' && pathname === '/' && search === '') return `ws://${host}${replicationPath}`;
  const expected = isHttp
    ? 'the URL of a registry with its port and without a path'
    : 'the URL of a registry, which begins with http://,';
  throw badInput('peer', expected, text, 'Use for example http://192.0.2.8:8010');
}

export class Peer {
  private socket: WebSocket | null = null;
  private stopRetry = (): void => {};
  private stopSilence = (): void => {};
  private pauseMs = shortestPauseMs;
  /** When all that the peer holds had been sent. */
  private followedMs: number | null = null;
  private instance: string | null = null;
  /** Which registry it was when it was last reached. */
  private lastInstance: string | null = null;
  /** Of those that it sent since it connected. */
  private nodes = 0;
  /** Why it is lost, as was said since it was last there, without numbers. */
  private readonly said = new Set<string>();
  private isClosed = false;
  private readonly log: Log;
  /** Where it connects from. */
  readonly host: PeerHost;

  /**
   * @param others all peers of this registry, this one among them
   * @param from the address of this machine to connect from, by which the peer knows this registry; undefined: any
   */
  constructor(
    url: string,
    private readonly store: Store,
    log: Log,
    private readonly others: () => readonly Peer[],
    private readonly from?: string,
  ) {
    this.log = boundedLog((line) => log(`peer ${url}: ${line}`), store.options.clock);
    const address = peerAddress(url);
    this.host = new PeerHost(new URL(address).hostname);
    this.connect(address);
  }

  /** The registry that is followed; null if it is not reached. */
  get followed(): string | null {
    return this.instance;
  }

  close(): void {
    this.isClosed = true;
    this.stopRetry();
    this.stopSilence();
    this.socket?.terminate();
  }

  private connect(address: string): void {
    const { instance, shared } = this.store.options;
    // It would end the connection of the other one, and that one this one's.
    if (this.others().some(({ followed }) => followed !== null && followed === this.lastInstance)) {
      this.pause(address, isNamedTwice);
      return;
    }
    void this.host.look();
    const socket = new WebSocket(address, {
      ...{ maxPayload: largestMessageBytes, handshakeTimeout: longestSilenceMs, perMessageDeflate: false },
      headers: { [instanceHeader]: instance, [nowHeader]: String(shared.now()) },
      ...sourceOf(this.from, this.host),
    });
    this.socket = socket;
    let reason: string | null = null;
    const end = (why: string): void => {
      reason ??= why;
      socket.terminate();
    };
    socket.on('open', () => this.listen(end));
    socket.on('message', (data, isBinary) => {
      // What has arrived already still comes after an end.
      if (reason !== null) return;
      this.listen(end);
      const message = isBinary ? null : parseMessage(String(data));
      const problem = message ? this.take(message) : 'it sent an invalid replication message';
      if (problem !== null) end(problem);
    });
    socket.on('unexpected-response', (_request, response) => {
      // Also for one that goes on and on.
      this.listen(end);
      void refusalWords(response).then(end);
    });
    socket.on('error', (error) => {
      reason ??= connectionWords(error);
    });
    socket.once('close', () => this.pause(address, reason ?? 'the connection ended'));
  }

  private listen(end: (why: string) => void): void {
    this.stopSilence();
    this.stopSilence = this.store.options.clock.after(longestSilenceMs, () =>
      end(`it sent nothing for ${longestSilenceMs / 1000} s`),
    );
  }

  private pause(address: string, reason: string): void {
    this.stopSilence();
    this.instance = null;
    if (this.isClosed) return;
    const { followedMs } = this;
    const isSteady = followedMs !== null && this.store.nowMs() - followedMs >= steadyMs;
    if (isSteady) this.pauseMs = shortestPauseMs;
    this.followedMs = null;
    this.say(reason);
    const pauseMs = reason === isItself ? isItselfPauseMs : this.pauseMs;
    this.stopRetry = this.store.options.clock.after(pauseMs, () => this.connect(address));
    this.pauseMs = Math.min(longestPauseMs, this.pauseMs * 2);
  }

  /** Each reason once until the peer is there again. */
  private say(reason: string): void {
    const words = reason.replace(/\d+/g, '#');
    if (this.said.has(words) || this.said.size >= mostReasons) return;
    this.said.add(words);
    const isWaiting = reason === isItself || reason === isNamedTwice;
    this.log(`not replicating: ${reason}${isWaiting ? '' : '. Trying again until the peer answers'}`);
  }

  /** Returns why the connection has to end, or null. */
  private take(message: Message): string | null {
    const { store } = this;
    if (message.hello) {
      const { protocol, instance } = message.hello;
      if (protocol !== replicationProtocol)
        return `it uses version ${protocol} of the replication, and this registry ${replicationProtocol}`;
      if (instance === store.options.instance) return isItself;
      this.instance = instance;
      this.lastInstance = instance;
      this.nodes = 0;
    }
    if (this.instance === null) return 'its first message does not identify it';
    const isFollowed = message.isComplete || this.followedMs !== null;
    const problem = takeMessage(store, message, isFollowed, (words) =>
      this.log(`resource refused: ${words}`),
    );
    if (problem !== null) return problem;
    for (const entry of message.changes) if (entry.kind === 'set' && entry.life) this.nodes++;
    if (!message.isComplete) return null;
    this.followedMs = store.nowMs();
    this.said.clear();
    this.log(`replicating: ${counted(this.nodes, 'node')}`);
    return null;
  }
}

/** Only what loopback reaches can be reached from loopback; other addresses reach those of their family. */
function sourceOf(from: string | undefined, host: PeerHost): { localAddress?: string; family?: number } {
  if (from === undefined || (isLoopback(from) && !host.isLoopback)) return {};
  return { localAddress: from, family: isIP(from) };
}

/** A peer says in its answer why it takes no registry, or it is none. */
async function refusalWords(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > longestRefusal) break;
    }
    const { error }: { error?: unknown } = { ...JSON.parse(text) };
    if (typeof error === 'string') return `it refuses with ${response.statusCode}: ${error.slice(0, 300)}`;
  } catch {
    // Not the answer of a registry.
  }
  return `it answers with ${response.statusCode}, and is no registry with which this one can replicate`;
}
