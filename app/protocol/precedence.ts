import type { Fact } from './fact';
import { type Verdict, worseVerdict } from './verdict';

/**
 * The one table of precedence (docs/measurement.md, "Verdict"): what decides when several things are true of a row.
 * Every experiment brings its evidence in this form; nothing else turns facts into a verdict.
 */

/**
 * A condition under which a loss proves anything of what is under test: load was sampled, the hypervisor took little, no process of
 * ours stood still. A guard that could not be evaluated is not fine.
 */
export type Guard = { state: 'fine' } | BrokenGuard;

export interface BrokenGuard {
  state: 'violated' | 'not-evaluated';
  facts: readonly Fact[];
  /** A full machine does this by itself, so that it excuses no loss where our own streams filled the machine. */
  isOfFullMachine?: boolean;
}

/** Something that is wrong with what is under test, or that is not known of it. */
export interface Finding {
  verdict: 'WARN' | 'FAIL';
  fact: Fact;
  /**
   * loss: frames, packets or answers did not come as they were sent; proves something only where the guards are fine.
   * remark: true whatever the guards were, such as what could not be counted.
   */
  kind: 'loss' | 'remark';
}

export interface RowEvidence {
  /** Figures that contradict each other, or were measured of something else than was asked for. */
  contradictions?: readonly Fact[];
  /** Why nothing was measured: no slot, sample, packet or repeat, and no outage that covers it. */
  absent?: readonly Fact[];
  findings: readonly Finding[];
  guards: readonly Guard[];
  /** Our own streams filled CPU, GPU, link or disk: what was lost then shows the limit that was looked for. */
  isOwnLimit?: boolean;
  /** The row consists of figures that need the guards: without them it says nothing, even where nothing was lost. */
  restsOnGuards?: boolean;
  /** What there is to say where nothing was found. */
  good: readonly Fact[];
}

export interface JudgedRow {
  verdict: Verdict;
  reason: Fact[];
}

/** The verdict of a row, with what decided first in the reason. */
export function judgeRow(evidence: RowEvidence): JudgedRow {
  const { contradictions = [], absent = [], findings, isOwnLimit = false, restsOnGuards = false } = evidence;
  const broken = brokenGuards(evidence.guards);
  const excuses = isOwnLimit
    ? brokenGuards(evidence.guards.filter((guard) => !isOfFullMachine(guard)))
    : broken;
  const found = findings.map(({ fact }) => fact);
  if (contradictions.length > 0) return invalid([...contradictions, ...broken, ...found]);
  if (absent.length > 0 && !findings.some(isLoss)) return invalid([...absent, ...broken, ...found]);
  const needsGuards = restsOnGuards || findings.some(isLoss);
  if (needsGuards && excuses.length > 0) return invalid([...broken, ...found]);
  if (findings.length === 0) return { verdict: 'PASS', reason: [...evidence.good, ...broken] };
  const verdict = findings.map((finding) => finding.verdict).reduce<Verdict>(worseVerdict, 'PASS');
  return { verdict, reason: [...found, ...broken] };
}

/** What the guards report that are not fine: violated ones first, as they are the surer. */
export function brokenGuards(guards: readonly Guard[]): Fact[] {
  const of = (state: 'violated' | 'not-evaluated'): Fact[] =>
    guards.flatMap((guard) => (guard.state === state ? guard.facts : []));
  return [...of('violated'), ...of('not-evaluated')];
}

export const fine: Guard = { state: 'fine' };

/** Violated by these facts; fine where there is none. */
export function violatedBy(facts: readonly Fact[]): Guard {
  return facts.length > 0 ? { state: 'violated', facts } : fine;
}

/** The same of something that a full machine does by itself. */
export function violatedByLoad(facts: readonly Fact[]): Guard {
  return facts.length > 0 ? { state: 'violated', facts, isOfFullMachine: true } : fine;
}

function isOfFullMachine(guard: Guard): boolean {
  return guard.state !== 'fine' && guard.isOfFullMachine === true;
}

function isLoss({ kind }: Finding): boolean {
  return kind === 'loss';
}

function invalid(reason: Fact[]): JudgedRow {
  return { verdict: 'INVALID', reason };
}
