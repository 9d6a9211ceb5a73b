import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { exportRun } from '../engine/reports/export';
import { ExperimentRun } from '../engine/runs/experiment-run';
import { LatestProgress } from '../engine/runs/latest-progress';
import type { PreparedRun } from '../engine/runs/prepared-run';
import type { RunOutcome } from '../engine/runs/runner';
import type { Row } from '../facts/row';
import type { Run } from '../facts/run';
import type { StreamView } from '../protocol/console';
import { badInput, type Problem, toProblem, type WhitelineError } from '../protocol/errors';
import type { ThresholdProfile } from '../protocol/thresholds';
import { ndiRuntimeOf } from '../protocol/transports';
import { contentHosts } from './content-host';
import { DiscardedRows } from './discarded-rows';
import { endLines } from './end-lines';
import { printProblem } from './finishing';
import { ownFleet, takeMachines } from './fleet-console';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { existingOf } from './force';
import { type GateFlags, gatesOf } from './gate-flags';
import { lengthLines } from './length-line';
import type { MetricsFlag, OwnMetrics } from './metrics-flag';
import { type ReportFlags, recordedHeader, reportTools } from './report-flags';
import { type RunningParts, RunStatus } from './run-status';
import { ShownRows } from './shown-rows';
import { print, printError } from './terminal';

/** What `whiteline run` takes beside an experiment's parameters. */
export interface RunFlags extends MetricsFlag, ReportFlags, GateFlags {
  out?: string;
  session?: string;
  thresholds?: string;
  report?: string | true;
  force?: boolean;
  json?: boolean;
  captureLogs?: boolean;
}

export interface PerformOptions {
  prepared: PreparedRun;
  /** Of the run. */
  folder: string;
  /** Makes the run one of a session, at the moment when it begins. */
  join?(): Run['session'];
  profile: ThresholdProfile;
  flags: RunFlags;
  metrics: Pick<OwnMetrics, 'show'>;
  /** The operator's Ctrl-C. */
  signal: AbortSignal;
  /** Where the run stands in a plan. */
  around?: RunningParts['around'];
  /** One JSON object of a row, where --json asks for them. */
  onRow(row: Row): void;
}

type Say = (...lines: string[]) => void;

/** What is for people goes to standard output, or to standard error where that carries JSON. */
export function sayFor(flags: RunFlags): Say {
  return flags.json ? printError : print;
}

export function nothingToLog(what: string): WhitelineError {
  return badInput(
    'captureLogs',
    'a run that receives streams',
    what,
    'Leave --capture-logs out: nothing is received',
  );
}

/**
 * @throws WhitelineError BAD_INPUT for rules of pictures where none is received
 */
export function checkGates(flags: GateFlags, isReceiving: boolean, what: string): void {
  const { maxDuplicates, maxReordered } = gatesOf(flags);
  if (isReceiving || (maxDuplicates === null && maxReordered === null)) return;
  const field = maxDuplicates === null ? 'max-reordered' : 'max-duplicates';
  throw badInput(field, 'a run that receives streams', what, 'Leave it out: no picture is received');
}

/** What a run came to, and what kept its report from being written: the run stays as it was judged. */
export interface Performed {
  outcome: RunOutcome;
  reportProblem: Problem | null;
}

/**
 * Runs one experiment: its table to the terminal, everything to its folder.
 * @throws WhitelineError if NDI cannot start or the folder cannot be made
 */
export async function perform(options: PerformOptions): Promise<Performed> {
  const { prepared, folder, profile, flags, signal } = options;
  const { declaration, experiment, parameters, subject } = prepared;
  const say = sayFor(flags);
  const header = recordedHeader(flags, folder);
  const fleet = ownFleet();
  const run = new ExperimentRun({
    ...{ application: nodeApplication(undefined, fleet), clock: machineClock, appFolder, ndiPath: ndiPath() },
    ...{ prepared, folder, profile, signal, join: options.join, content: contentHosts },
    ...{ chosen: flags.thresholds, captureLogs: flags.captureLogs, header: header.header },
    gates: gatesOf(flags),
  });
  const { instrument } = run;
  const reported = new LatestProgress(machineClock);
  const discarded = new DiscardedRows();
  const streams = (): StreamView[] => discarded.without(instrument.viewed);
  const running = { progress: () => reported.now, streams, around: options.around };
  const status = flags.json ? null : new RunStatus(running);
  options.metrics.show({
    measured: () => ({ ...instrument.now, run: run.measured }),
    heard: () => fleet.heard,
  });
  try {
    await takeMachines(fleet, parameters, experiment.sources?.(parameters));
    const ready = await run.begin();
    header.keepLogo(folder);
    const rows = new ShownRows(declaration, say);
    say(`${declaration.title}: ${subject}`, ...lengthLines(declaration, parameters));
    if (ready) say(ndiRuntimeOf(ready.transport)?.version ?? '');
    const outcome = await run.carryOut({
      onRow: (row) => {
        discarded.add(row);
        options.onRow(row);
        rows.add(row);
      },
      onProgress: (progress) => {
        reported.report(progress);
        status?.show();
      },
      onProblem: (text) => printError(`whiteline: ${text}`),
    });
    status?.end();
    rows.end();
    say(...endLines(outcome, folder));
    const write = () => writeReport(folder, flags, say);
    return { outcome, reportProblem: flags.report && run.isFolderGood ? await reportProblem(write) : null };
  } finally {
    status?.end();
    options.metrics.show(null);
    // The next run of a plan measures a machine without the processes of this one.
    await run.close();
    await fleet.close();
  }
}

/** The operator knows that it was stopped; anything else is reported. The problem that decides the exit code, if any. */
export function reportProblems({ outcome, reportProblem }: Performed): Problem | null {
  for (const problem of [outcome.problem, reportProblem])
    if (problem && problem.code !== 'ABORTED') printProblem(problem);
  return outcome.problem ?? reportProblem;
}

/** Writes a report once all is measured: what keeps it from being written spoils no run. */
export async function reportProblem(write: () => Promise<unknown>): Promise<Problem | null> {
  try {
    await write();
    return null;
  } catch (error) {
    const problem = toProblem(error);
    // Before the run the name was free: what took it since was no input of the operator.
    return problem.code === 'BAD_INPUT' ? { ...problem, code: 'OUTPUT_UNWRITABLE' } : problem;
  }
}

async function writeReport(folder: string, flags: RunFlags, say: Say): Promise<void> {
  const { report: to, force } = flags;
  const file = typeof to === 'string' ? to : join(folder, 'report.html');
  await exportRun(folder, 'html', file, reportTools(flags), { existing: existingOf(force) });
  say(`Report: ${file}`);
}
