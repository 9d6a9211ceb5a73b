import type { Fact } from '../../facts/fact';
import { fine, type Guard, violatedByLoad } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Standstill } from '../../protocol/standstill';
import type { Thresholds } from '../../protocol/thresholds';

/** Who stood still: a process of ours by its role, and its machine where that is another one, one of a remote sender by that sender’s name, a program of others by its own. */
export type Who = { role: string; machine?: string } | { sender: string } | { tool: string };

export interface ProcessStandstill extends Standstill {
  who: Who;
  /** Its standstills are not known at that time, and why. */
  whyUnknown?: string;
}

export type StandstillLimits = Pick<Thresholds, 'maxStandstillSeconds' | 'maxToolStandstillSeconds'>;

/** Half an hour of a process that stands still twenty times a second. */
const kept = 36_000;
/** What a standstill causes may show this much later: a connection is made again, queues run empty. */
const echoNs = 1e9;
/** A standstill becomes known at most this much later than one that ended after it. */
const lateNs = 10e9;

/** What is known of the standstills of all processes that measure on this machine. */
export class StandstillLog {
  /** In the order in which they became known. */
  private pieces: ProcessStandstill[] = [];

  add(who: Who, standstills: readonly Standstill[]): void {
    this.addAll(standstills.map((standstill) => ({ ...standstill, who })));
  }

  addAll(pieces: readonly ProcessStandstill[]): void {
    this.pieces.push(...pieces);
    if (this.pieces.length > 1.1 * kept) this.forgetOldest(this.pieces.length - kept);
  }

  /** Forgets those of the process that has the most, so that a host that reports them endlessly does not hide those of another. */
  private forgetOldest(count: number): void {
    const counts = new Map<string, number>();
    for (const piece of this.pieces) counts.set(keyOf(piece), (counts.get(keyOf(piece)) ?? 0) + 1);
    const [[most] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
    let left = count;
    this.pieces = this.pieces.filter((piece) => {
      if (left === 0 || keyOf(piece) !== most) return true;
      left -= 1;
      return false;
    });
  }

  /**
   * Those that touch the time between two moments or ended in the second before it, each as a whole. Of programs of others, which begin
   * and end with what they measure, only the parts that lie within.
   */
  near(fromNs: number, toNs: number): ProcessStandstill[] {
    let first = this.pieces.length;
    while (first > 0 && (this.pieces[first - 1]?.toNs ?? 0) >= fromNs - echoNs - lateNs) first -= 1;
    return this.pieces.slice(first).flatMap((piece) => {
      if ('tool' in piece.who) return partWithin(piece, fromNs, toNs);
      return piece.toNs >= fromNs - echoNs && piece.fromNs <= toNs ? piece : [];
    });
  }
}

function keyOf({ who }: ProcessStandstill): string {
  return JSON.stringify(who);
}

function partWithin(piece: ProcessStandstill, fromNs: number, toNs: number): ProcessStandstill[] {
  const part = { ...piece, fromNs: Math.max(piece.fromNs, fromNs), toNs: Math.min(piece.toNs, toNs) };
  return part.toNs > part.fromNs ? [part] : [];
}

/**
 * A guard for each process that stood still for longer than allowed. A process that was stopped excuses every loss, and what other programs
 * measured meanwhile proves nothing. A process that waited for a processor counts like a full machine.
 */
export function standstillGuards(pieces: readonly ProcessStandstill[], limits: StandstillLimits): Guard[] {
  return [...byWho(pieces)].map(([who, own]) => {
    const stoppedSeconds = secondsOf(own.filter(({ kind }) => kind === 'stopped'));
    const guard = standstillGuard({ who, stoppedSeconds, seconds: secondsOf(own) }, limits);
    const why = own.find(({ whyUnknown }) => whyUnknown !== undefined)?.whyUnknown;
    return guard === fine && why !== undefined ? notChecked(who, why) : guard;
  });
}

function notChecked(who: Who, why: string): Guard {
  const machine = 'machine' in who && who.machine ? ` on ${who.machine}` : '';
  const what = `whether ${'role' in who ? `our ${who.role} process${machine}` : Object.values(who).join()} stood still`;
  return { state: 'not-evaluated', facts: [reasonOf('not-checked', { what, why })] };
}

/** How long a process stood still in a row, all in all. */
export interface StoodStill {
  who: Who;
  stoppedSeconds: number;
  /** Whatever the kind. */
  seconds: number;
}

/** As a helper reports it of itself. */
export function stoodStillOf(
  role: string,
  { stoppedNs, starvedNs }: { stoppedNs: number; starvedNs: number },
): StoodStill {
  return { who: { role }, stoppedSeconds: stoppedNs / 1e9, seconds: (stoppedNs + starvedNs) / 1e9 };
}

export function standstillGuard(
  { who, stoppedSeconds, seconds: allSeconds }: StoodStill,
  limits: StandstillLimits,
): Guard {
  const limitSeconds = 'tool' in who ? limits.maxToolStandstillSeconds : limits.maxStandstillSeconds;
  const fact = (code: 'process-stopped' | 'process-starved', seconds: number): Fact[] =>
    seconds > limitSeconds ? [reasonOf(code, { ...who, seconds, limitSeconds })] : [];
  const stopped = fact('process-stopped', stoppedSeconds);
  if (stopped.length > 0) return { state: 'violated', facts: stopped, spoilsFigures: 'tool' in who };
  return violatedByLoad(fact('process-starved', allSeconds));
}

/** Those that are known, and within their bound: they keep their row's verdict, and its reason names them. */
export function withinBound(ones: readonly StoodStill[], limits: StandstillLimits): Fact[] {
  return ones.flatMap((one) => {
    const { who, stoppedSeconds: seconds } = one;
    if (seconds === 0 || standstillGuard(one, limits) !== fine) return [];
    return reasonOf('process-stopped', { ...who, seconds, limitSeconds: limits.maxStandstillSeconds });
  });
}

function byWho(pieces: readonly ProcessStandstill[]): Map<Who, ProcessStandstill[]> {
  const groups = new Map<string, [Who, ProcessStandstill[]]>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    const [, own] = groups.get(key) ?? [];
    if (own) own.push(piece);
    else groups.set(key, [piece.who, [piece]]);
  }
  return new Map(groups.values());
}

/** Of several processes of one kind that stood still together, the time counts once. */
export function secondsOf(pieces: readonly Standstill[]): number {
  let [sumNs, untilNs] = [0, Number.NEGATIVE_INFINITY];
  for (const { fromNs, toNs } of [...pieces].sort((a, b) => a.fromNs - b.fromNs)) {
    sumNs += Math.max(0, toNs - Math.max(fromNs, untilNs));
    untilNs = Math.max(untilNs, toNs);
  }
  return sumNs / 1e9;
}
