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
  /**
   * It says how busy a machine or our threads were: it excuses no loss that recorded facts prove. full-machine: a full machine does
   * this by itself, so that it excuses no loss either where our own streams filled the machine. Absent: it excuses each loss.
   */
  about?: 'load' | 'full-machine';
  /** The system never tells what it takes to evaluate it: it is named, and excuses nothing. */
  isNeverTold?: boolean;
  /** Figures are of less time than they say: they prove nothing, whatever they are. */
  spoilsFigures?: boolean;
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
  /** Of a loss: what recorded facts prove of it, whatever the load was. */
  proved?: Proof;
  /** It follows from what the guards report, and stands after it in the reason. */
  isOfGuards?: boolean;
}

/** A fact that was recorded when it happened explains a loss, or a part of it: a link that was down, what the run itself injected. */
export interface Proof {
  /** Of the part that is explained, as if nothing else had been lost. */
  verdict: 'WARN' | 'FAIL';
  /** How many of its frames or stalls are explained; null: all of it. */
  part: number | null;
}

export interface RowEvidence {
  /** Figures that contradict each other, were measured of something else than was asked for, or rest on such figures. */
  contradictions?: readonly Fact[];
  /** Why nothing was measured: no slot, sample, packet or repeat, and no outage that covers it. */
  absent?: readonly Fact[];
  findings: readonly Finding[];
  guards: readonly Guard[];
  /** Our own streams filled CPU, GPU, link or disk: what was lost then shows the limit that was looked for. */
  isOwnLimit?: boolean;
  /** What is known beside a loss, and neither proves nor excuses it. */
  beside?: readonly Fact[];
  /** The row consists of figures that need the guards: without them it proves nothing, even if nothing was lost. */
  restsOnGuards?: boolean;
  /** What there is to say where nothing was found. */
  good: readonly Fact[];
}

export interface JudgedRow {
  verdict: Verdict;
  reason: Fact[];
}

/**
 * The verdict of a row. Its reason begins with what was found of the thing under test. If that is not judged, why not comes next, and
 * last what follows from the guards.
 */
export function judgeRow(evidence: RowEvidence): JudgedRow {
  const { contradictions = [], absent = [], findings, isOwnLimit = false, restsOnGuards = false } = evidence;
  const { beside = [] } = evidence;
  const broken = brokenGuards(evidence.guards);
  const excuses = disturbances(
    isOwnLimit ? evidence.guards.filter((guard) => !isOfFullMachine(guard)) : evidence.guards,
  );
  const isSpoilt = evidence.guards.some(spoilsFigures);
  // What spoilt the figures is why they contradict each other.
  if (contradictions.length > 0)
    return invalid(findings, isSpoilt ? [...broken, ...contradictions] : [...contradictions, ...broken]);
  if (absent.length > 0 && !findings.some(isLoss)) return invalid(findings, [...absent, ...broken]);
  if (isSpoilt) return invalid(findings, broken);
  const needsGuards = restsOnGuards || findings.some(isLoss);
  if (needsGuards && excuses.length > 0)
    return (restsOnGuards ? null : judgeProved(evidence)) ?? invalid(findings, broken);
  if (findings.length === 0) return { verdict: 'PASS', reason: [...evidence.good, ...broken] };
  const verdict = findings.map((finding) => finding.verdict).reduce<Verdict>(worseVerdict, 'PASS');
  const { own, ofGuards } = apart(findings);
  return { verdict, reason: [...own.map(({ fact }) => fact), ...broken, ...ofGuards, ...beside] };
}

/** Findings that stand before the guards in a reason, and the facts of those that follow from these. */
function apart(findings: readonly Finding[]): { own: Finding[]; ofGuards: Fact[] } {
  return {
    own: findings.filter(({ isOfGuards }) => !isOfGuards),
    ofGuards: findings.flatMap(({ isOfGuards, fact }) => (isOfGuards ? fact : [])),
  };
}

/**
 * The verdict by what recorded facts prove, where a guard that is not fine says no more than how busy something was; null if they
 * prove too little. What is lost beside the proved part is named as not judged.
 */
function judgeProved({ findings, guards }: RowEvidence): JudgedRow | null {
  if (guards.some((guard) => guard.state !== 'fine' && guard.about === undefined)) return null;
  const losses = findings.filter(isLoss);
  const proofs = losses.flatMap(({ proved }) => proved ?? []);
  const isWhole = proofs.length === losses.length && proofs.every(({ part }) => part === null);
  if (!isWhole && !proofs.some(({ verdict }) => verdict === 'FAIL')) return null;
  const judged = isWhole ? findings : proofs;
  const verdict = judged.map((one) => one.verdict).reduce<Verdict>(worseVerdict, 'PASS');
  // What decides comes first, and what is not judged stands before the guards, which say why.
  const order = ({ kind, proved }: Finding): number =>
    proved?.verdict === 'FAIL' ? 0 : proved || kind === 'remark' ? 1 : 2;
  const { own, ofGuards } = apart(findings);
  const sorted = own.sort((a, b) => order(a) - order(b));
  return { verdict, reason: [...sorted.map(judgedPart), ...brokenGuards(guards), ...ofGuards] };
}

/** A loss in the reason, with the share of it that is judged. */
function judgedPart({ kind, fact, proved }: Finding): Fact {
  const part = proved ? proved.part : 0;
  return kind === 'remark' || part === null ? fact : { ...fact, data: { ...fact.data, judged: part } };
}

/** Of a fact that is named and not judged: the words that follow it in a reason say why. */
export function unjudged(fact: Fact): Fact {
  return { ...fact, data: { ...fact.data, judged: 0 } };
}

export function isUnjudged({ data }: Fact): boolean {
  return data.judged === 0;
}

/** What the guards report that are not fine: violated ones first, as they are the surer. */
export function brokenGuards(guards: readonly Guard[]): Fact[] {
  const of = (state: 'violated' | 'not-evaluated'): Fact[] =>
    guards.flatMap((guard) => (guard.state === state ? guard.facts : []));
  return [...of('violated'), ...of('not-evaluated')];
}

/** The same without what this system never tells of anybody. */
export function disturbances(guards: readonly Guard[]): Fact[] {
  return brokenGuards(guards.filter((guard) => guard.state === 'fine' || guard.isNeverTold !== true));
}

export const fine: Guard = { state: 'fine' };

/** Violated by these facts; fine where there is none. */
export function violatedBy(facts: readonly Fact[]): Guard {
  return facts.length > 0 ? { state: 'violated', facts } : fine;
}

/** The same for something that a full machine causes by itself. */
export function violatedByLoad(facts: readonly Fact[]): Guard {
  return facts.length > 0 ? { state: 'violated', facts, about: 'full-machine' } : fine;
}

/** Says no more than how busy a machine or our threads were. */
export function aboutLoad(guard: Guard): Guard {
  return guard.state === 'fine' ? guard : { about: 'load', ...guard };
}

/** Machines that were out of reach for good: all else that is not known of them follows from it, and needs no words. */
export function unreachableMachines(broken: readonly Fact[]): ReadonlySet<unknown> {
  return new Set(broken.flatMap(({ code, data }) => (code === 'machine-unreachable' ? data.machine : [])));
}

/** Without what is not known of machines that were out of reach. */
export function ofReachable(guards: readonly Guard[], unreachable: ReadonlySet<unknown>): readonly Guard[] {
  if (unreachable.size === 0) return guards;
  return guards.filter(
    (guard) => guard.state === 'fine' || !guard.facts.every(({ data }) => unreachable.has(data.machine)),
  );
}

export function spoilsFigures(guard: Guard): boolean {
  return guard.state !== 'fine' && guard.spoilsFigures === true;
}

/** The hypervisor took more than it may: then it is not known who filled the machine. */
export function isStolen(guards: readonly Guard[]): boolean {
  return brokenGuards(guards).some(({ code }) => code === 'cpu-stolen');
}

function isOfFullMachine(guard: Guard): boolean {
  return guard.state !== 'fine' && guard.about === 'full-machine';
}

function isLoss({ kind }: Finding): boolean {
  return kind === 'loss';
}

/** Whatever was found is named first, and then why it is not judged. */
function invalid(findings: readonly Finding[], why: readonly Fact[]): JudgedRow {
  const { own, ofGuards } = apart(findings);
  return { verdict: 'INVALID', reason: [...own.map(({ fact }) => unjudged(fact)), ...why, ...ofGuards] };
}
