import type { Clock } from '../../protocol/clock';
import { problemText, toProblem } from '../../protocol/errors';
import { monotonicMs } from '../monotonic-ms';
import { compareVersions } from '../tai';
import { readGrain } from './grain';
import { type LeftOut, mostCharacters, type PageOptions, readPages, usualMostResources } from './pages';
import { lengthOf, type SeenResources, type SeenType } from './resources';
import type { RestClient } from './rest-client';
import { openSubscription } from './subscription';

/** How far a mirror is. */
export type MirrorState =
  | { is: 'connecting' }
  /** What comes is shown, and there may be more. */
  | { is: 'filling' }
  /** It has what the registry has, and follows each change. */
  | { is: 'complete' }
  /** What it has may be old. */
  | { is: 'lost'; reason: string; retrySeconds: number };

export interface CollectionOptions<Type extends SeenType>
  extends Pick<PageOptions<Type>, 'query' | 'type' | 'params' | 'mostResources'> {
  client: RestClient;
  clock: Clock;
  /** Between two messages of the registry. */
  maxUpdateRateMs: number;
  onChange: (ids: readonly string[]) => void;
  onState: (state: MirrorState) => void;
  /** The wait after the first loss; each next one is twice as long, up to the longest; each up to a quarter longer or shorter. */
  firstBackOffMs?: number;
  longestBackOffMs?: number;
}

export interface CollectionFigures {
  /** Of subscriptions alone. */
  messages: number;
  bytes: number;
  /** From the first request to the last message that said what was there already; null until it is known that it was the last. */
  syncedMs: number | null;
  /** How often the subscription was lost. */
  losses: number;
  leftOut: LeftOut;
}

const usualFirstBackOffMs = 500;
const usualLongestBackOffMs = 30_000;
/** Nothing says which message is the last of the first ones: so long after one, what there is is read once by pages. */
const quietMs = 300;
/** Where changes never stop. */
const longestFillingMs = 5000;

/** Holds one collection of a Query API as it is: what a subscription says, compared once with what pages say after each connection. */
export class CollectionMirror<Type extends SeenType> {
  readonly resources = new Map<string, SeenResources[Type]>();
  readonly figures: CollectionFigures = {
    ...{ messages: 0, bytes: 0, syncedMs: null, losses: 0 },
    leftOut: { count: 0, first: null },
  };
  private readonly startedMs: number;
  private readonly closing = new AbortController();
  /** Of all resources. */
  private characters = 0;
  private lastFirstMs = 0;
  private lastMessageMs = 0;
  /** Heard of by the subscription while pages are read; null while none are. */
  private touched: Set<string> | null = null;
  private readonly ended: Promise<void>;

  constructor(private readonly options: CollectionOptions<Type>) {
    this.startedMs = this.nowMs();
    this.ended = this.run();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.ended;
  }

  private async run(): Promise<void> {
    const { firstBackOffMs = usualFirstBackOffMs, longestBackOffMs = usualLongestBackOffMs } = this.options;
    let backOffMs = firstBackOffMs;
    const { signal } = this.closing;
    while (!signal.aborted) {
      this.options.onState({ is: 'connecting' });
      const reason = await this.follow(() => {
        backOffMs = firstBackOffMs;
      }).catch((error: unknown) => problemText(toProblem(error)));
      if (signal.aborted) return;
      this.figures.losses++;
      const waitMs = Math.round(backOffMs * (0.75 + Math.random() / 2));
      this.options.onState({ is: 'lost', reason, retrySeconds: waitMs / 1000 });
      await this.options.clock.sleep(waitMs, signal);
      backOffMs = Math.min(longestBackOffMs, backOffMs * 2);
    }
  }

  /** Until the subscription ends. Returns why it did. */
  private async follow(onComplete: () => void): Promise<string> {
    const { client, clock, query, type, params = {}, maxUpdateRateMs, onState } = this.options;
    const { signal } = this.closing;
    const asking = { client, clock, query, type, params, maxUpdateRateMs, signal };
    this.figures.leftOut = { count: 0, first: null };
    const subscription = await openSubscription({ ...asking, onMessage: (text) => this.take(text) });
    const openedMs = this.nowMs();
    this.lastFirstMs = openedMs;
    this.lastMessageMs = openedMs;
    onState({ is: 'filling' });
    try {
      const isQuiet = await this.quiet(openedMs, subscription.ended);
      if (isQuiet) {
        await this.compare();
        this.figures.syncedMs ??= this.lastFirstMs - this.startedMs;
        onComplete();
        onState({ is: 'complete' });
      }
      return await subscription.ended;
    } finally {
      subscription.close();
    }
  }

  /** Until no first message came for a while. Returns false if the subscription ended before. */
  private async quiet(openedMs: number, ended: Promise<string>): Promise<boolean> {
    const neededMs = quietMs + 2 * this.options.maxUpdateRateMs;
    const end = ended.then(() => 'ended');
    for (;;) {
      const nowMs = this.nowMs();
      const leftMs = Math.min(this.lastMessageMs + neededMs, openedMs + longestFillingMs) - nowMs;
      if (leftMs <= 0) return true;
      const early = new AbortController();
      const first = await Promise.race([end, this.options.clock.sleep(leftMs, early.signal)]);
      early.abort();
      if (first === 'ended') return false;
    }
  }

  /** Returns why the subscription has to end, or null. */
  private take(text: string): string | null {
    const { type, onChange, mostResources = usualMostResources } = this.options;
    this.figures.messages++;
    this.figures.bytes += Buffer.byteLength(text);
    const events = readGrain(text, type, this.figures.leftOut);
    if (typeof events === 'string') return events;
    this.lastMessageMs = this.nowMs();
    const ids: string[] = [];
    for (const { id, resource, isFirst } of events) {
      // Some registries give what was there as added.
      const isNewToUs = this.figures.syncedMs === null && resource !== null && !this.resources.has(id);
      if (isFirst || isNewToUs) this.lastFirstMs = this.lastMessageMs;
      const isNews = resource === null ? this.remove(id) : this.set(resource);
      if (isNews) ids.push(id);
      this.touched?.add(id);
    }
    if (ids.length > 0) onChange(ids);
    if (this.characters > mostCharacters)
      return `its ${type}s have more than ${mostCharacters / 1e6} million characters`;
    return this.resources.size > mostResources ? `it has more than ${mostResources} ${type}s` : null;
  }

  /** What came or went while there was no subscription, or was lost on its way. */
  private async compare(): Promise<void> {
    const { onChange, client, clock, query, type, params, mostResources } = this.options;
    const touched = new Set<string>();
    this.touched = touched;
    const { signal } = this.closing;
    const read = await readPages({ client, clock, query, type, params, mostResources, signal }).finally(
      () => {
        this.touched = null;
      },
    );
    const there = new Set(read.resources.map(({ id }) => id));
    const gone = [...this.resources.keys()].filter((id) => !there.has(id) && !touched.has(id));
    for (const id of gone) this.remove(id);
    const missed = read.resources.filter((one) => {
      const held = this.resources.get(one.id);
      const isOlder = held === undefined || compareVersions(held.version, one.version) < 0;
      return !touched.has(one.id) && isOlder;
    });
    for (const one of missed) this.set(one);
    if (missed.length > 0) this.lastFirstMs = this.nowMs();
    const ids = [...gone, ...missed.map(({ id }) => id)];
    if (ids.length > 0) onChange(ids);
  }

  private nowMs(): number {
    return monotonicMs(this.options.clock);
  }

  private set(resource: SeenResources[Type]): boolean {
    const known = this.resources.get(resource.id);
    this.characters += lengthOf(resource) - (known ? lengthOf(known) : 0);
    this.resources.set(resource.id, resource);
    return known?.version !== resource.version;
  }

  private remove(id: string): boolean {
    const known = this.resources.get(id);
    if (known) this.characters -= lengthOf(known);
    return this.resources.delete(id);
  }
}
