import { join } from 'node:path';
import { waysToOpen } from '../engine/capabilities/ways-to-open';
import { machineClock } from '../engine/clock';
import { Instrument } from '../engine/instrument';
import { type OwnVersions, readMachine } from '../engine/machine/read-machine';
import type { MeasuredRun } from '../engine/measured-now';
import { exportRun } from '../engine/reports/export';
import { LatestProgress } from '../engine/runs/latest-progress';
import { askedOf, type PreparedRun, runStart } from '../engine/runs/prepared-run';
import { type RunOutcome, runExperiment } from '../engine/runs/runner';
import { appVersion } from '../engine/sessions/environment';
import { Recorder } from '../engine/sessions/recorder';
import { makeLogFolder } from '../engine/streams/capture-log';
import type { Row } from '../facts/row';
import type { Run } from '../facts/run';
import type { StreamView } from '../protocol/console';
import type { HostEnvironment } from '../protocol/environment';
import { badInput, type Problem, toProblem, WhitelineError } from '../protocol/errors';
import type { ThresholdProfile } from '../protocol/thresholds';
import { ndiRuntimeOf } from '../protocol/transports';
import { contentWork, openContentHost, withContentHost } from './content-host';
import { DiscardedRows } from './discarded-rows';
import { endLines } from './end-lines';
import { printProblem } from './finishing';
import { ownFleet, takeMachines } from './fleet-console';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { existingOf } from './force';
import { lengthLines } from './length-line';
import type { MetricsFlag, OwnMetrics } from './metrics-flag';
import { type RunningParts, RunStatus } from './run-status';
import { ShownRows } from './shown-rows';
import { print, printError } from './terminal';

/** What `whiteline run` takes beside an experiment's parameters. */
export interface RunFlags extends MetricsFlag {
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

/** Whether streams are received, so that a receiver has something to log. */
export function receives({ experiment, parameters }: PreparedRun): boolean {
  return experiment.needs(parameters).includes('streams');
}

export function nothingToLog(what: string): WhitelineError {
  return badInput(
    'captureLogs',
    'a run that receives streams',
    what,
    'Leave --capture-logs out: nothing is received',
  );
}

/** Where no streams run, one host asks all drivers; without one, the rest is of use. */
function machineByItself(ours: OwnVersions): Promise<HostEnvironment> {
  return withContentHost((host) => readMachine(host, ours)).catch(() => readMachine(null, ours));
}

/** As far as it has come; null before it is recorded. */
function measuredRun(experiment: string, recorder: Pick<Recorder, 'rows'> | null): MeasuredRun | null {
  if (!recorder) return null;
  return { experiment, verdict: null, rowVerdicts: recorder.rows.map(({ verdict }) => verdict) };
}

/** What a run came to, and what kept its report from being written: the run stays as it was judged. */
export interface Performed {
  outcome: RunOutcome;
  reportProblem: Problem | null;
}

/**
 * Runs one experiment: its table to the terminal, everything to its folder.
 * @throws WhitelineError where NDI cannot start or the folder cannot be made
 */
export async function perform(options: PerformOptions): Promise<Performed> {
  const { prepared, folder, profile, flags } = options;
  const { declaration, experiment, parameters, subject } = prepared;
  const say = sayFor(flags);
  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  if (options.signal.aborted) stop();
  options.signal.addEventListener('abort', stop, { once: true });
  const fleet = ownFleet();
  const application = nodeApplication(undefined, fleet);
  const instrument = new Instrument({
    application,
    clock: machineClock,
    appFolder,
    ndiPath: ndiPath(),
    captureLogFolder: flags.captureLogs ? folder : undefined,
    content: contentWork,
    noteEvent: (...event) => recorder?.event(...event),
    onSample: (sample) => recorder?.sample(sample),
    onMachineSample: (sample) => recorder?.machineSample(sample),
    onChange: () => undefined,
  });
  const reported = new LatestProgress(machineClock);
  const discarded = new DiscardedRows();
  const streams = (): StreamView[] => discarded.without(instrument.viewed);
  const running = { progress: () => reported.now, streams, around: options.around };
  const status = flags.json ? null : new RunStatus(running);
  options.metrics.show({
    measured: () => ({ ...instrument.now, run: measuredRun(declaration.id, recorder) }),
    heard: () => fleet.heard,
  });
  try {
    await takeMachines(fleet, parameters, experiment.sources?.(parameters));
    const ready = receives(prepared) ? await instrument.start() : null;
    if (ready?.transportProblem) throw new WhitelineError(ready.transportProblem);
    if (flags.captureLogs && ready) makeLogFolder(folder);
    const ours = { whiteline: appVersion(appFolder), ndi: ndiRuntimeOf(ready?.transport)?.version ?? null };
    const machine = await (ready ? readMachine(instrument.set.nativeHost, ours) : machineByItself(ours));
    recorder = new Recorder({
      folder,
      start: runStart({ ...askedOf(prepared, flags.thresholds), session: options.join?.() }, profile, {
        version: appVersion(appFolder),
        transport: ready?.transport ?? null,
        machine,
      }),
      derive: application.deriveRun,
      wall: instrument.wall,
      onProblem: (error) => {
        outputProblem = error;
        stop();
      },
    });
    const rows = new ShownRows(declaration, say);
    say(`${declaration.title}: ${subject}`, ...lengthLines(declaration, parameters));
    if (ready) say(ndiRuntimeOf(ready.transport)?.version ?? '');
    instrument.restartViews(Number(parameters.warmUpSeconds ?? 0), profile.thresholds);
    const { thresholds } = profile;
    const { samples } = recorder;
    const outcome = await runExperiment({
      ...{ experiment, parameters, recorder, thresholds },
      ways: waysToOpen(instrument, {
        ...{ thresholds, samples: () => samples, native: openContentHost, signal: abort.signal },
      }),
      standstills: (fromNs, toNs) => instrument.set.standstills(fromNs, toNs),
      processIds: () => instrument.processIds(),
      wall: instrument.wall,
      signal: abort.signal,
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
    if (outputProblem)
      return { outcome: { ...outcome, problem: toProblem(outputProblem) }, reportProblem: null };
    const write = () => writeReport(folder, flags, say);
    return { outcome, reportProblem: flags.report ? await reportProblem(write) : null };
  } finally {
    status?.end();
    options.signal.removeEventListener('abort', stop);
    options.metrics.show(null);
    // The next run of a plan measures a machine without the processes of this one.
    await instrument.close();
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

async function writeReport(folder: string, { report: to, force }: RunFlags, say: Say): Promise<void> {
  const file = typeof to === 'string' ? to : join(folder, 'report.html');
  await exportRun(folder, 'html', file, nodeApplication(), { existing: existingOf(force) });
  say(`Report: ${file}`);
}
