import { type OthersLoad, othersGuard } from '../../engine/load/others-guard';
import { summarise } from '../../engine/load/window';
import { brokenRule } from '../../engine/streams/rows/judgement';
import type { Fact } from '../../facts/fact';
import { judgeRow, violatedBy, violatedByLoad } from '../../facts/precedence';
import { guardCodes, type Rule, reasonOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import { alsoFound } from '../../facts/why-not';
import type { Thresholds } from '../../protocol/thresholds';
import type { StopRule, StreamLoadParameters } from './declaration';

/** One sample of a row while it is measured. */
export interface Look {
  atNs: number;
  /** Frames that each stream of the row has lost so far, by its id. */
  lost: ReadonlyMap<string, number>;
  /** Of the machine, over the newest second; null: not measured. */
  cpuPercent: number | null;
  /** That machine, where the run has more than one: the fullest of them. */
  machine?: string;
  /** What other programs took of it; null: not measured. */
  othersPercent: number | null;
  /** Why it is not. */
  whyNoOthers?: string;
}

/** A rule that was broken for too long, with its limits. */
export interface Breach {
  broken: Rule;
  /** In the time in which the rule was broken. */
  others: OthersLoad;
}

/** How long a limit has to be broken, and which of them count. */
export interface BreachRules {
  stopOn: readonly StopRule[];
  stopAfterSeconds: number;
}

/** Looks older than this are of no use. */
export function keptLookSeconds(
  { stopAfterSeconds }: BreachRules,
  { lostWindowSeconds }: Thresholds,
): number {
  return stopAfterSeconds + lostWindowSeconds + 2;
}

/** The rule that was broken at every look for long enough; null: none. The looks are oldest first. */
export function breachOf(looks: readonly Look[], rules: BreachRules, thresholds: Thresholds): Breach | null {
  const newest = looks[looks.length - 1];
  if (!newest) return null;
  const fromNs = newest.atNs - rules.stopAfterSeconds * 1e9;
  const since = looks.findIndex((look) => look.atNs > fromNs);
  // A look from before shows that this was watched for the whole time.
  if (since < 1) return null;
  const recent = looks.slice(since);
  const { acceptableLostFrames, lostWindowSeconds, saturatedPercent } = thresholds;
  const isLossy = (look: Look): boolean => lostWithin(looks, look, lostWindowSeconds) > acceptableLostFrames;
  const isFull = ({ cpuPercent }: Look): boolean => cpuPercent !== null && cpuPercent >= saturatedPercent;
  const { stopAfterSeconds } = rules;
  if (rules.stopOn.includes('loss') && recent.every(isLossy)) {
    const limits = { mostFrames: acceptableLostFrames, windowSeconds: lostWindowSeconds, stopAfterSeconds };
    return { broken: { rule: 'most-lost-on-end', ...limits }, others: othersOf(recent) };
  }
  if (rules.stopOn.includes('cpu') && recent.every(isFull)) {
    const machine = machineOf(recent);
    const broken: Rule = {
      ...{ rule: 'cpu-below', mostPercent: saturatedPercent, stopAfterSeconds },
      ...(machine !== undefined && { machine }),
    };
    return { broken, others: othersOf(recent) };
  }
  return null;
}

/** The machine of all of these looks; undefined: the run has one, or now one and now the other was the fullest. */
function machineOf(looks: readonly Look[]): string | undefined {
  const [first] = looks;
  return looks.every(({ machine }) => machine === first?.machine) ? first?.machine : undefined;
}

/** A full machine takes no samples in time by itself. That time was stolen from it is another matter: the CPU was not all ours. */
function isOfFullMachine({ code }: Fact): boolean {
  return code === 'no-load-sample' || code === 'row-late';
}

/** Each look covers its own second: a look without the figure is a second that is not known. */
function othersOf(looks: readonly Look[]): OthersLoad {
  const unknown = looks.find(({ othersPercent }) => othersPercent === null);
  return {
    percent: summarise(looks.map(({ othersPercent }) => othersPercent))?.mean ?? null,
    whyUnknown: unknown ? (unknown.whyNoOthers ?? 'the reason is not known') : null,
  };
}

/** Frames that the worst stream lost in the window that ends at a look. */
function lostWithin(looks: readonly Look[], { atNs, lost }: Look, windowSeconds: number): number {
  const before = looks.filter((look) => look.atNs <= atNs - windowSeconds * 1e9).pop() ?? looks[0];
  let worst = 0;
  for (const [id, frames] of lost) worst = Math.max(worst, frames - (before?.lost.get(id) ?? 0));
  return worst;
}

/** Whether a row that was measured ends the ramp. `breach`: the rule by which it was ended early. */
export function stopsRamp(row: StreamsRow, breach: Breach | null, stopOn: readonly StopRule[]): boolean {
  return (
    breach !== null ||
    // What a sender missed while other programs took the CPU is no limit.
    (row.figures.senderMissed && row.verdict !== 'INVALID' && stopOn.includes('sender-miss')) ||
    (row.verdict === 'FAIL' && stopOn.includes('fail')) ||
    (row.verdict === 'INVALID' && stopOn.includes('invalid'))
  );
}

/**
 * A row that was ended early broke a rule. It is FAIL where that proves something: a row that is FAIL or INVALID already stays so,
 * and in any other what broke the rule is a loss, by the table of precedence.
 */
export function endedEarly(
  row: StreamsRow,
  { broken, others }: Breach,
  { holdSeconds, stopAfterSeconds }: Pick<StreamLoadParameters, 'holdSeconds' | 'stopAfterSeconds'>,
  thresholds: Pick<Thresholds, 'maxOthersPercent'>,
): StreamsRow {
  const toNs = Date.parse(row.to) * 1e6;
  // These are times of the wall clock already.
  const brokenThen = brokenRule(broken, { fromNs: toNs - stopAfterSeconds * 1e9, toNs }, 0);
  const { measuredSeconds } = row.figures;
  // What comes a second late is lost to the rule, which looks at the newest second, and not to the row.
  const isLate = broken.rule === 'most-lost-on-end' && row.verdict === 'PASS';
  const ended = isLate
    ? reasonOf('ended-late', { measuredSeconds, holdSeconds, stopAfterSeconds })
    : reasonOf('ended-early', { measuredSeconds, holdSeconds, ...brokenThen });
  if (row.verdict === 'FAIL' || row.verdict === 'INVALID') return { ...row, reason: alsoFound(row, [ended]) };
  // What other programs took counts in the time of the broken rule, not in the row.
  const reason = row.reason.filter(({ code }) => code !== 'others-busy');
  const isGuard = ({ code }: Fact): boolean => guardCodes.has(code);
  const found = row.verdict === 'PASS' ? [] : reason.filter((fact) => !isGuard(fact));
  const machine = 'machine' in broken ? broken.machine : undefined;
  const guard = othersGuard(others, thresholds, { machine });
  const judged = judgeRow({
    findings: [
      ...found.map((fact) => ({ verdict: 'WARN', fact, kind: 'remark' }) as const),
      { verdict: isLate ? 'WARN' : 'FAIL', fact: ended, kind: 'loss' },
    ],
    guards: [
      guard,
      violatedByLoad(reason.filter(isOfFullMachine)),
      violatedBy(reason.filter((fact) => isGuard(fact) && !isOfFullMachine(fact))),
    ],
    // If our streams filled the CPU, that is the limit that the ramp looked for. If other programs filled it, it is not.
    isOwnLimit: broken.rule === 'cpu-below' && guard.state === 'fine',
    good: [],
  });
  return { ...row, ...judged };
}
