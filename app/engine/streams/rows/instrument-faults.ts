import type { Fact } from '../../../protocol/fact';
import type { LoadSample } from '../../../protocol/load';
import { reasonOf } from '../../../protocol/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import { type MachineClocks, machineClocks } from '../../clock';
import { type HostRole, hostRoles } from '../../host-application';
import { samplesWithin } from '../../load/window';
import { ClockOffset } from '../clocks/clock-offset';
import type { StreamLedger } from '../counting/stream-ledger';
import type { ForeignLedger } from '../foreign/foreign-ledger';
import type { Stream } from '../stream';

/** A row that ends, and what happened meanwhile. */
interface MeasuredTime {
  fromNs: number;
  toNs: number;
  /** When it had to be written. */
  limitNs: number;
  samples: readonly LoadSample[];
  deaths: number;
  /** A stream process could not be started again. */
  lost: boolean;
}

/** What a row reads when it begins, to find out when it ends what went wrong meanwhile. */
export class InstrumentWatch {
  private readonly sleptBefore: number;
  /** Of senders on other machines. */
  private readonly otherClocks: { name: string; clock: ClockOffset }[];
  /** Null: there is no such sender, and to look takes a millisecond. */
  private readonly wallOffsetBeforeUs: number | null;
  private readonly overflowedBefore: Map<Stream, Record<string, number>>;

  constructor(
    private readonly streams: readonly Stream[],
    private readonly deathsBefore: number,
    private readonly clocks: MachineClocks = machineClocks,
  ) {
    this.sleptBefore = this.sleptSeconds();
    this.otherClocks = streams.flatMap(({ name, ledger }) => {
      const clock = ledger?.identity.clock;
      return clock instanceof ClockOffset ? { name, clock } : [];
    });
    this.wallOffsetBeforeUs = this.otherClocks.length > 0 ? clocks.wallOffsetUs() : null;
    this.overflowedBefore = new Map(streams.map((stream) => [stream, overflowsOf(stream)]));
  }

  /** What makes a row INVALID beyond the counts of its streams; each limit is a number of the thresholds profile. */
  faults(row: MeasuredTime, thresholds: Thresholds): Fact[] {
    const samples = row.samples.filter((sample) => sample.atNs >= row.fromNs - 1e9);
    const inRow = samplesWithin(samples, row.fromNs, row.toNs);
    return [
      ...sampleGaps(samples, row.fromNs, row.toNs, thresholds),
      ...stealFaults(inRow, thresholds),
      ...this.lateFaults(row.limitNs, thresholds),
      ...(row.deaths > this.deathsBefore ? [reasonOf('process-died')] : []),
      ...(row.lost ? [reasonOf('process-lost')] : []),
      ...hostRoles.filter((role) => inRow.some((sample) => isStopped(sample, role))).map(stopFault),
      ...sourceFaults(this.streams),
      ...this.sleepFaults(thresholds),
      ...this.stepFaults(row.fromNs, row.toNs, thresholds),
      ...this.overflowFaults(),
    ];
  }

  private lateFaults(limitNs: number, { maxFlushDelaySeconds }: Thresholds): Fact[] {
    const seconds = (this.clocks.monotonicNs() - limitNs) / 1e9;
    return seconds > maxFlushDelaySeconds ? [reasonOf('row-late', { seconds })] : [];
  }

  private sleepFaults({ maxSuspendSeconds }: Thresholds): Fact[] {
    const seconds = this.sleptSeconds() - this.sleptBefore;
    return seconds > maxSuspendSeconds ? [reasonOf('suspended', { seconds })] : [];
  }

  /** Latencies between two machines rest on both clocks; on one machine a step of the wall clock touches nothing. */
  private stepFaults(fromNs: number, toNs: number, { maxWallStepMs }: Thresholds): Fact[] {
    const before = this.wallOffsetBeforeUs;
    if (before === null) return [];
    const ownMs = (this.clocks.wallOffsetUs() - before) / 1000;
    const own = Math.abs(ownMs) > maxWallStepMs ? [reasonOf('wall-clock-step', { byMs: ownMs })] : [];
    const others = this.otherClocks.flatMap(({ name, clock }) =>
      clock.steps
        .filter(({ atNs, byUs }) => atNs >= fromNs && atNs <= toNs && Math.abs(byUs) > maxWallStepMs * 1000)
        .map(({ byUs }) => reasonOf('sender-clock-step', { sender: name, byMs: byUs / 1000 })),
    );
    return [...own, ...others];
  }

  private overflowFaults(): Fact[] {
    return this.streams.flatMap((stream) => {
      const before = this.overflowedBefore.get(stream) ?? {};
      return Object.entries(overflowsOf(stream)).flatMap(([stage, total]) => {
        const records = total - (before[stage] ?? 0);
        return records > 0 ? [reasonOf('records-overflowed', { records, stage, whose: stream.name })] : [];
      });
    });
  }

  private sleptSeconds(): number {
    return this.clocks.uptimeSeconds() - this.clocks.monotonicNs() / 1e9;
  }
}

/** A stream process of ours that was stopped, by a signal or a debugger, neither sends nor fetches in time. */
export function isStopped({ roles }: Pick<LoadSample, 'roles'>, role: HostRole): boolean {
  return roles[role]?.stopped === true;
}

export function stopFault(role: HostRole): Fact {
  return reasonOf('process-stopped', { role });
}

function sampleGaps(
  samples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
  { maxSampleGapSeconds }: Thresholds,
): Fact[] {
  const faults: Fact[] = [];
  let before = fromNs;
  for (const atNs of [...samples.map((sample) => sample.atNs), toNs]) {
    const seconds = (atNs - before) / 1e9;
    if (seconds > maxSampleGapSeconds) faults.push(reasonOf('no-load-sample', { seconds }));
    before = atNs;
  }
  return faults;
}

/** Of a source that failed the last picture goes on, which is not what was to be sent. */
function sourceFaults(streams: readonly Stream[]): Fact[] {
  const sources = new Set(streams.map(({ source }) => source));
  return [...sources].flatMap(({ text, status }) =>
    status?.state === 'failed' ? [reasonOf('source-failed', { source: text, message: status.message })] : [],
  );
}

function stealFaults(samples: LoadSample[], { maxStealPercent }: Thresholds): Fact[] {
  const steal = samples.reduce((most, { cpuStealPercent }) => Math.max(most, cpuStealPercent ?? 0), 0);
  if (steal <= maxStealPercent) return [];
  return [reasonOf('cpu-stolen', { percent: steal, limitPercent: maxStealPercent })];
}

/** Records lost so far because a ring was full, by stage. */
function overflowsOf({ ledger, foreign, audio, clock }: Stream): Record<string, number> {
  return {
    ...codedOverflows(ledger),
    ...foreignOverflows(foreign),
    ...(audio && { sound: audio.overflowed }),
    ...(clock instanceof ClockOffset && { time: clock.overflowed }),
  };
}

function codedOverflows(ledger: StreamLedger | null): Record<string, number> {
  return ledger ? { ...ledger.overflowed, source: ledger.source.overflowed } : {};
}

function foreignOverflows(foreign: ForeignLedger | null): Record<string, number> {
  return foreign ? { captures: foreign.overflowed } : {};
}
