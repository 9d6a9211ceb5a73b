import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import type { Run } from '../../facts/run';
import type { Clock } from '../../protocol/clock';
import type { Progress } from '../../protocol/console';
import { type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import type { DeadHelper, Helpers } from '../capabilities/helper/helpers';
import type { Experiment } from '../experiment/experiment';
import { withFailTime } from '../experiment/fail-time';
import { samplesWithin } from '../load/window';
import { type MachineBooks, machineBooks } from '../machine/machine-books';
import type { Recorder } from '../sessions/recorder';
import { RowMeter, type RowMeterOptions } from '../streams/rows/row-meter';
import type { MovieHost } from '../streams/sources/movie';
import type { StreamSet } from '../streams/stream-set';
import { type RunTool, runTool } from '../tools/run-tool';
import type { WallClock } from '../wall-clock';

export interface RunnerOptions {
  experiment: Experiment;
  /** Checked by the experiment's own schema. */
  parameters: Record<string, unknown>;
  recorder: Recorder;
  set: StreamSet;
  /** For what needs native code and no streams. */
  host: MovieHost;
  /** Of all that is ours. */
  processIds(): number[];
  helpers: Helpers;
  /** This machine’s, unless a test makes others up. */
  runTool?: RunTool;
  machine?: MachineBooks;
  thresholds: Thresholds;
  wall: WallClock;
  signal: AbortSignal;
  onRow(row: ClosedRow): void;
  /** A row of streams was opened; its preview is null once it closes. */
  onOpenRow?(row: Pick<RowMeter, 'preview'>): void;
  onProgress(progress: Progress): void;
  /** The experiment noted a problem that spoils no row. */
  onProblem?(text: string): void;
}

export interface RunOutcome {
  state: Run['state'];
  verdict: Run['verdict'];
  reason: string;
  problem: Problem | null;
}

/** The first sample of a machine comes within a second and a half; without one, the row says so. */
const longestWaitNs = 3e9;
const pollMs = 50;

/** Runs one experiment to its end, whatever the end is, and leaves its verdict in the run's folder. */
export async function runExperiment(options: RunnerOptions): Promise<RunOutcome> {
  const { experiment, parameters, recorder, set, helpers, thresholds, wall, signal } = options;
  const meterOptions: RowMeterOptions = {
    set,
    clock: wall.clock,
    thresholds,
    // The recorder holds it for as long as the run lasts.
    wallOffsetUs: wall.offsetUs,
    samples: () => recorder.samples,
  };
  let outcome: RunOutcome;
  try {
    const rows = experiment.run(parameters, {
      clock: wall.clock,
      processIds: options.processIds,
      thresholds,
      signal,
      folder: recorder.folder.path,
      isoNow: () => wall.isoNow(),
      noteEvent: (kind, text, details) => {
        recorder.event(kind, text, details);
        if (kind === 'problem') options.onProblem?.(text);
      },
      samples: (fromNs, toNs) => samplesWithin(recorder.samples, fromNs, toNs),
      standstills: (fromNs, toNs) => set.standstills(fromNs, toNs),
      progress: options.onProgress,
      native: options.host,
      helper: helpers,
      tools: { run: options.runTool ?? runTool },
      machine: options.machine ?? machineBooks,
      streams: {
        set,
        openRow: (index, streams, fromNs, toNs) => {
          const meter = new RowMeter(meterOptions, index, streams, fromNs, toNs);
          options.onOpenRow?.(meter);
          return meter;
        },
        meterBeside: (streams, fromNs) => new RowMeter(meterOptions, 0, streams, fromNs),
      },
    });
    await firstSample(recorder.samples, wall.clock, signal);
    let deaths = helpers.died.length;
    for await (const measured of rows) {
      const row = withFailTime(withDeaths(measured, helpers.died.slice(deaths)));
      deaths = helpers.died.length;
      recorder.row(row);
      options.onRow(row);
    }
    const verdict = experiment.verdict(recorder.rows, parameters, thresholds);
    const stopped = `stopped before its end. Until then: ${verdict.reason}`;
    // A run that was cut short says nothing of the rows that it lacks.
    outcome = signal.aborted
      ? { state: 'aborted', verdict: null, reason: stopped, problem: abortProblem(signal) }
      : { state: 'finished', ...verdict, problem: null };
  } catch (error) {
    const problem = toProblem(error);
    const isStopped = signal.aborted && problem.code === 'ABORTED';
    if (!isStopped) recorder.event('problem', problem.message, { ...problem });
    outcome = isStopped
      ? { state: 'aborted', verdict: null, reason: problem.message, problem: abortProblem(signal) }
      : { state: 'failed', verdict: null, reason: problem.message, problem };
  }
  await helpers.close();
  if (experiment.needs(parameters).includes('streams')) await cleanUp(set, recorder);
  await recorder.end(outcome.state, outcome.verdict, outcome.reason);
  return outcome;
}

/** A row that is too short for a load sample of its own has the newest one before it. */
async function firstSample(samples: readonly LoadSample[], clock: Clock, signal: AbortSignal): Promise<void> {
  const untilNs = clock.monotonicNs() + longestWaitNs;
  while (samples.length === 0 && clock.monotonicNs() < untilNs && !signal.aborted)
    await clock.sleep(pollMs, signal);
}

/** What a helper that died would have measured is not known, whatever the others did. */
function withDeaths(row: ClosedRow, dead: readonly DeadHelper[]): ClosedRow {
  if (dead.length === 0) return row;
  const deaths = dead.map((one) => reasonOf('helper-died', { ...one }));
  return {
    ...row,
    verdict: 'INVALID',
    reason: [...deaths, ...(row.verdict === 'INVALID' ? row.reason : [])],
  };
}

/** An abort carries its reason when something other than the operator caused it, such as a full disk. */
function abortProblem(signal: AbortSignal): Problem {
  const { reason } = signal as AbortSignal & { reason?: unknown };
  if (reason instanceof WhitelineError) return toProblem(reason);
  return { code: 'ABORTED', message: 'The run was stopped; what it had recorded is kept' };
}

async function cleanUp(set: StreamSet, recorder: Recorder): Promise<void> {
  try {
    await set.removeAll().finally(() => set.closeSource());
  } catch (error) {
    recorder.event('problem', `The streams did not close: ${toProblem(error).message}`);
  }
}
