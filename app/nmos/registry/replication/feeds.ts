import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { boundedLog, type Log } from '../../http/bounded-log';
import { Refusal } from '../../http/reply';
import { refuseNoWebSockets, refuseUpgrade } from '../../http/server';
import { isShortText, readDate } from '../entry';
import { heldTexts } from '../held-texts';
import { PendingChanges } from '../pending-changes';
import type { Logged, Store } from '../store';
import { type Follower, leaving } from './admission';
import { Feed } from './feed';
import { instanceHeader, messageText, nowHeader, replicationProtocol } from './message';
import type { Peer } from './peer';
import { aheadWords } from './take-message';

/**
 * What peers of this registry get: all it holds, then what its own clients change. What came from a peer is not passed on, so
 * that nothing goes round.
 */

const batchMs = 20;
const healthEveryMs = 1000;
const charactersPerMessage = 500_000;

export class Feeds {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  /** Oldest first. */
  private readonly feeds = new Map<Follower, Feed>();
  /** What no peer has been sent yet. */
  private readonly pending = new PendingChanges();
  /** Ends the wait for the next batch; null: none is waited for. */
  private stopBatch: (() => void) | null = null;
  private lastHealthAt: bigint;
  private readonly stopHealth: () => void;
  private readonly stopListening: () => void;
  private readonly log: Log;

  /** @param peers those that this registry follows: only they may follow it */
  constructor(
    private readonly store: Store,
    log: Log,
    private readonly peers: () => readonly Peer[],
  ) {
    const { clock, shared } = store.options;
    this.log = boundedLog(log, clock);
    refuseNoWebSockets(this.server);
    this.lastHealthAt = shared.now();
    this.stopListening = store.onLog((logged) => this.note(logged));
    this.stopHealth = clock.every(healthEveryMs, () => this.sendHealth());
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      const follower = this.admit(request);
      // What changed until now goes to those who were there.
      this.flush();
      this.server.handleUpgrade(request, socket, head, (client) => this.begin(client, follower));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.log(`refused a replication from ${request.socket.remoteAddress}: ${error.message}`);
      refuseUpgrade(socket, error);
    }
  }

  close(): void {
    this.stopHealth();
    this.stopBatch?.();
    this.stopListening();
    for (const feed of this.feeds.values()) feed.close();
    this.server.close();
  }

  /** @throws Refusal 400, 403 */
  private admit({ headers, socket }: IncomingMessage): Follower {
    // Browsers send it, and a web page may connect to any address; registries do not.
    if (headers.origin !== undefined) throw new Refusal(403, 'A web page may not replicate a registry');
    const address = socket.remoteAddress ?? '';
    const peers = this.peers().filter(({ host }) => host.has(address));
    if (peers.length === 0)
      throw new Refusal(
        403,
        `no --peer of the registry that was asked is at ${address}: add one there with the URL of this one`,
      );
    const [instance, now] = [headers[instanceHeader], readDate(headers[nowHeader])];
    if (!isShortText(instance) || now === null)
      throw new Refusal(400, `Expected the headers ${instanceHeader} and ${nowHeader}`);
    const { shared } = this.store.options;
    if (shared.isImpossible(now)) throw new Refusal(400, aheadWords(shared.aheadNs(now)));
    const follower = { address, instance };
    const isFollowed = (one: string): boolean => this.peers().some(({ followed }) => followed === one);
    const last = leaving([...this.feeds.keys()], follower, peers.length, isFollowed);
    if (last) this.feeds.get(last)?.close();
    if (last) this.feeds.delete(last);
    this.store.agreeOn(now);
    return follower;
  }

  private begin(client: WebSocket, follower: Follower): void {
    const { instance, clock } = this.store.options;
    // Of this moment, however long the peer takes to read them.
    const held = heldTexts(this.store);
    const feed = new Feed(client, clock, this.log, () => {
      if (this.feeds.get(follower) === feed) this.feeds.delete(follower);
    });
    this.feeds.set(follower, feed);
    const hello = JSON.stringify({ protocol: replicationProtocol, instance });
    void feed.begin(this.firstMessages(hello, held));
  }

  private *firstMessages(hello: string, entries: readonly string[]): Generator<string> {
    yield this.message(`"hello":${hello}`);
    yield* this.messages('changes', entries);
    yield this.message('"complete":true');
  }

  private note({ what, isOwn }: Logged): void {
    if (!isOwn || this.feeds.size === 0) return;
    this.pending.add(what);
    this.stopBatch ??= this.store.options.clock.after(batchMs, () => this.flush());
  }

  private flush(): void {
    this.stopBatch?.();
    this.stopBatch = null;
    this.sendAll(this.messages('changes', this.pending.take()));
  }

  /** Of the nodes that spoke to this registry since the last time. */
  private sendHealth(): void {
    const { instance, shared } = this.store.options;
    const now = shared.now();
    if (this.feeds.size > 0) {
      this.flush();
      const lives = this.store.list('node', 'create').flatMap(({ id, health }) => {
        if (health?.home !== instance || health.heardAt < this.lastHealthAt) return [];
        return [JSON.stringify([id, String(health.heardAt), health.home])];
      });
      // Also of none: a peer says something each second.
      this.sendAll(lives.length > 0 ? this.messages('health', lives) : [this.message('"health":[]')]);
    }
    this.lastHealthAt = now;
  }

  private sendAll(texts: Iterable<string>): void {
    for (const text of texts) for (const feed of this.feeds.values()) feed.send(text);
  }

  private message(parts: string): string {
    return messageText(this.store.options.shared.now(), parts);
  }

  /** Messages of a bounded length. */
  private *messages(name: 'changes' | 'health', texts: readonly string[]): Generator<string> {
    let part: string[] = [];
    let characters = 0;
    for (const text of texts) {
      part.push(text);
      characters += text.length;
      if (characters < charactersPerMessage) continue;
      yield this.message(`"${name}":[${part.join(',')}]`);
      [part, characters] = [[], 0];
    }
    if (part.length > 0) yield this.message(`"${name}":[${part.join(',')}]`);
  }
}
