import { createHistogram } from 'node:perf_hooks';
import type { RequestKind, RequestWatch } from '../node/registry-session';

const nsPerMs = 1e6;

/** Times in ms. */
export interface Percentiles {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** When nodes were registered for the first time with all of their resources, in s since the load began; or when they were back. */
export interface RegistrationTimes {
  firstSeconds: number;
  p50Seconds: number;
  p99Seconds: number;
  lastSeconds: number;
}

/** Pairs of s and how many nodes had come by then, in the order of time. */
export type Curve = [seconds: number, nodes: number][];

/** When nodes came, one by one. */
export interface Comings {
  /** From when it is counted, by the monotonic clock. */
  sinceNs: number;
  /** In the order of time. */
  seconds: number[];
}

/** Of nodes that had to come back since the newest part began. */
export interface RecoveryFigures {
  nodes: number;
  back: number;
  comings: Comings;
}

export interface LoadFigures {
  nodes: number;
  /** Nodes that hold a registration now. */
  registered: number;
  /** Null: no node was registered. */
  times: RegistrationTimes | null;
  /** Answers by status, requests without one as `none`, and those on their way as `underway`, by what was asked. */
  answers: Record<RequestKind, Record<string, number>>;
  /** How often a node left its registry after no answer, a 5xx, or an invalid answer to a heartbeat. */
  failures: number;
  /** Nodes that a registry refused since the newest part began, or one of their resources. */
  refused: number;
  /** Of heartbeats that were answered with 200; null: there was none. */
  heartbeat: Percentiles | null;
  /** Of registered nodes: heartbeats without an answer 200, and times in which the registry heard nothing for longer than it keeps a node. */
  heartbeatsMissed: number;
  /** The same by what came instead: a status, `none` for no answer, `late`. */
  missedBy: Record<string, number>;
  /** Nodes that hold a registration now, by the URL of their registry. */
  byRegistry: Record<string, number>;
}

/** What becomes of one node. */
export interface NodeLedger extends RequestWatch {
  /** @param registry its URL */
  registered(registry: string): void;
  /** Its registry does not have all of it. */
  left(): void;
  refused(): void;
  /** The request that fails next was never sent, so it does not count against the registry. */
  unsent(): void;
}

/** Of a node: when its registry last heard of it, what is on its way, and where it is registered. */
interface Heard {
  lastMs: number | null;
  /** A node asks one thing at a time. */
  underway: RequestKind | null;
  /** Requests so far. */
  requests: number;
  /** In this part. */
  isRefused: boolean;
  /** Null: nowhere. */
  registry: string | null;
  isAwaited: boolean;
}

/** Of nodes that have to come back, at another registry than `gone`. */
interface Recovery {
  sinceMs: number;
  gone: string | null;
  nodes: number;
  backMs: number[];
  whole(): void;
}

const mostPoints = 200;

/** Adds up what all nodes of a load report. */
export class LoadLedger {
  private answers: LoadFigures['answers'] = { registration: {}, heartbeat: {}, removal: {} };
  private readonly heartbeats = createHistogram();
  private readonly startedMs: number;
  private readonly registeredAtMs: number[] = [];
  private registeredCount = 0;
  private failures = 0;
  private silent = false;
  private missed: Record<string, number> = {};
  private readonly heard: Heard[] = [];
  private recovery: Recovery | null = null;

  /**
   * @param expirySeconds a registry forgets a node from which it heard nothing for so long
   * @param nowMs a monotonic clock
   */
  constructor(
    private readonly nodes: number,
    private readonly expirySeconds: number,
    private readonly nowMs: () => number,
  ) {
    this.startedMs = nowMs();
  }

  node(): NodeLedger {
    let wasRegistered = false;
    let isUnsent = false;
    const heard: Heard = {
      ...{ lastMs: null, underway: null, requests: 0, isRefused: false, registry: null, isAwaited: false },
    };
    this.heard.push(heard);
    const leave = (): void => {
      if (heard.registry !== null) this.registeredCount--;
      heard.registry = null;
    };
    return {
      begins: (of) => {
        heard.underway = of;
        heard.requests++;
      },
      unsent: () => {
        isUnsent = true;
      },
      ended: ({ of, status, tookMs }) => {
        heard.underway = null;
        if (isUnsent) {
          isUnsent = false;
          return;
        }
        this.count(of, status, tookMs);
        if (of === 'removal') {
          heard.lastMs = null;
          return;
        }
        if (endsRegistration(of, status)) this.failures++;
        // RegistrationAPI.raml: a heartbeat is answered with 200 alone, a registration with 201 too.
        const isHeard = status === 200 || (status === 201 && of === 'registration');
        if (of === 'heartbeat' && heard.lastMs !== null) {
          if (!isHeard) this.miss(nameOf(status));
          else if (this.isForgotten(heard)) this.miss('late');
          heard.lastMs = isHeard && !this.silent ? this.nowMs() : null;
        } else if (isHeard && !this.silent) {
          // Only the node itself counts as a sign of life, not its other resources.
          heard.lastMs ??= this.nowMs();
        }
        if (of === 'heartbeat' && isHeard) this.noteBack(heard);
      },
      registered: (registry) => {
        if (heard.registry === null) this.registeredCount++;
        heard.registry = registry;
        this.noteBack(heard);
        if (!wasRegistered) this.registeredAtMs.push(this.nowMs() - this.startedMs);
        wasRegistered = true;
      },
      left: leave,
      refused: () => {
        heard.isRefused = true;
        leave();
      },
    };
  }

  /**
   * Of the heartbeats that are on their way now, and of no later ones: returns whether one is still on its way and may come in
   * time. None may after `expirySeconds`.
   */
  heartbeatsUnderway(): () => boolean {
    const asked = this.heard
      .filter(({ underway }) => underway === 'heartbeat')
      .map((heard) => ({ heard, number: heard.requests }));
    return () =>
      asked.some(
        ({ heard, number }) =>
          heard.requests === number &&
          heard.underway !== null &&
          heard.lastMs !== null &&
          !this.isForgotten(heard),
      );
  }

  /** While no registry hears of a node, no heartbeat is late for that. */
  set isSilent(isSilent: boolean) {
    this.silent = isSilent;
    for (const heard of this.heard) heard.lastMs = null;
  }

  /** Counts and heartbeats begin again; what nodes are registered, and when they first were, stays. */
  beginPart(): void {
    this.answers = { registration: {}, heartbeat: {}, removal: {} };
    this.missed = {};
    this.failures = 0;
    for (const heard of this.heard) {
      heard.isRefused = false;
      heard.isAwaited = false;
    }
    this.heartbeats.reset();
    this.recovery = null;
  }

  /**
   * Counts nodes that come back from now on: those that were registered at the registry that ended, or all. A node is back after a
   * registration, or a heartbeat that its registry answers with 200.
   * @param whole called when all are back
   */
  beginRecovery(gone: string | null, whole: () => void): void {
    const awaited = this.heard.filter(({ registry }) => gone === null || registry === gone);
    for (const heard of awaited) heard.isAwaited = true;
    this.recovery = { sinceMs: this.nowMs(), gone, nodes: awaited.length, backMs: [], whole };
    if (awaited.length === 0) whole();
  }

  /** Null: nodes had not to come back in this part. */
  recovered(): RecoveryFigures | null {
    if (!this.recovery) return null;
    const { nodes, backMs, sinceMs } = this.recovery;
    return { nodes, back: backMs.length, comings: comingsOf(sinceMs, backMs) };
  }

  /** The first registrations. */
  registrations(): Comings {
    return comingsOf(this.startedMs, this.registeredAtMs);
  }

  figures(): LoadFigures {
    const count = this.answers.heartbeat['200'] ?? 0;
    const silent = this.heard.filter((heard) => this.isForgotten(heard)).length;
    const late = (this.missed.late ?? 0) + silent;
    const missedBy = { ...this.missed, ...(late > 0 && { late }) };
    return {
      ...{ nodes: this.nodes, registered: this.registeredCount, failures: this.failures },
      ...{ refused: this.heard.filter(({ isRefused }) => isRefused).length, missedBy },
      times: timesOf(this.registrations()),
      byRegistry: this.byRegistry(),
      heartbeatsMissed: Object.values(missedBy).reduce((sum, missed) => sum + missed, 0),
      answers: {
        registration: this.answersTo('registration'),
        heartbeat: this.answersTo('heartbeat'),
        removal: this.answersTo('removal'),
      },
      heartbeat:
        count === 0
          ? null
          : {
              ...{ count, p50Ms: this.heartbeatMs(50), p99Ms: this.heartbeatMs(99) },
              maxMs: this.heartbeats.max / nsPerMs,
            },
    };
  }

  private answersTo(of: RequestKind): Record<string, number> {
    const underway = this.heard.filter((heard) => heard.underway === of).length;
    return { ...this.answers[of], ...(underway > 0 && { underway }) };
  }

  private isForgotten({ lastMs }: Heard): boolean {
    return lastMs !== null && this.nowMs() - lastMs > this.expirySeconds * 1000;
  }

  private miss(by: string): void {
    this.missed[by] = (this.missed[by] ?? 0) + 1;
  }

  private count(of: RequestKind, status: number | null, tookMs: number): void {
    const name = nameOf(status);
    this.answers[of][name] = (this.answers[of][name] ?? 0) + 1;
    if (of === 'heartbeat' && status === 200)
      this.heartbeats.record(Math.max(1, Math.round(tookMs * nsPerMs)));
  }

  private noteBack(heard: Heard): void {
    const { recovery } = this;
    if (!recovery || !heard.isAwaited || heard.registry === null || heard.registry === recovery.gone) return;
    heard.isAwaited = false;
    recovery.backMs.push(this.nowMs() - recovery.sinceMs);
    if (recovery.backMs.length === recovery.nodes) recovery.whole();
  }

  private byRegistry(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { registry } of this.heard)
      if (registry !== null) counts[registry] = (counts[registry] ?? 0) + 1;
    return counts;
  }

  private heartbeatMs(percent: number): number {
    return this.heartbeats.percentile(percent) / nsPerMs;
  }
}

/** To the microsecond. */
function comingsOf(sinceMs: number, ms: readonly number[]): Comings {
  const seconds = ms.map((one) => Math.round(one * 1000) / 1e6).sort((one, other) => one - other);
  return { sinceNs: Math.round(sinceMs * nsPerMs), seconds };
}

/** Null: none came. */
export function timesOf({ seconds }: Comings): RegistrationTimes | null {
  const at = (share: number): number => seconds[Math.max(0, Math.ceil(share * seconds.length) - 1)] ?? 0;
  return seconds.length === 0
    ? null
    : { firstSeconds: at(0), p50Seconds: at(0.5), p99Seconds: at(0.99), lastSeconds: at(1) };
}

/** The first, the last, and others evenly between them where they are many. */
export function curveOf({ seconds }: Comings): Curve {
  const points = Math.min(mostPoints, seconds.length);
  return Array.from({ length: points }, (_, point) => {
    const nodes = points === 1 ? 1 : 1 + Math.round((point * (seconds.length - 1)) / (points - 1));
    return [seconds[nodes - 1] ?? 0, nodes];
  });
}

/** As a node takes it: it goes to another registry then. */
function endsRegistration(of: RequestKind, status: number | null): boolean {
  if (status === null || status >= 500) return true;
  return of === 'heartbeat' && status !== 200 && status !== 404 && status !== 409;
}

function nameOf(status: number | null): string {
  return status === null ? 'none' : String(status);
}
