import { WebSocket } from 'ws';
import { counted } from '../../../protocol/count-words';
import { badInput } from '../../../protocol/errors';
import { connectionWords } from '../../connection-words';
import { boundedLog, type Log } from '../../http/bounded-log';
import { type Store, usualStoreLimits } from '../store';
import { mergeRemoval, mergeResource } from './merge';
import {
  type HealthEntry,
  instanceHeader,
  type Message,
  parseMessage,
  replicationPath,
  replicationProtocol,
} from './message';

/** Follows what a peer registry holds: connects, takes over, and connects again after each end, for as long as it is not closed. */

/** Half a million characters, of which each may be 3 bytes, and a resource that is as long as one may be. */
const largestMessageBytes = 5_000_000;
/** A peer says something each second. */
const longestSilenceMs = 5000;
const isItself = 'its URL is that of this registry';
const shortestPauseMs = 250;
const longestPauseMs = 5000;
/** What is followed for so long is no peer that is refused again and again. */
const steadyMs = 5000;
/** Whose lives a peer may say before it has sent them. */
const mostNodes = usualStoreLimits.resources;
/** Beyond it what is said to be later may not be. */
const mostAheadSeconds = 3600;

/** The WebSocket of a registry's URL. @throws WhitelineError BAD_INPUT */
export function peerAddress(text: string): string {
  const remedy = 'Use for example http://192.0.2.8:8010';
  try {
    const { protocol, host, pathname, search } = new URL(text);
    if (protocol === 'http:' && pathname === '/' && search === '') return `ws://${host}${replicationPath}`;
  } catch {
    // Refused like any other.
  }
  throw badInput('peer', 'the URL of a registry', text, remedy);
}

export class Peer {
  private socket: WebSocket | null = null;
  private stopRetry = (): void => {};
  private stopSilence = (): void => {};
  private pauseMs = shortestPauseMs;
  /** When all that the peer holds had been sent. */
  private followedMs: number | null = null;
  private instance: string | null = null;
  /** Nodes that were not here before, with what the peer knows of their lives; null when all that it holds was sent. */
  private first: { health: HealthEntry[]; added: Set<string> } | null = null;
  /** Whether it was said last that the peer is lost, or that it is there. */
  private said: 'lost' | 'there' | null = null;
  private isClosed = false;
  private readonly log: Log;

  constructor(
    url: string,
    private readonly store: Store,
    log: Log,
  ) {
    this.log = boundedLog((line) => log(`peer ${url}: ${line}`), store.options.clock);
    this.connect(peerAddress(url));
  }

  /** The registry that is followed; null where it is not reached. */
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
    const socket = new WebSocket(address, {
      ...{ maxPayload: largestMessageBytes, handshakeTimeout: longestSilenceMs, perMessageDeflate: false },
      headers: { [instanceHeader]: this.store.options.instance },
    });
    this.socket = socket;
    this.instance = null;
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
    if (this.isClosed) return;
    if (reason === isItself) {
      this.log(`not replicating: ${reason}`);
      return;
    }
    const { followedMs } = this;
    const isSteady = followedMs !== null && this.store.nowMs() - followedMs >= steadyMs;
    if (isSteady) this.pauseMs = shortestPauseMs;
    this.followedMs = null;
    if (this.said !== 'lost') this.log(`not replicating: ${reason}. Trying again until the peer answers`);
    this.said = 'lost';
    this.stopRetry = this.store.options.clock.after(this.pauseMs, () => this.connect(address));
    this.pauseMs = Math.min(longestPauseMs, this.pauseMs * 2);
  }

  /** Returns why the connection has to end, or null. */
  private take({ hello, set = [], health = [], complete, remove = [] }: Message): string | null {
    if (hello) {
      const { protocol, instance } = hello;
      if (protocol !== replicationProtocol)
        return `it uses version ${protocol} of the replication, and this registry ${replicationProtocol}`;
      if (instance === this.store.options.instance) return isItself;
      this.instance = instance;
      this.first = { health: [], added: new Set() };
    }
    const { instance, first } = this;
    if (instance === null) return 'its first message does not identify it';
    const aheadSeconds = this.observe([
      ...set.flatMap(([, , , at, bodyAt]) => [at, bodyAt]),
      ...remove.map(([, at]) => at),
    ]);
    if (aheadSeconds > mostAheadSeconds)
      return `its clock is ${Math.round(aheadSeconds)} s ahead of the clock of this registry`;
    for (const entry of remove) mergeRemoval(this.store, entry);
    for (const entry of set) {
      const merged = mergeResource(this.store, entry, instance);
      if ('problem' in merged) this.log(`resource refused: ${merged.problem}`);
      else if (merged.isNew) first?.added.add(merged.id);
    }
    if (first) {
      if (first.health.length + health.length > mostNodes) return `it holds more than ${mostNodes} nodes`;
      for (const entry of health) first.health.push(entry);
    } else for (const entry of health) this.takeHealth(entry);
    if (complete && first) {
      for (const entry of first.health) this.takeHealth(entry, first.added);
      this.first = null;
      this.followedMs = this.store.nowMs();
      this.said = 'there';
      this.log(`replicating: ${counted(first.health.length, 'node')}`);
    }
    return null;
  }

  private takeHealth([id, ageMs, home]: HealthEntry, added?: Set<string>): void {
    const node = this.store.find('node', id);
    if (!node) return;
    // One that is here since a moment ago is as old as the peer says.
    if (added?.has(id)) this.store.setHealth(node, ageMs, home);
    else this.store.heard(node, ageMs, home);
  }

  /** Changes here from now on are later than these; returns how far the latest is ahead of this machine's clock. */
  private observe(times: readonly string[]): number {
    const { changes } = this.store.options;
    let latest = 0n;
    for (const time of times) if (BigInt(time) > latest) latest = BigInt(time);
    const aheadSeconds = Number(latest / 1_000_000_000n) - changes.seconds();
    if (aheadSeconds <= mostAheadSeconds) changes.observe(latest);
    return aheadSeconds;
  }
}
