import { z } from 'zod';
import { toProblem } from '../../protocol/errors';
import { fileName } from '../../protocol/file-name';
import { mostEntries, type Plan, type PlanEntry, planEntrySchema, planSchema } from '../../protocol/plan';
import type { ThresholdProfile } from '../../protocol/thresholds';
import type { NativeHost } from '../capabilities/native-host';
import type { Requirement } from '../experiment/experiment';
import { type PreparedRun, prepareRun, profileOf } from '../runs/prepared-run';
import { type PlanProblem, planError, problemsOfPlan } from './plan-problems';
import { planText } from './plan-text';
import type { ReadPlan, WrittenPlan } from './read-plan';

/** One run of a plan, ready to start. */
export interface PlannedRun {
  prepared: PreparedRun;
  name: string;
  /** In the session's folder. */
  folder: string;
}

/** A plan that can start: everything in it was checked on this machine. */
export interface PreparedPlan {
  plan: Plan;
  text: string;
  profile: ThresholdProfile;
  runs: PlannedRun[];
}

/** What a plan is checked with. */
export interface PlanChecks {
  host: NativeHost;
  transport: Requirement;
  /** A profile of thresholds that goes before the plan's own. */
  chosen?: string;
}

/**
 * Checks every experiment of a plan on this machine, before the first of them starts.
 * @throws WhitelineError with the position of everything that is wrong; input that is wrong outranks what is missing here
 */
export async function preparePlan(
  { plan, text, positionOf }: ReadPlan,
  checks: PlanChecks,
): Promise<PreparedPlan> {
  const { prepared, profile, problems } = await checkedHere([...plan.experiments.entries()], plan, checks);
  if (problems.length > 0) throw planError(problems, positionOf);
  return {
    plan: { ...plan, thresholds: checks.chosen ?? plan.thresholds },
    text,
    profile,
    runs: plannedRuns(prepared),
  };
}

/**
 * The same for a plan as written: if one part is wrong, the others are still checked, so that all errors are reported at once.
 * @throws WhitelineError as preparePlan
 */
export async function prepareWrittenPlan(written: WrittenPlan, checks: PlanChecks): Promise<PreparedPlan> {
  const { value, text, positionOf } = written;
  const problems = problemsOfPlan(value);
  if (problems.length === 0) {
    const plan = planSchema.parse(value);
    return preparePlan({ plan, text: text ?? planText(plan), positionOf }, checks);
  }
  const { experiments, thresholds } = planPartsSchema.parse(value);
  const wrong = new Set(problems.map(({ path }) => (path[0] === 'experiments' ? path[1] : path[0])));
  const entries = experiments.slice(0, mostEntries).flatMap((entry, index): [number, PlanEntry][] => {
    const read = planEntrySchema.safeParse(entry);
    return read.success && !wrong.has(index) ? [[index, read.data]] : [];
  });
  const given = typeof thresholds === 'string' && !wrong.has('thresholds') ? thresholds : undefined;
  const here = await checkedHere(entries, { thresholds: given }, checks);
  throw planError([...problems, ...here.problems], positionOf);
}

/** What may be left of a plan that is wrong. */
const planPartsSchema = z
  .object({ experiments: z.array(z.unknown()).catch([]), thresholds: z.unknown().optional() })
  .catch({ experiments: [], thresholds: undefined });

interface CheckedHere {
  prepared: [PlanEntry, PreparedRun][];
  profile: ThresholdProfile;
  problems: PlanProblem[];
}

async function checkedHere(
  entries: readonly (readonly [index: number, entry: PlanEntry])[],
  { thresholds }: Pick<Plan, 'thresholds'>,
  { host, transport, chosen }: PlanChecks,
): Promise<CheckedHere> {
  const problems: PlanProblem[] = [];
  let profile = profileOf(chosen);
  try {
    if (chosen === undefined) profile = profileOf(thresholds);
  } catch (error) {
    problems.push({ path: ['thresholds'], problem: toProblem(error) });
  }
  const prepared: [PlanEntry, PreparedRun][] = [];
  for (const [index, entry] of entries) {
    try {
      prepared.push([entry, await prepareRun(entry.experiment, entry.parameters, host, transport)]);
    } catch (error) {
      const problem = toProblem(error);
      const [field = ''] = problem.field?.split('.') ?? [];
      const inParameters = field in entry.parameters ? ['parameters', field] : [];
      problems.push({ path: ['experiments', index, ...inParameters], problem });
    }
  }
  return { prepared, profile, problems };
}

/** "01-stream-load", "02-ramp-2": numbered, so that they stand in the order in which they were run. */
function plannedRuns(prepared: readonly [PlanEntry, PreparedRun][]): PlannedRun[] {
  const runs = prepared.flatMap(([entry, run]) =>
    Array.from({ length: entry.repeat }, (_, index) => {
      const called = entry.name ?? entry.experiment;
      return { prepared: run, name: entry.repeat === 1 ? called : `${called} ${index + 1}` };
    }),
  );
  const digits = Math.max(2, String(runs.length).length);
  return runs.map((run, index) => ({
    ...run,
    folder: [String(index + 1).padStart(digits, '0'), fileName(run.name)].filter(Boolean).join('-'),
  }));
}
