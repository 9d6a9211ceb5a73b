import { join } from 'node:path';
import type { Run } from '../../facts/run';
import type { Clock } from '../../protocol/clock';
import { exitCodeOf, exitCodeOfVerdict, exitCodes, toProblem } from '../../protocol/errors';
import { reasonOfRuns, type Session, verdictOfRuns } from '../../protocol/session';
import type { RunOutcome } from '../runs/runner';
import type { PlannedRun, PreparedPlan } from './planned-runs';
import { SessionFolder } from './session-folder';

export interface PlanRunOptions {
  clock: Clock;
  prepared: PreparedPlan;
  /** Of the session; made here. */
  folder: string;
  signal: AbortSignal;
  /** Runs one of them, with its rows and files in `folder`, and comes back whatever its end is. */
  carryOut(run: PlannedRun, folder: string, session: Run['session']): Promise<RunOutcome>;
  /** The session changed: a run started or ended, or it itself did. */
  onChange?(session: Session): void;
}

export interface PlanOutcome {
  session: Session;
  exitCode: number;
}

/**
 * Runs a plan to its end. A run that could not be carried out does not keep the others from theirs, unless nothing can be
 * written any more.
 * @throws WhitelineError for a session's folder that cannot be written
 */
export async function runPlan(options: PlanRunOptions): Promise<PlanOutcome> {
  const { prepared, folder, signal, carryOut, onChange } = options;
  const { plan, text, profile, runs } = prepared;
  const written = runs.map((run) => ({
    folder: run.folder,
    experiment: run.prepared.declaration.id,
    name: run.name,
  }));
  const session = new SessionFolder(folder, options.clock, {
    ...{ plan, text, thresholdProfile: profile.name, runs: written },
  });
  const outcomes: RunOutcome[] = [];
  try {
    const { id, name } = session.session();
    for (const [index, run] of runs.entries()) {
      if (signal.aborted || outcomes.some(isUnwritable)) break;
      session.runStarted(run.folder);
      onChange?.(session.session());
      const place = { id, name, order: index + 1 };
      const outcome = await carryOut(run, join(folder, run.folder), place).catch(failed);
      outcomes.push(outcome);
      session.runEnded(run.folder, outcome);
      onChange?.(session.session());
    }
    const verdict = verdictOfRuns(outcomes);
    const ownEnd = outcomes.some(isUnwritable) ? 'failed' : 'finished';
    session.end({
      state: signal.aborted ? 'aborted' : ownEnd,
      verdict,
      reason: reasonOfRuns(session.session().runs),
    });
    const result = session.session();
    onChange?.(result);
    return { session: result, exitCode: exitCodeOfPlan(outcomes, signal.aborted) };
  } finally {
    session.close();
  }
}

function failed(error: unknown): RunOutcome {
  const problem = toProblem(error);
  return { state: 'failed', verdict: null, reason: problem.message, problem };
}

function isUnwritable({ problem }: RunOutcome): boolean {
  return problem?.code === 'DISK_FULL' || problem?.code === 'OUTPUT_UNWRITABLE';
}

/** What the operator stopped, then what could not be carried out, then INVALID, FAIL, and PASS or WARN. */
function exitCodeOfPlan(outcomes: readonly RunOutcome[], aborted: boolean): number {
  if (aborted && !outcomes.some(isUnwritable)) return exitCodes.aborted;
  const problem = outcomes.find((outcome) => outcome.problem)?.problem;
  return problem ? exitCodeOf(problem) : exitCodeOfVerdict(verdictOfRuns(outcomes));
}
