import { createHistogram } from 'node:perf_hooks';
import type { RequestMade } from '../node/registry-session';

const nsPerMs = 1e6;

/** Times in ms. */
export interface Percentiles {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** When nodes were registered for the first time with all of their resources, in s since the load began. */
export interface RegistrationTimes {
  firstSeconds: number;
  p50Seconds: number;
  p99Seconds: number;
  lastSeconds: number;
}

export interface LoadFigures {
  nodes: number;
  /** Nodes that hold a registration now. */
  registered: number;
  /** Null: no node was registered. */
  times: RegistrationTimes | null;
  /** Answers by status, and requests without one as `none`, by what was asked. */
  answers: Record<RequestMade['of'], Record<string, number>>;
  /** How often a node left its registry, since it did not answer or with 5xx. */
  failures: number;
  /** Nodes that a registry refused, or one of their resources: they are not tried again. */
  refused: number;
  /** Of heartbeats that were answered with 200; null: there was none. */
  heartbeat: Percentiles | null;
  /** How often a registered node's heartbeat was not answered with 200, or came later than the registry keeps the node. */
  heartbeatsMissed: number;
}

/** What becomes of one node. */
export interface NodeLedger {
  onRequest(request: RequestMade, nowMs: number): void;
  registered(nowMs: number): void;
  /** Its registry does not have all of it. */
  left(): void;
  refused(): void;
}

/** Adds up what all nodes of a load report. Times are of a monotonic clock, in ms. */
export class LoadLedger {
  private readonly answers: LoadFigures['answers'] = { registration: {}, heartbeat: {}, removal: {} };
  private readonly heartbeats = createHistogram();
  private readonly registeredAtMs: number[] = [];
  private registeredCount = 0;
  private failures = 0;
  private refusals = 0;
  private missed = 0;

  /** @param expirySeconds a registry forgets a node from which it heard nothing for so long */
  constructor(
    private readonly nodes: number,
    private readonly startedMs: number,
    private readonly expirySeconds: number,
  ) {}

  node(): NodeLedger {
    let isRegistered = false;
    let wasRegistered = false;
    /** When the registry last heard of it. */
    let heardMs: number | null = null;
    const leave = (): void => {
      if (isRegistered) this.registeredCount--;
      isRegistered = false;
    };
    return {
      onRequest: (request, nowMs) => {
        this.count(request);
        if (request.of === 'removal') return;
        if (request.status === null || request.status >= 500) this.failures++;
        const isHeard = request.status === 200 || request.status === 201;
        if (request.of === 'heartbeat' && heardMs !== null) {
          const isLate = nowMs - heardMs > this.expirySeconds * 1000;
          if (!isHeard || isLate) this.missed++;
          heardMs = isHeard ? nowMs : null;
        } else if (isHeard) {
          // The node comes first, and what belongs to it is no sign of life.
          heardMs ??= nowMs;
        }
      },
      registered: (nowMs) => {
        if (!isRegistered) this.registeredCount++;
        isRegistered = true;
        if (!wasRegistered) this.registeredAtMs.push(nowMs - this.startedMs);
        wasRegistered = true;
      },
      left: leave,
      refused: () => {
        this.refusals++;
        leave();
      },
    };
  }

  figures(): LoadFigures {
    const { registration, heartbeat, removal } = this.answers;
    const count = heartbeat['200'] ?? 0;
    return {
      ...{ nodes: this.nodes, registered: this.registeredCount, failures: this.failures },
      ...{ refused: this.refusals, heartbeatsMissed: this.missed, times: this.times() },
      answers: { registration: { ...registration }, heartbeat: { ...heartbeat }, removal: { ...removal } },
      heartbeat:
        count === 0
          ? null
          : {
              count,
              p50Ms: this.heartbeatMs(50),
              p99Ms: this.heartbeatMs(99),
              maxMs: this.heartbeats.max / nsPerMs,
            },
    };
  }

  private count({ of, status, tookMs }: RequestMade): void {
    const name = status === null ? 'none' : String(status);
    this.answers[of][name] = (this.answers[of][name] ?? 0) + 1;
    if (of === 'heartbeat' && status === 200)
      this.heartbeats.record(Math.max(1, Math.round(tookMs * nsPerMs)));
  }

  private times(): RegistrationTimes | null {
    const seconds = this.registeredAtMs.map((ms) => ms / 1000).sort((one, other) => one - other);
    const at = (share: number): number => seconds[Math.max(0, Math.ceil(share * seconds.length) - 1)] ?? 0;
    return seconds.length === 0
      ? null
      : { firstSeconds: at(0), p50Seconds: at(0.5), p99Seconds: at(0.99), lastSeconds: at(1) };
  }

  private heartbeatMs(percent: number): number {
    return this.heartbeats.percentile(percent) / nsPerMs;
  }
}
