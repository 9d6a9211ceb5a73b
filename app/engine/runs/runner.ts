import type { Fact } from '../../facts/fact';
import type { ClosedRow } from '../../facts/row';
import type { Run } from '../../facts/run';
import { invalidBy } from '../../facts/why-not';
import type { Clock } from '../../protocol/clock';
import type { Progress } from '../../protocol/console';
import { type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { stoppedText } from '../../protocol/stop';
import type { Thresholds } from '../../protocol/thresholds';
import { OpenCapabilities, type WaysToOpen } from '../capabilities/open-capabilities';
import type { Capability, ContextWith, Experiment, RunContext } from '../experiment/experiment';
import { withFailTime } from '../experiment/fail-time';
import { samplesWithin } from '../load/window';
import type { Recorder } from '../sessions/recorder';
import type { WallClock } from '../wall-clock';
import type { Gates } from './gates';

export interface RunnerOptions {
  experiment: Experiment;
  /** Checked by the experiment's own schema. */
  parameters: Record<string, unknown>;
  recorder: Recorder;
  /** Those that the experiment needs are opened before the run, and closed after it. */
  ways: WaysToOpen;
  /** Of all processes that measure, tools among them, as far as they touch the time between two moments. */
  standstills: RunContext['standstills'];
  /** Of all that is ours. */
  processIds(): number[];
  thresholds: Thresholds;
  wall: WallClock;
  signal: AbortSignal;
  onRow(row: ClosedRow): void;
  onProgress(progress: Progress): void;
  /** Rules of a test beside the thresholds. */
  gates?: Gates;
  /** The experiment noted a problem that spoils no row. */
  onProblem?(text: string): void;
}

/** What rows are measured with, wherever they are recorded. */
export interface MeasureOptions
  extends Pick<RunnerOptions, 'experiment' | 'parameters' | 'standstills' | 'processIds' | 'thresholds'> {
  wall: Pick<WallClock, 'clock' | 'isoNow'>;
  signal: AbortSignal;
  /** Of this machine since the newest row. */
  samples: readonly LoadSample[];
  /** The run's. */
  folder: string;
  noteEvent: RunContext['noteEvent'];
  onProgress(progress: Progress): void;
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
  const { experiment, parameters, recorder, signal, gates } = options;
  const capabilities = new OpenCapabilities(options.ways);
  const judged = (): Pick<RunOutcome, 'verdict' | 'reason'> => {
    const ofRows = experiment.verdict(recorder.rows, parameters, options.thresholds);
    return gates?.judged(ofRows) ?? ofRows;
  };
  // A run that was cut short proves nothing about the rows that it lacks.
  const stopped = (): RunOutcome => ({
    ...{ state: 'aborted', verdict: null, problem: abortProblem(signal) },
    reason: `${stoppedText(signal)}. Until then: ${judged().reason}`,
  });
  let outcome: RunOutcome;
  try {
    const measure: MeasureOptions = {
      ...options,
      ...{ samples: recorder.samples, folder: recorder.folder.path },
      noteEvent: (kind, text, details) => {
        recorder.event(kind, text, details);
        if (kind === 'problem') options.onProblem?.(text);
      },
    };
    for await (const row of measuredRows(measure, capabilities)) {
      recorder.row(row);
      gates?.add(row);
      options.onRow(row);
    }
    outcome = signal.aborted ? stopped() : { state: 'finished', ...judged(), problem: null };
  } catch (error) {
    const problem = toProblem(error);
    const isStopped = signal.aborted && (problem.code === 'ABORTED' || error === signal.reason);
    if (!isStopped) recorder.event('problem', problem.message, { ...problem });
    outcome = isStopped ? stopped() : { state: 'failed', verdict: null, reason: problem.message, problem };
  }
  for (const text of await capabilities.closeAll()) recorder.event('problem', text);
  const ending = await recorder.end(outcome.state, outcome.verdict, outcome.reason);
  return { ...outcome, ...ending };
}

/**
 * The rows of an experiment, with what is open of `capabilities`, which the caller closes.
 * @throws WhitelineError of the capabilities and of the experiment
 */
export async function* measuredRows(
  options: MeasureOptions,
  capabilities: OpenCapabilities,
): AsyncGenerator<ClosedRow> {
  const { experiment, parameters, samples, wall, signal } = options;
  await capabilities.openAll(experiment.needs(parameters));
  await firstSample(samples, wall.clock, signal);
  for await (const measured of experiment.run(parameters, contextOf(options, capabilities)))
    yield withFailTime(withFlaws(measured, capabilities.takeFlaws()));
}

/** What the experiment is given: what every run has, and what is open of the rest. */
function contextOf(options: MeasureOptions, capabilities: OpenCapabilities): ContextWith<Capability> {
  const { wall } = options;
  return {
    clock: wall.clock,
    processIds: options.processIds,
    thresholds: options.thresholds,
    signal: options.signal,
    folder: options.folder,
    isoNow: () => wall.isoNow(),
    noteEvent: options.noteEvent,
    samples: (fromNs, toNs) => samplesWithin(options.samples, fromNs, toNs),
    standstills: options.standstills,
    progress: options.onProgress,
    get streams() {
      return capabilities.reach('streams');
    },
    get native() {
      return capabilities.reach('native');
    },
    get helper() {
      return capabilities.reach('helper');
    },
    get tools() {
      return capabilities.reach('tools');
    },
    get machine() {
      return capabilities.reach('machine');
    },
    get machines() {
      return capabilities.reach('machines');
    },
    get experiments() {
      return capabilities.reach('experiments');
    },
  };
}

/** A row too short for a load sample of its own has the newest one before it. */
async function firstSample(samples: readonly LoadSample[], clock: Clock, signal: AbortSignal): Promise<void> {
  const untilNs = clock.monotonicNs() + longestWaitNs;
  while (samples.length === 0 && clock.monotonicNs() < untilNs && !signal.aborted)
    await clock.sleep(pollMs, signal);
}

function withFlaws(row: ClosedRow, flaws: readonly Fact[]): ClosedRow {
  if (flaws.length === 0) return row;
  return { ...row, ...invalidBy(flaws, row) };
}

/** What failed, such as a full disk, if that ended the run. */
function abortProblem({ reason }: AbortSignal): Problem {
  if (reason instanceof WhitelineError) return toProblem(reason);
  return { code: 'ABORTED', message: 'The run was stopped; what it had recorded is kept' };
}
