import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import type { ApiFinder, FoundApi } from './api-finder';
import { type HttpClient, httpClient } from './http-client';
import type { ModelChange, NodeModel } from './model';
import {
  inOrder,
  RegistrationRefused,
  RegistryFailed,
  RegistrySession,
  type RequestWatch,
  type ResourceKey,
} from './registry-session';

/** What becomes of a node's registration. */
export type RegistrationState =
  | { is: 'searching' }
  | { is: 'registering'; registry: string }
  | { is: 'registered'; registry: string; version: string; resources: number }
  | { is: 'waiting'; registry: string; seconds: number; reason: string }
  | { is: 'refused'; registry: string; reason: string }
  | { is: 'removed'; registry: string };

/** Of a node that ends. stays: the registry did not remove the node; unknown: the registry also never confirmed the node. */
export type Farewell = 'removed' | 'stays' | 'unknown';

export interface RegistrationOptions {
  model: NodeModel;
  registries: ApiFinder;
  clock: Clock;
  /** From the System API (IS-09), or 5; `heartbeatEvery` changes it. */
  heartbeatSeconds: number;
  onState: (state: RegistrationState) => void;
  log: (line: string) => void;
  /** The wait after the first failure; each next one is twice as long, up to the longest; each up to a quarter longer or shorter. */
  firstBackOffMs?: number;
  longestBackOffMs?: number;
  /** A request has as long as a heartbeat interval, as IS-04 advises, but not the 1000 s that IS-09 permits. */
  timeoutMs?: number;
  /** One that nodes share, and that is not closed with them; without it a node has its own. */
  client?: HttpClient;
  requests?: RequestWatch;
  /** Nodes that share a process wake at multiples of it, several together, so that each wake-up does not cost as much as its request. */
  wakeStepMs?: number;
}

interface Failure {
  count: number;
  untilMs: number;
  reason: string;
}

interface Known {
  api: FoundApi;
  resources: Map<string, ResourceKey>;
  /** The registry confirmed the node. */
  isTaken: boolean;
  /** All resources are registered. */
  isWhole: boolean;
}

const usualBackOffMs = 1000;
const usualLongestBackOffMs = 30_000;
const longestTimeoutMs = 10_000;
/** Time to remove all resources when a node ends; the second is the share for resources below the node, which go with it anyway. */
const farewellMs = 5000;
const farewellOfOthersMs = 3000;

/**
 * Keeps a node registered at one registry at a time: registers it in order, sends heartbeats and changes. A registry that fails is
 * left for the next, where a heartbeat comes first; where all fail, the waits grow. Source: IS-04 v1.3 Behaviour: Registration.
 */
export class Registration {
  private readonly client: HttpClient;
  private readonly closing = new AbortController();
  private readonly failures = new Map<string, Failure>();
  private reportedFailure: Failure | null = null;
  /** Version of the node that a registry refused, by its URL. */
  private readonly refused = new Map<string, string>();
  private readonly changes = new Map<string, ModelChange>();
  private readonly stops: (() => void)[];
  /** Where the node is registered, as far as we know, and with what. */
  private known: Known | null = null;
  private heartbeatSeconds: number;
  private lastHeartbeatMs = 0;
  private wake = (): void => {};
  private readonly ended: Promise<void>;

  constructor(private readonly options: RegistrationOptions) {
    this.client = options.client ?? httpClient(2);
    this.heartbeatSeconds = options.heartbeatSeconds;
    this.stops = [
      options.model.onChange((change) => {
        this.changes.set(textOf(change), change);
        this.wake();
      }),
      options.registries.onChange(() => this.wake()),
    ];
    this.ended = this.run();
  }

  /** From the last heartbeat on. */
  heartbeatEvery(seconds: number): void {
    this.heartbeatSeconds = seconds;
    this.wake();
  }

  /**
   * Removes the node and what belongs to it from its registry (Controlled Unregistration).
   * @param asksRegistry false: the node expires in the registry
   */
  async close(asksRegistry = true): Promise<Farewell> {
    for (const stop of this.stops) stop();
    this.closing.abort();
    this.wake();
    await this.ended;
    const { known } = this;
    const isRemoved = known === null || (asksRegistry && (await this.leave(known)));
    if (!this.options.client) this.client.close();
    if (isRemoved) return 'removed';
    return known.isTaken ? 'stays' : 'unknown';
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const registry = this.next();
      if (registry) await this.use(registry);
      else await this.waitForAnother();
    }
  }

  /** The best registry that did not fail recently, and did not refuse this version of the node. */
  private next(): FoundApi | undefined {
    const nowMs = this.nowMs;
    const isUsable = ({ url }: FoundApi): boolean =>
      (this.failures.get(url)?.untilMs ?? 0) <= nowMs &&
      this.refused.get(url) !== this.options.model.node.version;
    return this.options.registries.find().find(isUsable);
  }

  private async waitForAnother(): Promise<void> {
    const found = this.options.registries.find();
    const nodeVersion = this.options.model.node.version;
    const waits = found
      .flatMap(({ url }) => {
        const failure = this.failures.get(url);
        const isRefused = this.refused.get(url) === nodeVersion;
        return failure && !isRefused ? [{ url, failure }] : [];
      })
      .sort((one, other) => one.failure.untilMs - other.failure.untilMs);
    const [soonest] = waits;
    if (!soonest) {
      if (found.length === 0) this.options.onState({ is: 'searching' });
      await this.sleep(null);
      return;
    }
    const { url: registry, failure } = soonest;
    const ms = Math.max(0, failure.untilMs - this.nowMs);
    if (this.reportedFailure !== failure)
      this.options.onState({
        is: 'waiting',
        registry,
        seconds: Math.round(ms) / 1000,
        reason: failure.reason,
      });
    this.reportedFailure = failure;
    await this.sleep(ms);
  }

  private async use(registry: FoundApi): Promise<void> {
    try {
      await this.enter(registry, this.session(registry));
      while (!this.closing.signal.aborted) await this.keep(this.session(registry));
    } catch (error) {
      if (this.closing.signal.aborted) return;
      if (error instanceof RegistrationRefused) this.refuse(registry, error.message);
      else if (error instanceof RegistryFailed) this.fail(registry, error.message);
      else throw error;
    }
  }

  /** Tries a heartbeat first: a registry of the same cluster may know the node (Inability To Connect, Or A Timeout). */
  private async enter(registry: FoundApi, session: RegistrySession): Promise<void> {
    const isKnown = this.known?.isWhole && (await this.beat(session)) === 'known';
    if (isKnown && this.known) this.known.api = registry;
    else await this.registerAll(registry, session);
    this.failures.delete(registry.url);
    this.reportRegistered();
  }

  private async registerAll(registry: FoundApi, session: RegistrySession): Promise<void> {
    this.options.onState({ is: 'registering', registry: registry.url });
    this.changes.clear();
    const resources = new Map<string, ResourceKey>();
    // An answer may be lost, so all resources that were sent are removed in the end.
    const known = { api: registry, resources, isTaken: false, isWhole: false };
    this.known = known;
    await session.registerNode();
    known.isTaken = true;
    this.lastHeartbeatMs = this.nowMs;
    for (const key of session.others()) {
      if (this.closing.signal.aborted) return;
      if (this.nowMs >= this.nextHeartbeatMs && (await this.beat(session)) !== 'known')
        throw new RegistryFailed('it removed the node during the registration of its resources');
      if (await session.register(key)) resources.set(textOf(key), key);
    }
    known.isWhole = true;
  }

  /** Until the next heartbeat, or a change. */
  private async keep(session: RegistrySession): Promise<void> {
    await this.sendChanges(session);
    const leftMs = this.nextHeartbeatMs - this.nowMs;
    if (leftMs > 0) await this.sleep(leftMs);
    else if ((await this.beat(session)) !== 'known' && this.known) {
      await this.registerAll(this.known.api, session);
      this.reportRegistered();
    }
  }

  private async sendChanges(session: RegistrySession): Promise<void> {
    for (const change of inOrder([...this.changes.values()])) {
      const text = textOf(change);
      this.changes.delete(text);
      try {
        if (!change.isThere) {
          await session.delete(change);
          this.known?.resources.delete(text);
        } else if ((await session.register(change)) && change.type !== 'node') {
          this.known?.resources.set(text, { type: change.type, id: change.id });
        }
      } catch (error) {
        // The next registry gets it, unless it changed again meanwhile.
        if (!this.changes.has(text)) this.changes.set(text, change);
        throw error;
      }
    }
  }

  private beat(session: RegistrySession): ReturnType<RegistrySession['heartbeat']> {
    this.lastHeartbeatMs = this.nowMs;
    // The node is removed in the end in any case, so its end need not wait for this answer.
    return session.heartbeat(this.closing.signal);
  }

  private fail(registry: FoundApi, reason: string): void {
    const { registries, log } = this.options;
    const { firstBackOffMs = usualBackOffMs, longestBackOffMs = usualLongestBackOffMs } = this.options;
    const count = (this.failures.get(registry.url)?.count ?? 0) + 1;
    // Random, so that nodes that lost a registry together do not come back together.
    const waitMs = Math.min(firstBackOffMs * 2 ** (count - 1), longestBackOffMs) * (0.75 + Math.random() / 2);
    this.failures.set(registry.url, { count, untilMs: this.nowMs + waitMs, reason });
    log(`The registry ${registry.url} failed: ${reason}`);
    registries.doubt(registry);
  }

  private refuse(registry: FoundApi, reason: string): void {
    this.refused.set(registry.url, this.options.model.node.version);
    this.options.onState({ is: 'refused', registry: registry.url, reason });
    this.options.log(
      `The registry ${registry.url} refuses this node, which tries again only after a change: ${reason}`,
    );
  }

  /** False: the registry did not remove the node. */
  private async leave({ api, resources, isTaken }: Known): Promise<boolean> {
    const session = this.session(api, farewellMs, AbortSignal.timeout(farewellMs));
    const keys = [...resources.values()].map((key) => ({ ...key, isThere: false }));
    try {
      const untilMs = this.nowMs + farewellOfOthersMs;
      for (const key of inOrder(keys)) if (this.nowMs < untilMs) await session.delete(key);
      await session.delete(session.nodeKey());
      this.options.onState({ is: 'removed', registry: api.url });
      return true;
    } catch (error) {
      if (!(error instanceof RegistryFailed)) throw error;
      const text = `Could not remove this node from ${api.url}, where it will expire: ${error.message}`;
      if (isTaken) this.options.log(text);
      return false;
    }
  }

  private session(
    registry: FoundApi,
    timeoutMs = this.options.timeoutMs ?? Math.min(this.heartbeatSeconds * 1000, longestTimeoutMs),
    signal?: AbortSignal,
  ): RegistrySession {
    const { model, clock, log, requests } = this.options;
    const common = { registry, model, clock, log, requests };
    return new RegistrySession({ ...common, timeoutMs, signal, client: this.client });
  }

  private reportRegistered(): void {
    if (!this.known) return;
    const { api, resources } = this.known;
    const { url: registry, version } = api;
    this.options.onState({ is: 'registered', registry, version, resources: resources.size + 1 });
  }

  private get nextHeartbeatMs(): number {
    return this.lastHeartbeatMs + this.heartbeatSeconds * 1000;
  }

  private get nowMs(): number {
    return monotonicMs(this.options.clock);
  }

  private timerMs(ms: number): number {
    const { wakeStepMs } = this.options;
    if (wakeStepMs === undefined) return Math.ceil(ms) + 1;
    const nowMs = this.nowMs;
    return Math.ceil(Math.ceil((nowMs + ms) / wakeStepMs) * wakeStepMs - nowMs);
  }

  /** Ends early when something changes. @param ms null: then only */
  private sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        stop();
        this.wake = () => {};
        resolve();
      };
      const stop = ms === null ? () => {} : this.options.clock.after(this.timerMs(ms), end);
      this.wake = end;
      if (this.closing.signal.aborted) end();
    });
  }
}

function textOf({ type, id }: ResourceKey): string {
  return `${type} ${id}`;
}
