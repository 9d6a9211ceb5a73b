import type { Clock } from '../../../protocol/clock';
import type { Fact } from '../../../protocol/fact';
import type { LoadSample } from '../../../protocol/load';
import { aboutLoad, fine, type Guard, violatedBy, violatedByLoad } from '../../../protocol/precedence';
import { reasonOf } from '../../../protocol/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import { type HostRole, hostRoles } from '../../host-application';
import { samplesWithin } from '../../load/window';
import { ClockOffset } from '../clocks/clock-offset';
import type { StreamLedger } from '../counting/stream-ledger';
import type { ForeignLedger } from '../foreign/foreign-ledger';
import type { HostSilence } from '../living-hosts';
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
  silences: readonly HostSilence[];
}

/** Which of its clocks a machine is watched by. */
export type WatchedClock = Pick<Clock, 'monotonicNs' | 'uptimeSeconds' | 'wallOffsetUs'>;

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
    private readonly clock: WatchedClock,
  ) {
    this.sleptBefore = this.sleptSeconds();
    this.otherClocks = streams.flatMap(({ name, ledger }) => {
      const clock = ledger?.identity.clock;
      return clock instanceof ClockOffset ? { name, clock } : [];
    });
    this.wallOffsetBeforeUs = this.otherClocks.length > 0 ? clock.wallOffsetUs() : null;
    this.overflowedBefore = new Map(streams.map((stream) => [stream, overflowsOf(stream)]));
  }

  /** Whether the instrument kept up in the row, guard by guard; each limit is a number of the thresholds profile. */
  guards(row: MeasuredTime, thresholds: Thresholds): Guard[] {
    const samples = row.samples.filter((sample) => sample.atNs >= row.fromNs - 1e9);
    const inRow = samplesWithin(samples, row.fromNs, row.toNs);
    return [
      violatedByLoad(sampleGaps(samples, row.fromNs, row.toNs, thresholds)),
      ...loadGuards(samples, inRow, row, thresholds),
      violatedByLoad(this.lateFaults(row.limitNs, thresholds)),
      violatedByLoad(silenceFaults(row)),
      violatedBy(row.deaths > this.deathsBefore ? [reasonOf('process-died')] : []),
      violatedBy(row.lost ? [reasonOf('process-lost')] : []),
      violatedBy(this.sleepFaults(thresholds)),
      violatedBy(this.stepFaults(row.fromNs, row.toNs, thresholds)),
      violatedBy(this.overflowFaults()),
    ];
  }

  /** What was played is not what was asked for: of a source that failed the last picture goes on. */
  contradictions(): Fact[] {
    return sourceFaults(this.streams);
  }

  private lateFaults(limitNs: number, { maxFlushDelaySeconds }: Thresholds): Fact[] {
    const seconds = (this.clock.monotonicNs() - limitNs) / 1e9;
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
    const ownMs = (this.clock.wallOffsetUs() - before) / 1000;
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
    return this.clock.uptimeSeconds() - this.clock.monotonicNs() / 1e9;
  }
}

/** A stream process of ours that was stopped, by a signal or a debugger, neither sends nor fetches in time. */
export function isStopped({ roles }: Pick<LoadSample, 'roles'>, role: HostRole): boolean {
  return roles[role]?.stopped === true;
}

export function stopFault(role: HostRole): Fact {
  return reasonOf('process-stopped', { role });
}

/** Those that reach into the row. */
function silenceFaults({ fromNs, toNs, silences }: MeasuredTime): Fact[] {
  return silences
    .filter((silence) => silence.toNs > fromNs && silence.fromNs < toNs)
    .map((silence) =>
      reasonOf('host-silent', { role: silence.role, seconds: (silence.toNs - silence.fromNs) / 1e9 }),
    );
}

/** Times longer than the limit without one of these samples, s. */
function gapsBetween(
  samples: readonly LoadSample[],
  { fromNs, toNs }: Pick<MeasuredTime, 'fromNs' | 'toNs'>,
  { maxSampleGapSeconds }: Thresholds,
): number[] {
  const moments = [fromNs, ...samples.map(({ atNs }) => atNs), toNs];
  return moments
    .map((atNs, index) => (atNs - (moments[index - 1] ?? fromNs)) / 1e9)
    .filter((seconds) => seconds > maxSampleGapSeconds);
}

function sampleGaps(
  samples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
  thresholds: Thresholds,
): Fact[] {
  return gapsBetween(samples, { fromNs, toNs }, thresholds).map((seconds) =>
    reasonOf('no-load-sample', { seconds }),
  );
}

/** What samples say of the machine and of our processes; samples that came without a figure do not say that it was fine. */
function loadGuards(
  samples: readonly LoadSample[],
  inRow: LoadSample[],
  row: MeasuredTime,
  thresholds: Thresholds,
): Guard[] {
  const checked = (
    what: string,
    field: string,
    guard: Guard,
    isMissing: (of: LoadSample) => boolean,
  ): Guard => {
    if (guard !== fine) return guard;
    const missing = samples.find(isMissing);
    if (!missing) return fine;
    const known = samples.filter((sample) => !isMissing(sample));
    if (gapsBetween(known, row, thresholds).length === 0) return fine;
    const why = missing.notMeasured[field] ?? 'the reason is not known';
    return { state: 'not-evaluated', facts: [reasonOf('not-checked', { what, why })] };
  };
  return [
    aboutLoad(
      checked(
        'how much CPU the hypervisor took away',
        'cpuStealPercent',
        violatedByLoad(stealFaults(inRow, thresholds)),
        ({ cpuStealPercent }) => cpuStealPercent === null,
      ),
    ),
    ...hostRoles.map((role) =>
      checked(
        `whether our ${role} process was stopped`,
        `roles.${role}`,
        violatedBy(inRow.some((sample) => isStopped(sample, role)) ? [stopFault(role)] : []),
        ({ notMeasured }) => notMeasured[`roles.${role}`] !== undefined,
      ),
    ),
  ];
}

/** Of a source that failed the last picture goes on, which is not what was to be sent. */
export function sourceFaults(streams: readonly Stream[]): Fact[] {
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
