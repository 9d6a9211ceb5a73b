import { Agent } from 'node:http';
import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import type { ApiFinder, FoundApi } from './api-finder';
import { heartbeatSecondsOfSystem, unusedText, usualHeartbeatSeconds } from './system-api';

export interface FollowerOptions {
  systems: ApiFinder;
  clock: Clock;
  /** When it becomes another. */
  onHeartbeat: (seconds: number) => void;
  log: (line: string) => void;
}

/** Between two questions, whatever asks for one; also the wait after the first failure of all, of which each next is twice as long. */
const shortestWaitMs = 1000;
const longestBackOffMs = 30_000;
/** Parameters may change. */
const askAgainMs = 60_000;
/** In a row, however many are announced. */
const mostAsked = 16;

/**
 * What the System API says, for as long as a node runs: it may start later than the node, be replaced by another, and change its
 * parameters. If none answers, what it said last counts. Source: IS-09 v1.0 Behaviour: Node Start-Up; Discovery: Operation.
 */
export class SystemFollower {
  /** Null: no System API gave one. */
  private seconds: number | null = null;
  private readonly agent = new Agent();
  private readonly closing = new AbortController();
  private readonly stopListening: () => void;
  /** Why APIs are not used, as it was logged. */
  private readonly unused = new Map<string, string>();
  private asked = '';
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private failures = 0;
  private wake = (): void => {};
  private readonly waiting: (() => void)[] = [];
  private readonly ended: Promise<void>;

  constructor(private readonly options: FollowerOptions) {
    this.stopListening = options.systems.onChange(() => {
      if (namesOf(options.systems.find()) !== this.asked) this.wake();
    });
    this.ended = this.run();
  }

  get heartbeatSeconds(): number {
    return this.seconds ?? usualHeartbeatSeconds;
  }

  get isOfSystem(): boolean {
    return this.seconds !== null;
  }

  /** Resolves once all that were found have been asked, or after this time. */
  firstAsked(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.options.clock.after(mostMs, resolve);
      this.waiting.push(() => {
        stop();
        resolve();
      });
    });
  }

  /** Unless it was just asked: what it says may have changed. */
  lookAgain(): void {
    if (this.nowMs - this.askedAtMs >= shortestWaitMs) this.wake();
  }

  async close(): Promise<void> {
    this.stopListening();
    this.closing.abort();
    this.wake();
    await this.ended;
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const apis = this.options.systems.find();
      this.asked = namesOf(apis);
      const waitMs = apis.length === 0 ? null : await this.ask(apis);
      await this.sleep(waitMs);
      const tooEarlyMs = this.askedAtMs + shortestWaitMs - this.nowMs;
      if (tooEarlyMs > 0) await this.options.clock.sleep(tooEarlyMs, this.closing.signal);
    }
  }

  /** Returns how long to wait until the next time. */
  private async ask(apis: readonly FoundApi[]): Promise<number> {
    const { onHeartbeat } = this.options;
    this.askedAtMs = this.nowMs;
    for (const known of this.unused.keys())
      if (!apis.some(({ url }) => url === known)) this.unused.delete(known);
    const found = await heartbeatSecondsOfSystem(apis.slice(0, mostAsked), {
      ...{ agent: this.agent, signal: this.closing.signal },
      onUnused: (api, reason) => this.leaveOut(api, reason),
    });
    if (this.closing.signal.aborted) return 0;
    if (found) {
      this.unused.delete(found.api.url);
      const isNew = found.seconds !== this.seconds;
      this.seconds = found.seconds;
      if (isNew) onHeartbeat(found.seconds);
    }
    for (const resolve of this.waiting.splice(0)) resolve();
    this.failures = found ? 0 : this.failures + 1;
    // Random, so that nodes that start together do not ask together.
    const backOffMs = Math.min(shortestWaitMs * 2 ** (this.failures - 1), longestBackOffMs);
    return found ? askAgainMs : backOffMs * (0.75 + Math.random() / 2);
  }

  private leaveOut(api: FoundApi, reason: string): void {
    if (this.closing.signal.aborted) return;
    const { log, systems } = this.options;
    systems.doubt(api);
    if (this.unused.get(api.url) !== reason) log(unusedText(api, reason));
    this.unused.set(api.url, reason);
  }

  private get nowMs(): number {
    return monotonicMs(this.options.clock);
  }

  /** Ends early when there is reason to ask. @param ms null: then only */
  private sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const stop = ms === null ? () => {} : this.options.clock.after(Math.ceil(ms), () => this.wake());
      this.wake = () => {
        stop();
        this.wake = () => {};
        resolve();
      };
      const isOther = namesOf(this.options.systems.find()) !== this.asked;
      if (this.closing.signal.aborted || isOther) this.wake();
    });
  }
}

/** In any order: APIs of one priority are tried in a random one. */
function namesOf(apis: readonly FoundApi[]): string {
  return apis
    .map(({ url }) => url)
    .sort()
    .join(' ');
}
