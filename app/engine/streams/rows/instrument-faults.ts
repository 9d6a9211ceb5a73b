import type { Fact } from '../../../facts/fact';
import {
  aboutLoad,
  fine,
  type Guard,
  ofReachable,
  unreachableMachines,
  violatedBy,
  violatedByLoad,
} from '../../../facts/precedence';
import { reasonOf } from '../../../facts/reason-words';
import type { Clock } from '../../../protocol/clock';
import { type LoadSample, neverTold } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import { type ProcessStandstill, standstillGuards } from '../../load/standstills';
import { samplesWithin } from '../../load/window';
import { ClockOffset } from '../clocks/clock-offset';
import type { ReleaseClock } from '../clocks/release-clock';
import type { StreamLedger } from '../counting/stream-ledger';
import { type DeadProcess, deathFacts } from '../dead-process';
import type { ForeignLedger } from '../foreign/foreign-ledger';
import { clockNs } from '../losses/loss-facts';
import type { Stream } from '../stream';
import { violatedByGone } from './gone-elsewhere';

/** One of the machines at the ends of the streams. */
export interface SampledMachine {
  /** Its name; absent if all ends are on this one. */
  machine?: string;
  /** Another machine than this one: that it slept is known by its samples. */
  isElsewhere?: boolean;
  /** Its newest samples may take this long to arrive: what is unknown until then is judged later. */
  lateNs?: number;
  samples: readonly LoadSample[];
}

/** A row that ends, and what happened meanwhile. */
export interface MeasuredTime {
  fromNs: number;
  toNs: number;
  /** `sleptSecondsOf` this machine when it ends. */
  sleptSeconds: number;
  /** Name of this machine; absent if all ends are on it. */
  ownName?: string;
  /** When it had to be written. */
  limitNs: number;
  /** Each machine once: a guard is judged by the samples of its own machine. */
  machines: readonly SampledMachine[];
  deaths: number;
  died?: readonly DeadProcess[];
  /** A stream process could not be started again. */
  lost: boolean;
  /** Near the row. */
  standstills: readonly ProcessStandstill[];
}

/** One that was out of reach says no more by not coming back. `deathsBefore`: those of earlier rows. */
function lostFaults({ lost, died = [] }: MeasuredTime, deathsBefore: number): Fact[] {
  if (!lost) return [];
  const gone = died.filter(({ isLost }) => isLost);
  const unsaid = gone.filter((dead) => !dead.unreachable || died.indexOf(dead) < deathsBefore);
  return gone.length > 0 && unsaid.length === 0 ? [] : deathFacts('process-lost', unsaid);
}

/** All processes that died on other machines had reported up to the end of the row, so it lacks nothing of theirs. */
function hasReportedTo({ toNs, deaths, died = [] }: MeasuredTime, deathsBefore: number): boolean {
  return died
    .slice(deathsBefore, deaths)
    .every(({ machine, reportedToNs = 0 }) => machine === undefined || reportedToNs >= toNs);
}

/** The clocks that watch a machine. */
export type WatchedClock = Pick<Clock, 'monotonicNs' | 'uptimeSeconds'>;

/** How often this machine looks at its wall clock. */
const betweenLooksNs = 0.5e9;

/** What a row reads when it begins, to find out when it ends what went wrong meanwhile. */
export class InstrumentWatch {
  private readonly sleptBefore: number;
  /** Clocks of senders on other machines. */
  private readonly otherClocks: { name: string; clock: ReleaseClock }[];
  private readonly overflowedBefore: Map<Stream, Record<string, number>>;

  constructor(
    private readonly streams: readonly Stream[],
    private readonly deathsBefore: number,
    private readonly clock: WatchedClock,
  ) {
    this.sleptBefore = sleptSecondsOf(clock);
    this.otherClocks = streams.flatMap(({ name, ledger }) => {
      return ledger ? { name, clock: ledger.identity.clock } : [];
    });
    this.overflowedBefore = new Map(streams.map((stream) => [stream, overflowsOf(stream)]));
  }

  /**
   * Whether the instrument kept up in the row, guard by guard, causes first; each limit is a number of the thresholds profile.
   * @param machine what is the same for all streams; who asks for several streams at once finds it once
   */
  guards(row: MeasuredTime, thresholds: Thresholds, machine = machineFindings(row, thresholds)): Guard[] {
    const died = this.deathFaults(row);
    return [
      violatedBy([...this.sleepFaults(row, thresholds), ...sleepElsewhere(row, thresholds)]),
      ...standstillGuards([...row.standstills, ...this.senderStandstills(row)], thresholds),
      hasReportedTo(row, this.deathsBefore) ? violatedBy(died) : violatedByGone(died),
      violatedByGone(lostFaults(row, this.deathsBefore)),
      violatedBy([
        ...(this.streams.length > 0 ? machine.wallSteps : []),
        ...this.otherSteps(row, thresholds),
      ]),
      ...ofReachable(machine.load, unreachableMachines(died)),
      violatedByLoad(this.lateFaults(row.limitNs, thresholds)),
      violatedBy(this.overflowFaults()),
    ];
  }

  /** What was played is not what was asked for: of a source that failed the last picture goes on. */
  contradictions(): Fact[] {
    return sourceFaults(this.streams);
  }

  private deathFaults({ deaths, died = [] }: MeasuredTime): Fact[] {
    if (deaths <= this.deathsBefore) return [];
    const lost = this.streams.flatMap(({ name, faultsLost: faults }) =>
      faults === '' ? [] : reasonOf('faults-not-put-in', { name, faults }),
    );
    return [...deathFacts('process-died', died.slice(this.deathsBefore, deaths)), ...lost];
  }

  private lateFaults(limitNs: number, { maxFlushDelaySeconds }: Thresholds): Fact[] {
    const seconds = (this.clock.monotonicNs() - limitNs) / 1e9;
    return seconds > maxFlushDelaySeconds ? [reasonOf('row-late', { seconds })] : [];
  }

  private sleepFaults({ sleptSeconds, ownName }: MeasuredTime, { maxSuspendSeconds }: Thresholds): Fact[] {
    const seconds = sleptSeconds - this.sleptBefore;
    return seconds > maxSuspendSeconds ? [reasonOf('suspended', { seconds, ...named(ownName) })] : [];
  }

  /** Latencies between two machines rest on the other one's clock. */
  private otherSteps({ fromNs, toNs }: MeasuredTime, { maxWallStepMs }: Thresholds): Fact[] {
    return this.otherClocks.flatMap(({ name, clock }) =>
      clock.steps
        .filter(({ atNs, byUs }) => atNs >= fromNs && atNs <= toNs && Math.abs(byUs) > maxWallStepMs * 1000)
        .map(({ byUs, machine }) =>
          reasonOf('sender-clock-step', { sender: name, byMs: byUs / 1000, ...named(machine) }),
        ),
    );
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

  /** As senders on other machines report them; of two streams of one sender they are the same. */
  private senderStandstills({ fromNs, toNs }: MeasuredTime): ProcessStandstill[] {
    return this.streams.flatMap(({ senderStandstills }) => senderStandstills.near(fromNs, toNs));
  }
}

/** What of a time is the same for all streams of this machine. */
export interface MachineFindings {
  wallSteps: Fact[];
  load: Guard[];
}

export function machineFindings(
  row: Pick<MeasuredTime, 'fromNs' | 'toNs' | 'machines'>,
  thresholds: Thresholds,
): MachineFindings {
  const each = row.machines.map(({ machine, isElsewhere, lateNs = 0, samples: all }) => {
    const [fromNs, toNs] = [row.fromNs - lateNs, row.toNs - lateNs];
    const samples = all.filter((sample) => sample.atNs >= fromNs - 1e9);
    return { fromNs, toNs, machine, isElsewhere, all, samples };
  });
  return {
    // One just before the row may reach into it.
    wallSteps: each.flatMap(({ all, ...one }) => wallSteps({ ...one, samples: all }, thresholds)),
    load: each.flatMap((one) => [
      ...loadGuards(one, samplesWithin(one.samples, one.fromNs, one.toNs), thresholds),
      sampleGuard(one, thresholds),
    ]),
  };
}

/** The samples of one machine near a row. */
interface MachineTime extends SampledMachine {
  fromNs: number;
  toNs: number;
}

function named(machine: string | undefined): { machine?: string } {
  return machine === undefined ? {} : { machine };
}

/** Sleep of machines elsewhere, which their samples record. */
function sleepElsewhere(
  { fromNs, toNs, machines }: Pick<MeasuredTime, 'fromNs' | 'toNs' | 'machines'>,
  { maxSuspendSeconds }: Thresholds,
): Fact[] {
  return machines.flatMap(({ machine, isElsewhere, samples }) => {
    const seconds = (isElsewhere ? samples : [])
      .flatMap(({ changes }) => changes)
      .filter(({ code, atNs }) => code === 'machine-suspended' && atNs >= fromNs - clockNs)
      .filter(({ atNs }) => atNs <= toNs + betweenLooksNs)
      .reduce((sum, { data }) => sum + Number(data.seconds ?? 0), 0);
    return seconds > maxSuspendSeconds ? [reasonOf('suspended', { seconds, ...named(machine) })] : [];
  });
}

/** Where a machine's wall clock is set, libndi may be without its connection for as long. The largest step stands for all. */
function wallSteps({ fromNs, toNs, samples, machine }: MachineTime, { maxWallStepMs }: Thresholds): Fact[] {
  const steps = samples
    .flatMap(({ changes }) => changes)
    .filter(({ code, atNs }) => code === 'wall-clock-step' && atNs >= fromNs - clockNs)
    .filter(({ atNs }) => atNs <= toNs + betweenLooksNs)
    .map(({ data: { byMs } }) => Number(byMs));
  const largestMs = steps.reduce((most, byMs) => (Math.abs(byMs) > Math.abs(most) ? byMs : most), 0);
  if (Math.abs(largestMs) <= maxWallStepMs) return [];
  return [reasonOf('wall-clock-step', { byMs: largestMs, ...named(machine) })];
}

/** How long this machine has slept since it was started. */
export function sleptSecondsOf(clock: WatchedClock): number {
  return clock.uptimeSeconds() - clock.monotonicNs() / 1e9;
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

function sampleGaps(one: MachineTime, thresholds: Thresholds): Fact[] {
  return gapsBetween(one.samples, one, thresholds).map((seconds) =>
    reasonOf('no-load-sample', { seconds, ...named(one.machine) }),
  );
}

/** As long as a lease lasts, and two samples: a bus that is gone for less costs nothing. */
const longestWithoutSeconds = 7;
/** A row so long has whole samples of each machine. */
const sampledRowSeconds = 3;

/**
 * Whether a machine was sampled all the time. An agent may tell no load: how busy its machine was is not known then, and the row says
 * nothing.
 */
function sampleGuard(one: MachineTime, thresholds: Thresholds): Guard {
  const facts = sampleGaps(one, thresholds);
  if (!one.isElsewhere) return violatedByLoad(facts);
  const { fromNs, toNs } = one;
  const isSampled = one.samples.some(({ atNs }) => atNs >= fromNs && atNs <= toNs);
  const isWithout = (toNs - fromNs) / 1e9 >= sampledRowSeconds && !isSampled;
  const isLong = facts.some(({ data: { seconds } }) => Number(seconds) > longestWithoutSeconds);
  if (isWithout || isLong) return { state: 'violated', facts, spoilsFigures: true };
  return violatedByLoad(facts);
}

/** What samples say of the machine and of our processes; samples that came without a figure do not say that it was fine. */
function loadGuards(row: MachineTime, inRow: LoadSample[], thresholds: Thresholds): Guard[] {
  const { samples, machine } = row;
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
    const facts = [reasonOf('not-checked', { what, why, ...named(machine) })];
    return { state: 'not-evaluated', facts, ...(why === neverTold && { isNeverTold: true }) };
  };
  return [
    aboutLoad(
      checked(
        'how much CPU the hypervisor took away',
        'cpuStealPercent',
        violatedByLoad(stealFaults(inRow, thresholds, machine)),
        ({ cpuStealPercent }) => cpuStealPercent === null,
      ),
    ),
  ];
}

/** If a source fails, its last picture is sent on, which is not what was to be sent. */
export function sourceFaults(streams: readonly Stream[]): Fact[] {
  const sources = new Set(streams.map(({ source }) => source));
  return [...sources].flatMap(({ text, status }) =>
    status?.state === 'failed' ? [reasonOf('source-failed', { source: text, message: status.message })] : [],
  );
}

function stealFaults(samples: LoadSample[], { maxStealPercent }: Thresholds, machine?: string): Fact[] {
  const steal = samples.reduce((most, { cpuStealPercent }) => Math.max(most, cpuStealPercent ?? 0), 0);
  if (steal <= maxStealPercent) return [];
  return [reasonOf('cpu-stolen', { percent: steal, limitPercent: maxStealPercent, ...named(machine) })];
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
