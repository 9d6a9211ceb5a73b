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
  answers: Record<RequestKind, Record<string, number>>;
  /** How often a node left its registry, since it did not answer or with 5xx. */
  failures: number;
  /** Nodes that a registry refused, or one of their resources: they are not tried again. */
  refused: number;
  /** Of heartbeats that were answered with 200; null: there was none. */
  heartbeat: Percentiles | null;
  /** Of registered nodes: heartbeats without an answer 200, and times in which the registry heard nothing for longer than it keeps a node. */
  heartbeatsMissed: number;
  /** The same by what came instead: a status, `none` for no answer, `late`. */
  missedBy: Record<string, number>;
}

/** What becomes of one node. */
export interface NodeLedger extends RequestWatch {
  registered(): void;
  /** Its registry does not have all of it. */
  left(): void;
  refused(): void;
}

/** Of a node: when its registry last heard of it, and whether a heartbeat is on its way. */
interface Heard {
  lastMs: number | null;
  isAsked: boolean;
}

/** Adds up what all nodes of a load report. */
export class LoadLedger {
  private readonly answers: LoadFigures['answers'] = { registration: {}, heartbeat: {}, removal: {} };
  private readonly heartbeats = createHistogram();
  private readonly startedMs: number;
  private readonly registeredAtMs: number[] = [];
  private registeredCount = 0;
  private failures = 0;
  private refusals = 0;
  private readonly missed: Record<string, number> = {};
  private readonly heard: Heard[] = [];

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
    let isRegistered = false;
    let wasRegistered = false;
    const heard: Heard = { lastMs: null, isAsked: false };
    this.heard.push(heard);
    const leave = (): void => {
      if (isRegistered) this.registeredCount--;
      isRegistered = false;
    };
    return {
      begins: (of) => {
        if (of === 'heartbeat') heard.isAsked = true;
      },
      ended: ({ of, status, tookMs }) => {
        this.count(of, status, tookMs);
        if (of === 'heartbeat') heard.isAsked = false;
        if (of === 'removal') {
          heard.lastMs = null;
          return;
        }
        if (status === null || status >= 500) this.failures++;
        const isHeard = status === 200 || status === 201;
        if (of === 'heartbeat' && heard.lastMs !== null) {
          if (!isHeard) this.miss(nameOf(status));
          else if (this.isForgotten(heard)) this.miss('late');
          heard.lastMs = isHeard ? this.nowMs() : null;
        } else if (isHeard) {
          // The node comes first, and what belongs to it is no sign of life.
          heard.lastMs ??= this.nowMs();
        }
      },
      registered: () => {
        if (!isRegistered) this.registeredCount++;
        isRegistered = true;
        if (!wasRegistered) this.registeredAtMs.push(this.nowMs() - this.startedMs);
        wasRegistered = true;
      },
      left: leave,
      refused: () => {
        this.refusals++;
        leave();
      },
    };
  }

  /** Whether a heartbeat is on its way that may still come in time. */
  isWaiting(): boolean {
    return this.heard.some((heard) => heard.isAsked && heard.lastMs !== null && !this.isForgotten(heard));
  }

  figures(): LoadFigures {
    const { registration, heartbeat, removal } = this.answers;
    const count = heartbeat['200'] ?? 0;
    const silent = this.heard.filter((heard) => this.isForgotten(heard)).length;
    const late = (this.missed.late ?? 0) + silent;
    const missedBy = { ...this.missed, ...(late > 0 && { late }) };
    return {
      ...{ nodes: this.nodes, registered: this.registeredCount, failures: this.failures },
      ...{ refused: this.refusals, times: this.times(), missedBy },
      heartbeatsMissed: Object.values(missedBy).reduce((sum, missed) => sum + missed, 0),
      answers: { registration: { ...registration }, heartbeat: { ...heartbeat }, removal: { ...removal } },
      heartbeat:
        count === 0
          ? null
          : {
              ...{ count, p50Ms: this.heartbeatMs(50), p99Ms: this.heartbeatMs(99) },
              maxMs: this.heartbeats.max / nsPerMs,
            },
    };
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

function nameOf(status: number | null): string {
  return status === null ? 'none' : String(status);
}
