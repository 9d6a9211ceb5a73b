import { toProblem } from '../../protocol/errors';
import { fileName } from '../../protocol/file-name';
import type { Plan, PlanEntry } from '../../protocol/plan';
import type { ThresholdProfile } from '../../protocol/thresholds';
import type { Requirement } from '../experiments/experiment';
import { type PreparedRun, prepareRun, profileOf } from '../runs/prepared-run';
import type { MovieHost } from '../streams/sources/movie';
import { type PlaceOf, type PlanProblem, planError } from './plan-problems';

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
  host: MovieHost;
  ndi: Requirement;
  /** A profile of thresholds that goes before the plan's own. */
  chosen?: string;
}

/**
 * Checks every experiment of a plan on this machine, before the first of them starts.
 * @throws WhitelineError with the place of everything that is wrong; input that is wrong outranks what is missing here
 */
export async function preparePlan(
  { plan, text, placeOf }: { plan: Plan; text: string; placeOf: PlaceOf },
  { host, ndi, chosen }: PlanChecks,
): Promise<PreparedPlan> {
  const problems: PlanProblem[] = [];
  let profile = profileOf(chosen);
  try {
    if (chosen === undefined) profile = profileOf(plan.thresholds);
  } catch (error) {
    problems.push({ path: ['thresholds'], problem: toProblem(error) });
  }
  const prepared: [PlanEntry, PreparedRun][] = [];
  for (const [index, entry] of plan.experiments.entries()) {
    try {
      prepared.push([entry, await prepareRun(entry.experiment, entry.parameters, host, ndi)]);
    } catch (error) {
      const problem = toProblem(error);
      const [field = ''] = problem.field?.split('.') ?? [];
      const inParameters = field in entry.parameters ? ['parameters', field] : [];
      problems.push({ path: ['experiments', index, ...inParameters], problem });
    }
  }
  if (problems.length > 0) throw planError(problems, placeOf);
  return {
    plan: { ...plan, thresholds: chosen ?? plan.thresholds },
    text,
    profile,
    runs: plannedRuns(prepared),
  };
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
