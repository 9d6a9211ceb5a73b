import type { Fact } from '../../facts/fact';
import type { BrokenGuard, Guard } from '../../facts/precedence';
import type { ReasonCode } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import type { LiveCount } from './live-count';
import { guardsOfStream } from './rows/gone-elsewhere';
import {
  InstrumentWatch,
  type MachineFindings,
  type MeasuredTime,
  machineFindings,
  sleptSecondsOf,
  type WatchedClock,
} from './rows/instrument-faults';
import { machinesOf } from './rows/machines-of';
import type { MeteredSet } from './rows/row-meter';
import type { Stream } from './stream';

export interface LiveGuardsOptions {
  thresholds: Thresholds;
  /** Says how often a stream process of ours has died, and whether one could not be started again. */
  set: Pick<MeteredSet, 'deaths' | 'died' | 'lost' | 'standstills' | 'senderSide' | 'receiverSides'>;
  clock: WatchedClock;
}

interface Found {
  guard: BrokenGuard;
  fact: Fact;
  /** When it was found, or found to be worse. */
  atNs: number;
}

/** A stream to check; `live`: null before it is counted. */
interface Looked {
  stream: Stream;
  live: LiveCount | null;
}

/** A stream's place in the strips, whoever sends there. It is watched since the stream is counted, and before that since it was added. */
interface Watched {
  stream: Stream;
  live: LiveCount | null;
  watch: InstrumentWatch;
  fromNs: number;
  deathsBefore: number;
  found: Map<string, Found>;
}

/** Findings about a machine, which are the same for all of its streams at one time. */
interface FoundOfMachine {
  time: MeasuredTime;
  machine: MachineFindings;
}

const overflowCode: ReasonCode = 'records-overflowed';
/** Two looks, and two samples, lie no farther apart in ordinary times. */
const betweenLooksNs = 2e9;

/** An agent says once a second what its machine was sampled. */
const lateNs = 2e9;

function newestOf(samples: readonly LoadSample[], fromNs: number): readonly LoadSample[] {
  let first = samples.length;
  while (first > 0 && (samples[first - 1]?.atNs ?? 0) >= fromNs - lateNs - 1e9) first -= 1;
  return samples.slice(first);
}

/** Samples have to be kept for so long, so that a look sees the longest time without one as a whole. */
export function lookedBackNs({ maxSampleGapSeconds }: Thresholds): number {
  return maxSampleGapSeconds * 1e9 + betweenLooksNs;
}

/**
 * Whether the instrument kept up since a strip is counted, as a row finds it out when it is closed. Each look takes the newest
 * seconds; what it finds stays, since the counts stay.
 */
export class LiveGuards {
  private readonly watched = new Map<number, Watched>();
  /** Streams that lost records. */
  private readonly overflowed = new Set<Watched>();
  /** When the look before was. */
  private lookedNs = Number.POSITIVE_INFINITY;

  constructor(private readonly options: LiveGuardsOptions) {}

  /** To be called at each look, with all streams. */
  look(counted: readonly Looked[], samples: readonly LoadSample[], nowNs: number): void {
    this.keepOnly(new Set(counted.map(({ stream }) => stream.id)));
    const lookedNs = Math.min(this.lookedNs, nowNs - lookedBackNs(this.options.thresholds));
    this.lookedNs = nowNs;
    const newest = samples.filter(({ atNs }) => atNs >= lookedNs - 1e9);
    const sleptSeconds = sleptSecondsOf(this.options.clock);
    // Nearly all streams began before the time of a look: they share what is found of the machine.
    const find = (fromNs: number): FoundOfMachine =>
      this.findOfMachine({ fromNs, toNs: nowNs, samples: newest, sleptSeconds });
    const ofLook = find(lookedNs);
    for (const { stream, live } of counted) {
      const watched = this.watchedOf(stream, live, nowNs);
      const fromNs = Math.max(watched.fromNs, lookedNs);
      const { time, machine } = fromNs === lookedNs ? ofLook : find(fromNs);
      const guards = watched.watch.guards(time, this.options.thresholds, machine);
      this.keep(watched, guardsOfStream(guards, stream), nowNs);
    }
  }

  /** What the guards of the place of a stream found so far. Records that overflow spoil all streams, as they do in a row. */
  of({ id }: Stream): Guard[] {
    const own = this.watched.get(id);
    if (!own) return [];
    const others = [...this.overflowed]
      .filter((watched) => watched !== own)
      .flatMap(({ found }) => [...found.values()])
      .filter(({ fact, atNs }) => fact.code === overflowCode && atNs > own.fromNs);
    return [...own.found.values(), ...others].map(({ guard, fact }) => ({ ...guard, facts: [fact] }));
  }

  private findOfMachine({
    samples,
    ...look
  }: Pick<MeasuredTime, 'fromNs' | 'toNs' | 'sleptSeconds'> & {
    samples: readonly LoadSample[];
  }): FoundOfMachine {
    const { thresholds, set } = this.options;
    const { deaths, died, lost } = set;
    const standstills = set.standstills(look.fromNs, look.toNs);
    const machines = machinesOf(set, samples).map((one) =>
      one.isElsewhere ? { ...one, samples: newestOf(one.samples, look.fromNs), lateNs } : one,
    );
    // A live view is never written late.
    const limitNs = Number.POSITIVE_INFINITY;
    const time = { ...look, machines, limitNs, deaths, died, lost, standstills };
    return { time, machine: machineFindings(time, thresholds) };
  }

  private keep(watched: Watched, guards: readonly Guard[], atNs: number): void {
    for (const guard of guards) {
      if (guard.state === 'fine') continue;
      for (const fact of guard.facts) {
        keepWorst(watched.found, { guard, fact, atNs });
        if (fact.code === overflowCode) this.overflowed.add(watched);
      }
    }
  }

  /** Streams that are not among these were removed. */
  private keepOnly(ids: ReadonlySet<number>): void {
    for (const id of this.watched.keys()) if (!ids.has(id)) this.forget(id);
  }

  private watchedOf(stream: Stream, live: LiveCount | null, nowNs: number): Watched {
    const known = this.watched.get(stream.id);
    const isSame = known?.stream === stream;
    const isKnown = isSame && (live === null || known.live === live);
    if (isKnown) return known;
    // One that goes on for another is judged with what was before it; any other from where its counts begin.
    const before = stream.before !== null ? known : undefined;
    const { deaths } = this.options.set;
    const begin = before ?? { fromNs: nowNs, deathsBefore: deaths, found: new Map() };
    const watch = new InstrumentWatch([stream], begin.deathsBefore, this.options.clock);
    const watched: Watched = { ...begin, stream, live, watch };
    this.forget(stream.id);
    this.watched.set(stream.id, watched);
    if ([...watched.found.values()].some(({ fact }) => fact.code === overflowCode))
      this.overflowed.add(watched);
    return watched;
  }

  private forget(id: number): void {
    const watched = this.watched.get(id);
    if (watched) this.overflowed.delete(watched);
    this.watched.delete(id);
  }
}

/** Keeps the worst finding of each kind: later looks find the same again, and sums grow. */
function keepWorst(found: Map<string, Found>, now: Found): void {
  const key = keyOf(now.fact);
  const before = found.get(key);
  if (!before || sizeOf(now.fact) > sizeOf(before.fact)) found.set(key, now);
}

function keyOf({ code, data }: Fact): string {
  return [code, data.role, data.what, data.whose, data.stage, data.sender, data.machine].join(' ');
}

function sizeOf({ data: { seconds, percent, records, byMs } }: Fact): number {
  return Math.abs(Number(seconds ?? percent ?? records ?? byMs ?? 0));
}
