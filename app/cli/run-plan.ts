import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { prepareWrittenPlan } from '../engine/plans/planned-runs';
import { readWrittenPlan } from '../engine/plans/read-plan';
import { runPlan } from '../engine/plans/run-plan';
import { exportGroup } from '../engine/reports/export';
import { sessionGroup } from '../engine/reports/run-group';
import { receives } from '../engine/runs/experiment-run';
import { holdsRun } from '../engine/sessions/read-run';
import { planProgressOf } from '../experiments/plan-progress';
import type { Progress } from '../protocol/console';
import { exitCodeOf, exitCodes, type Problem } from '../protocol/errors';
import { leftText, runText } from '../protocol/progress-words';
import type { Session } from '../protocol/session';
import { contentHosts } from './content-host';
import { verdictLine } from './end-lines';
import type { MadeRun } from './finish';
import { printProblem } from './finishing';
import { newFolder } from './folders';
import { existingOf } from './force';
import { ndiRequirement } from './hosts';
import { abortOnInterrupt } from './interrupt';
import { OwnMetrics } from './metrics-flag';
import {
  checkGates,
  nothingToLog,
  perform,
  type RunFlags,
  reportProblem,
  reportProblems,
  sayFor,
} from './perform';
import { checkHeader, reportTools } from './report-flags';
import { setThresholds } from './settings';
import { printJson } from './terminal';

/** Runs all experiments of a plan one after the other, once all of it was checked. */
export async function runPlanCommand(made: MadeRun, path: string, flags: RunFlags): Promise<number> {
  checkHeader(flags, flags.report !== undefined);
  const written = readWrittenPlan(path);
  const { value } = written;
  const namesProfile = typeof value === 'object' && value !== null && 'thresholds' in value;
  const chosen = flags.thresholds ?? (namesProfile ? undefined : setThresholds());
  const prepared = await prepareWrittenPlan(written, {
    ...{ host: contentHosts.native, transport: ndiRequirement(), chosen },
  });
  const folder = flags.out ?? newFolder(prepared.plan.name);
  const isReceiving = prepared.runs.some((run) => receives(run.prepared));
  if (flags.captureLogs && !isReceiving) throw nothingToLog(prepared.plan.name);
  checkGates(flags, isReceiving, prepared.plan.name);
  made.folder = folder;
  const say = sayFor(flags);
  const object = (value: object): void => {
    if (flags.json) printJson(value);
  };
  const abort = abortOnInterrupt(() => say('Stopping: the plan ends here, what was measured is kept.'));
  const metrics = await OwnMetrics.open(flags.metrics, say);
  const unwritten: Problem[] = [];
  let running: Session | null = null;
  const { session, exitCode } = await runPlan({
    prepared,
    folder,
    clock: machineClock,
    signal: abort.signal,
    async carryOut(run, runFolder, place) {
      const number = prepared.runs.indexOf(run) + 1;
      if (number > 1) say('');
      say(`${number} of ${prepared.runs.length}: ${run.name}`);
      const performed = await perform({
        prepared: run.prepared,
        ...{ folder: runFolder, metrics },
        join: () => place,
        profile: prepared.profile,
        flags: { ...flags, thresholds: prepared.plan.thresholds },
        signal: abort.signal,
        around: (progress) => aroundRun(running, progress),
        onRow: (row) => object({ run: run.folder, ...row }),
      });
      reportProblems(performed);
      if (performed.reportProblem) unwritten.push(performed.reportProblem);
      return performed.outcome;
    },
    onChange: (session) => {
      running = session;
    },
  }).finally(() => metrics.close());
  made.end = session;
  object({ session });
  say('', ...summary(session), `Session: ${folder}`);
  const isRecorded = session.runs.some((run) => holdsRun(join(folder, run.folder)));
  if (flags.report && isRecorded) {
    const unwrittenReport = await reportProblem(() => writeReport(folder, flags, say));
    if (unwrittenReport) {
      printProblem(unwrittenReport);
      unwritten.push(unwrittenReport);
    }
  }
  const [problem] = unwritten;
  return problem && exitCode !== exitCodes.aborted ? exitCodeOf(problem) : exitCode;
}

/** One report of all runs, beside those of each. */
async function writeReport(folder: string, flags: RunFlags, say: (line: string) => void): Promise<void> {
  const file = join(folder, 'report.html');
  await exportGroup(sessionGroup(folder), 'html', file, reportTools(flags), existingOf(flags.force));
  say(`Report of the session: ${file}`);
}

/** Where the run stands in its plan, and how long the plan still takes. */
function aroundRun(session: Session | null, progress: Progress | null): { before: string; behind: string } {
  if (!session) return { before: '', behind: '' };
  const { run, runs, remainingSeconds, isAtLeast } = planProgressOf(session, progress);
  const behind = remainingSeconds > 0 ? `plan: ${leftText(remainingSeconds, isAtLeast)}` : '';
  return { before: runText(run, runs), behind };
}

/** A line for each run, and the worst of them. */
function summary(session: Session): string[] {
  const { name: planName, runs } = session;
  const width = Math.max(...runs.map(({ folder }) => folder.length));
  const lines = runs.map(({ folder, state, verdict: own, reason: why }) => {
    const word = own ?? (state === 'waiting' ? 'not run' : state);
    return `  ${folder.padEnd(width)}  ${word.padEnd(8)} ${why}`.trimEnd();
  });
  return [planName, ...lines, verdictLine(session)];
}
