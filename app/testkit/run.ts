import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { ContentHosts } from '../engine/content/content-hosts';
import { experimentOf } from '../engine/experiment/experiment-of';
import { planText } from '../engine/plans/plan-text';
import { type PreparedPlan, preparePlan } from '../engine/plans/planned-runs';
import { checkedPlan, positionInPlan, type ReadPlan, readPlan } from '../engine/plans/read-plan';
import { runPlan } from '../engine/plans/run-plan';
import { ExperimentRun } from '../engine/runs/experiment-run';
import { holdsRun } from '../engine/sessions/read-run';
import { badInput } from '../protocol/errors';
import { checkOptions, runOptions } from './options';
import { application, ndiPath, packageFolder } from './package-folder';
import { worded } from './problems';
import { readRun } from './recorded';
import type { Plan, PlanResult, RunOptions } from './types';

/**
 * Runs the experiments of a plan one after the other, and resolves when all are over: a plan, or the path of its YAML file. Experiments of
 * streams only: what needs tools, helpers or other machines is refused by its name.
 * @throws WhitelineProblem BAD_INPUT; NOT_FOUND; REQUIREMENT_MISSING; OUTPUT_UNWRITABLE
 */
export async function run(plan: Plan | string, options: RunOptions): Promise<PlanResult> {
  try {
    checkOptions(runOptions, options, 'run');
    const read = typeof plan === 'string' ? readPlan(plan) : given(plan);
    requireStreams(read);
    return await carryOut(read, options);
  } catch (error) {
    throw worded(error);
  }
}

/** @throws WhitelineError BAD_INPUT */
function given(value: Plan): ReadPlan {
  const plan = checkedPlan(value, positionInPlan);
  return { plan, text: planText(plan), positionOf: positionInPlan };
}

function requireStreams({ plan }: ReadPlan): void {
  for (const { experiment, parameters } of plan.experiments)
    if (
      experimentOf(experiment)
        .needs(parameters)
        .some((need) => need !== 'streams')
    )
      throw badInput(
        'experiment',
        'an experiment of streams alone on this machine, such as stream-load',
        experiment,
        'Run it by the command line of Whiteline: whiteline run',
      );
}

async function carryOut(
  read: ReadPlan,
  { out, signal = new AbortController().signal }: RunOptions,
): Promise<PlanResult> {
  const host = application();
  const content = new ContentHosts(host, machineClock);
  // NDI is asked for when the first run begins.
  const transport = { name: 'NDI runtime', check: async () => null };
  const prepared: PreparedPlan = await preparePlan(read, { host: content.native, transport });
  const { profile } = prepared;
  const { session } = await runPlan({
    ...{ prepared, folder: out, clock: machineClock, signal },
    async carryOut(planned, folder, place) {
      const experiment = new ExperimentRun({
        ...{ application: host, clock: machineClock, appFolder: packageFolder, ndiPath: ndiPath() },
        ...{ prepared: planned.prepared, folder, profile, content, signal, join: () => place },
      });
      try {
        await experiment.begin();
        const nothing = (): void => undefined;
        return await experiment.carryOut({ onRow: nothing, onProgress: nothing, onProblem: nothing });
      } finally {
        await experiment.close();
      }
    },
  });
  const { verdict, reason, runs } = session;
  const recorded = runs.map(({ folder }) => join(out, folder)).filter(holdsRun);
  return { verdict, reason, folder: out, runs: await Promise.all(recorded.map(readRun)) };
}
