import { uptime } from 'node:os';
import type { LoadSample } from '../../../protocol/load';
import { stolenText } from '../../../protocol/steal-limit';
import type { Thresholds } from '../../../protocol/thresholds';
import { measureWallOffsetUs, monotonicNs } from '../../clock';
import { samplesWithin } from '../../load/window';
import { ClockOffset } from '../clocks/clock-offset';
import type { StreamLedger } from '../counting/stream-ledger';
import type { ForeignLedger } from '../foreign/foreign-ledger';
import type { Stream } from '../stream';

/** The clocks of this machine, as the beginning and the end of a row look at them. */
export interface MachineClocks {
  monotonicNs(): number;
  /** Since the start of the machine, the time in which it slept included. */
  uptimeSeconds(): number;
  /** Wall clock minus monotonic clock at this moment. */
  wallOffsetUs(): number;
}

export const machineClocks: MachineClocks = {
  monotonicNs,
  uptimeSeconds: uptime,
  wallOffsetUs: measureWallOffsetUs,
};

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

/** What a row looks at when it begins, to find out when it ends what went wrong meanwhile. */
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
  faults(row: MeasuredTime, thresholds: Thresholds): string[] {
    const samples = row.samples.filter((sample) => sample.atNs >= row.fromNs - 1e9);
    return [
      ...sampleGaps(samples, row.fromNs, row.toNs, thresholds),
      ...stealFaults(samplesWithin(samples, row.fromNs, row.toNs), thresholds),
      ...this.lateFaults(row.limitNs, thresholds),
      ...(row.deaths > this.deathsBefore ? ['a stream process died in the row'] : []),
      ...(row.lost ? ['a stream process died and could not be started again'] : []),
      ...sourceFaults(this.streams),
      ...this.sleepFaults(thresholds),
      ...this.stepFaults(row.fromNs, row.toNs, thresholds),
      ...this.overflowFaults(),
    ];
  }

  private lateFaults(limitNs: number, { maxFlushDelaySeconds }: Thresholds): string[] {
    const lateSeconds = (this.clocks.monotonicNs() - limitNs) / 1e9;
    return lateSeconds > maxFlushDelaySeconds ? [`the row was written ${lateSeconds.toFixed(1)} s late`] : [];
  }

  private sleepFaults({ maxSuspendSeconds }: Thresholds): string[] {
    const slept = this.sleptSeconds() - this.sleptBefore;
    return slept > maxSuspendSeconds ? [`the machine was suspended for ${slept.toFixed(1)} s`] : [];
  }

  /** Latencies between two machines rest on both clocks; on one machine a step of the wall clock touches nothing. */
  private stepFaults(fromNs: number, toNs: number, { maxWallStepMs }: Thresholds): string[] {
    const before = this.wallOffsetBeforeUs;
    if (before === null) return [];
    const ownMs = (this.clocks.wallOffsetUs() - before) / 1000;
    const own =
      Math.abs(ownMs) > maxWallStepMs ? [`this machine’s wall clock was set ${stepText(ownMs)}`] : [];
    const others = this.otherClocks.flatMap(({ name, clock }) =>
      clock.steps
        .filter(({ atNs, byUs }) => atNs >= fromNs && atNs <= toNs && Math.abs(byUs) > maxWallStepMs * 1000)
        .map(({ byUs }) => `the clock of the sender of ${name} went ${stepText(byUs / 1000)} against ours`),
    );
    return [...own, ...others];
  }

  private overflowFaults(): string[] {
    return this.streams.flatMap((stream) => {
      const before = this.overflowedBefore.get(stream) ?? {};
      return Object.entries(overflowsOf(stream)).flatMap(([stage, total]) => {
        const records = total - (before[stage] ?? 0);
        return records > 0 ? [`${records} records of stage ${stage} of ${stream.name} were lost`] : [];
      });
    });
  }

  private sleptSeconds(): number {
    return this.clocks.uptimeSeconds() - this.clocks.monotonicNs() / 1e9;
  }
}

function sampleGaps(
  samples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
  { maxSampleGapSeconds }: Thresholds,
): string[] {
  const faults: string[] = [];
  let before = fromNs;
  for (const atNs of [...samples.map((sample) => sample.atNs), toNs]) {
    const gapSeconds = (atNs - before) / 1e9;
    if (gapSeconds > maxSampleGapSeconds) faults.push(`no load sample for ${gapSeconds.toFixed(1)} s`);
    before = atNs;
  }
  return faults;
}

/** Of a source that failed the last picture goes on, which is not what was to be sent. */
function sourceFaults(streams: readonly Stream[]): string[] {
  const sources = new Set(streams.map(({ source }) => source));
  return [...sources].flatMap(({ text, status }) =>
    status?.state === 'failed'
      ? [`${text} does not play any more, its last picture is sent: ${status.message}`]
      : [],
  );
}

function stealFaults(samples: LoadSample[], { maxStealPercent }: Thresholds): string[] {
  const steal = Math.max(0, ...samples.map((sample) => sample.cpuStealPercent ?? 0));
  if (steal <= maxStealPercent) return [];
  const taken = `${stolenText(steal, maxStealPercent)} (limit ${maxStealPercent} %)`;
  return [`${taken}: give this virtual machine cores of its own, or measure when its host has less to do`];
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

function stepText(byMs: number): string {
  return `${Math.abs(byMs).toFixed(1)} ms ${byMs > 0 ? 'ahead' : 'back'}`;
}
