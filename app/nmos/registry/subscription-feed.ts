import type { WebSocket } from 'ws';
import { type Difference, GrainData, grainText, merged } from './grain';
import type { Outbox } from './outbox';
import { shown } from './query/query';
import { translatedJson } from './query/translate';
import type { Resource, ResourceType } from './resource';
import type { Store } from './store';
import type { Subscription } from './subscription';

/** A client that does not take what it asked for is cut off. */
const mostWaitingBytes = 4_000_000;
const stuckMs = 10_000;
const lookAgainMs = 100;

export interface FeedOptions {
  socket: Pick<WebSocket, 'close'>;
  outbox: Outbox;
  subscription: Subscription;
  store: Store;
  /** Of this registry, as the source of grains. */
  sourceId: string;
  taiNow: () => string;
  /** Has `step` called until there is nothing more to do. */
  wake: (feed: Feed) => void;
}

/**
 * One client of a subscription: first all there is, then what changes, not more often than it wants. Its work is done in short steps,
 * and it hears of each change before the next of them.
 */
export class Feed {
  private readonly pending = new Map<string, Difference>();
  private readonly message = new GrainData();
  /** What is left of all there is; undefined before it began, null when it is sent. */
  private sync: Sync | null | undefined;
  private lastMs = Number.NEGATIVE_INFINITY;
  /** Ends the wait for the next message; null: none is waited for. */
  private stop: (() => void) | null = null;
  private takingSinceMs: number | null = null;
  private isClosed = false;

  constructor(private readonly options: FeedOptions) {
    options.wake(this);
  }

  get subscription(): Subscription {
    return this.options.subscription;
  }

  changed(resource: Resource, difference: Difference): void {
    // What is still to be sent is sent as it is then.
    if (this.isClosed || this.sync === undefined || this.sync?.isToCome(resource)) return;
    const { id } = resource;
    const whole = merged(this.pending.get(id), difference);
    if (whole) this.pending.set(id, whole);
    else this.pending.delete(id);
    this.options.wake(this);
  }

  /** A short piece of the work; returns whether there is more to do at once. */
  step(): boolean {
    if (this.isClosed || this.stop) return false;
    const { store, subscription } = this.options;
    if (this.sync === undefined) this.sync = new Sync(store, subscription.request.type);
    if (this.sync === null && this.pending.size === 0 && this.message.isEmpty) return false;
    if (this.message.isEmpty && !this.maySend()) return false;
    const isMore = this.sync ? this.takeResource(this.sync) : this.takeChange();
    if (isMore && !this.message.isFull) return true;
    if (!this.message.isEmpty) this.send();
    return isMore || this.pending.size > 0;
  }

  /** Closes the connection. */
  end(): void {
    this.options.socket.close(1001, 'The subscription was deleted');
  }

  /** Ends the connection at once, since the client would miss something. */
  cut(why: string): void {
    this.close();
    this.options.outbox.end(why);
  }

  close(): void {
    this.isClosed = true;
    this.stop?.();
    this.pending.clear();
    this.options.outbox.close();
  }

  /** Whether a message may be begun now; otherwise later. */
  private maySend(): boolean {
    const { store, subscription, outbox, wake } = this.options;
    const { maxUpdateRateMs } = subscription.request;
    const nowMs = store.nowMs();
    let waitMs = this.lastMs + maxUpdateRateMs - nowMs;
    if (outbox.waitingBytes > mostWaitingBytes) {
      this.takingSinceMs ??= nowMs;
      if (nowMs - this.takingSinceMs > stuckMs) {
        outbox.end('it did not read its messages');
        return false;
      }
      waitMs = Math.max(lookAgainMs, maxUpdateRateMs);
    } else this.takingSinceMs = null;
    if (waitMs <= 0) return true;
    this.stop = store.options.clock.after(waitMs, () => {
      this.stop = null;
      wake(this);
    });
    return false;
  }

  /** Returns whether there are more. */
  private takeResource(sync: Sync): boolean {
    const resource = sync.next();
    if (!resource) {
      this.sync = null;
      return false;
    }
    const text = shown(this.options.subscription.query, resource.type, resource.body);
    if (text !== null) this.message.add(resource.id, text, text);
    return true;
  }

  /** Returns whether there are more. */
  private takeChange(): boolean {
    const { query, request } = this.options.subscription;
    for (const [id, difference] of this.pending) {
      this.pending.delete(id);
      const [pre, post] = [difference.pre, difference.post].map(
        (body) => body && translatedJson(request.type, body, query.version),
      ) as [string | null, string | null];
      if (pre !== post) this.message.add(id, pre, post);
      else if (difference.isBack) {
        // As one event it would say that nothing happened, as those of the first messages do.
        this.message.add(id, pre, null);
        this.message.add(id, null, post);
      }
      break;
    }
    return this.pending.size > 0;
  }

  private send(): void {
    const { outbox, subscription, store, sourceId, taiNow } = this.options;
    this.lastMs = store.nowMs();
    outbox.send(grainText(sourceId, subscription.id, taiNow(), subscription.request.type, this.message));
  }
}

/** The resources of a type that are there at a moment, one after the other, each as it is when its turn comes. */
class Sync {
  private readonly resources: Iterator<Resource>;
  private readonly end: bigint;
  private last = 0n;

  constructor(store: Store, type: ResourceType) {
    this.resources = store.each(type);
    this.end = store.options.stamps.next();
  }

  next(): Resource | null {
    const { value, done } = this.resources.next();
    if (done || value.created > this.end) return null;
    this.last = value.created;
    return value;
  }

  isToCome({ created }: Resource): boolean {
    return created > this.last && created <= this.end;
  }
}
