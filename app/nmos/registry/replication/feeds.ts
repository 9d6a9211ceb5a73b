import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../http/bounded-log';
import { Refusal } from '../../http/reply';
import { refuseNoWebSockets, refuseUpgrade } from '../../http/server';
import { type Body, type Resource, type ResourceType, resourceTypes } from '../resource';
import type { Change, Store } from '../store';
import { Feed } from './feed';
import {
  type HealthEntry,
  instanceHeader,
  type Message,
  type RemoveEntry,
  replicationProtocol,
} from './message';
import { OneSided } from './one-sided';

/**
 * What peers of this registry get: all it holds, then what its own clients change. What came from a peer is not passed on, so
 * that nothing goes round.
 */

const mostFeeds = 8;
const batchMs = 20;
const healthEveryMs = 1000;
const charactersPerMessage = 500_000;

/** In their order: a removal and what is set after it must not change places. */
type Step = { set: string } | { remove: RemoveEntry };

export class Feeds {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  private readonly feeds = new Set<Feed>();
  private steps: Step[] = [];
  /** Ends the wait for the next batch; null: none is waited for. */
  private stopBatch: (() => void) | null = null;
  private lastHealthMs: number;
  private readonly stopHealth: () => void;
  private readonly stopListening: () => void;

  private readonly oneSided: OneSided;

  /** @param followed as OneSided has it */
  constructor(
    private readonly store: Store,
    private readonly log: Log,
    followed: () => (string | null)[],
  ) {
    refuseNoWebSockets(this.server);
    this.oneSided = new OneSided(followed, () => store.nowMs(), log);
    this.lastHealthMs = store.nowMs();
    this.stopListening = store.onChange((change) => this.note(change));
    this.stopHealth = store.options.clock.every(healthEveryMs, () => {
      this.sendHealth();
      this.oneSided.look();
    });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.server.clients.size >= mostFeeds)
      refuseUpgrade(
        socket,
        new Refusal(503, `${mostFeeds} peers are connected already, the most that this registry allows`),
      );
    else {
      // What changed until now goes to those who were there.
      this.flush();
      this.server.handleUpgrade(request, socket, head, (client) => {
        const instance = request.headers[instanceHeader];
        if (typeof instance === 'string' && instance.length <= 100)
          client.once('close', this.oneSided.joined(instance, request.socket.remoteAddress ?? ''));
        this.begin(client);
      });
    }
  }

  close(): void {
    this.stopHealth();
    this.stopBatch?.();
    this.stopListening();
    for (const feed of this.feeds) feed.close();
    this.server.close();
  }

  private begin(client: WebSocket): void {
    const { instance, clock } = this.store.options;
    const now = this.store.nowMs();
    const health = this.store.list('node', 'create').flatMap((node) => healthEntry(node, now));
    // Of this moment, however long the peer takes to read them.
    const entries = resourceTypes.flatMap((type) => this.store.list(type, 'create')).map(entryOf);
    const remove = this.store.removals.list().map(([id, at]): RemoveEntry => [id, String(at)]);
    const feed = new Feed(client, clock, this.log, () => this.feeds.delete(feed));
    this.feeds.add(feed);
    const hello = { protocol: replicationProtocol, instance };
    void feed.begin(firstMessages({ hello }, { health, remove, entries }));
  }

  private note({ id, post, resource, isOwn, at }: Change): void {
    if (!isOwn || this.feeds.size === 0) return;
    this.steps.push(post ? { set: entryText(entryOf(resource)) } : { remove: [id, String(at)] });
    this.stopBatch ??= this.store.options.clock.after(batchMs, () => this.flush());
  }

  private flush(): void {
    this.stopBatch?.();
    this.stopBatch = null;
    let sets: string[] = [];
    let removals: RemoveEntry[] = [];
    const sendRun = (): void => {
      this.sendAll(messages('set', sets, (set) => set));
      this.sendAll(messages('remove', removals, JSON.stringify));
      [sets, removals] = [[], []];
    };
    for (const step of this.steps.splice(0)) {
      if ('set' in step) {
        if (removals.length > 0) sendRun();
        sets.push(step.set);
      } else {
        if (sets.length > 0) sendRun();
        removals.push(step.remove);
      }
    }
    sendRun();
  }

  /** Of the nodes that spoke to this registry since the last time. */
  private sendHealth(): void {
    const { instance } = this.store.options;
    const now = this.store.nowMs();
    if (this.feeds.size > 0) {
      this.flush();
      const heard = this.store
        .list('node', 'create')
        .filter(({ health }) => health && health.home === instance && health.heardMs >= this.lastHealthMs);
      const health = heard.flatMap((node) => healthEntry(node, now));
      // Also of none: a peer says something each second.
      this.sendAll(health.length > 0 ? messages('health', health, JSON.stringify) : ['{"health":[]}']);
    }
    this.lastHealthMs = now;
  }

  private sendAll(texts: Iterable<string>): void {
    for (const text of texts) for (const feed of this.feeds) feed.send(text);
  }
}

interface Held {
  health: readonly HealthEntry[];
  remove: readonly RemoveEntry[];
  entries: readonly Entry[];
}

function* firstMessages(first: Message, { health, remove, entries }: Held): Generator<string> {
  yield JSON.stringify(first);
  yield* messages('health', health, JSON.stringify);
  yield* messages('remove', remove, JSON.stringify);
  yield* messages('set', entries, entryText);
  yield JSON.stringify({ complete: true } satisfies Message);
}

function healthEntry({ id, health }: Resource, nowMs: number): HealthEntry[] {
  return health ? [[id, Math.max(0, Math.round(nowMs - health.heardMs)), health.home]] : [];
}

/** What is sent of a resource; the resource itself changes. */
interface Entry {
  type: ResourceType;
  body: Body;
  at: bigint;
  bodyAt: bigint;
}

function entryOf({ type, body, at, bodyAt }: Resource): Entry {
  return { type, body, at, bodyAt };
}

function entryText({ type, body: { apiVersion, json }, at, bodyAt }: Entry): string {
  return `["${type}","${apiVersion}",${json},"${at}","${bodyAt}"]`;
}

/** Messages of a bounded length. */
function* messages<One>(
  name: keyof Message,
  entries: readonly One[],
  textOf: (entry: One) => string,
): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const entry of entries) {
    const text = textOf(entry);
    texts.push(text);
    characters += text.length;
    if (characters < charactersPerMessage) continue;
    yield `{"${name}":[${texts.join(',')}]}`;
    [texts, characters] = [[], 0];
  }
  if (texts.length > 0) yield `{"${name}":[${texts.join(',')}]}`;
}
