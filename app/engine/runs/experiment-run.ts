import type { Row } from '../../facts/row';
import type { Run } from '../../facts/run';
import type { Clock } from '../../protocol/clock';
import type { Progress } from '../../protocol/console';
import type { HostEnvironment } from '../../protocol/environment';
import { toProblem, WhitelineError } from '../../protocol/errors';
import type { HostReady } from '../../protocol/host';
import type { ThresholdProfile } from '../../protocol/thresholds';
import { ndiRuntimeOf } from '../../protocol/transports';
import { waysToOpen } from '../capabilities/ways-to-open';
import type { ContentHosts } from '../content/content-hosts';
import type { HostApplication } from '../host-application';
import { Instrument } from '../instrument';
import { type OwnVersions, readMachine } from '../machine/read-machine';
import type { MeasuredRun } from '../measured-now';
import { appVersion } from '../sessions/environment';
import { Recorder } from '../sessions/recorder';
import { makeLogFolder } from '../streams/capture-log';
import { type GateLimits, Gates } from './gates';
import { askedOf, type PreparedRun, runStart } from './prepared-run';
import { type RunOutcome, runExperiment } from './runner';

export interface ExperimentRunOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, dist. */
  appFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  content: ContentHosts;
  prepared: PreparedRun;
  /** Of the run. */
  folder: string;
  profile: ThresholdProfile;
  /** The profile as it was typed, where one was. */
  chosen?: string;
  /** Makes the run one of a session, at the moment when it begins. */
  join?(): Run['session'];
  /** What its reports have at their head. */
  header?: Run['header'];
  captureLogs?: boolean;
  /** Rules of a test beside the thresholds. */
  gates?: GateLimits;
  signal: AbortSignal;
}

export interface RunListeners {
  onRow(row: Row): void;
  onProgress(progress: Progress): void;
  onProblem(text: string): void;
}

/** Whether streams are received, so that a receiver has something to log. */
export function receives({ experiment, parameters }: PreparedRun): boolean {
  return experiment.needs(parameters).includes('streams');
}

/** One experiment that is carried out by this process, into a folder: of `whiteline run`, and of a plan. */
export class ExperimentRun {
  readonly instrument: Instrument;
  private recorder: Recorder | null = null;
  private readonly abort = new AbortController();
  private readonly stop = (): void => this.abort.abort(this.options.signal.reason);
  private outputProblem: WhitelineError | null = null;

  constructor(private readonly options: ExperimentRunOptions) {
    const { application, clock, appFolder, ndiPath, content, folder, captureLogs, signal } = options;
    if (signal.aborted) this.stop();
    signal.addEventListener('abort', this.stop, { once: true });
    this.instrument = new Instrument({
      ...{ application, clock, appFolder, ndiPath, content: content.work },
      captureLogFolder: captureLogs ? folder : undefined,
      noteEvent: (...event) => this.recorder?.event(...event),
      onSample: (sample) => this.recorder?.sample(sample),
      onMachineSample: (sample) => this.recorder?.machineSample(sample),
      onChange: () => undefined,
    });
  }

  /** Its folder could be written so far. */
  get isFolderGood(): boolean {
    return this.outputProblem === null;
  }

  /** As far as it has come; null before it is recorded. */
  get measured(): MeasuredRun | null {
    const { recorder } = this;
    if (!recorder) return null;
    const rowVerdicts = recorder.rows.map(({ verdict }) => verdict);
    return { experiment: this.options.prepared.declaration.id, verdict: null, rowVerdicts };
  }

  /**
   * Starts what the streams need, and records from now on.
   * @returns null if no stream is received
   * @throws WhitelineError if NDI cannot start or the folder cannot be made
   */
  async begin(): Promise<HostReady | null> {
    const { instrument, options } = this;
    const { prepared, folder, profile, chosen, captureLogs, appFolder, application } = options;
    const ready = receives(prepared) ? await instrument.start() : null;
    if (ready?.transportProblem) throw new WhitelineError(ready.transportProblem);
    if (captureLogs && ready) makeLogFolder(folder);
    const version = appVersion(appFolder);
    const ours = { whiteline: version, ndi: ndiRuntimeOf(ready?.transport)?.version ?? null };
    const machine = await (ready ? readMachine(instrument.set.nativeHost, ours) : this.machineByItself(ours));
    const asked = {
      ...askedOf(prepared, chosen, options.gates),
      session: options.join?.(),
      header: options.header,
    };
    this.recorder = new Recorder({
      ...{ folder, derive: application.deriveRun, wall: instrument.wall },
      start: runStart(asked, profile, { version, transport: ready?.transport ?? null, machine }),
      onProblem: (error) => {
        this.outputProblem = error;
        this.abort.abort(error);
      },
    });
    return ready;
  }

  async carryOut(listeners: RunListeners): Promise<RunOutcome> {
    const { instrument, recorder, abort, options } = this;
    if (!recorder) throw new Error('The run has not begun');
    const { prepared, profile, content, gates } = options;
    const { experiment, parameters } = prepared;
    const { thresholds } = profile;
    const { samples } = recorder;
    const warmUpSeconds = Number(parameters.warmUpSeconds ?? 0);
    instrument.restartViews(warmUpSeconds, thresholds);
    const outcome = await runExperiment({
      ...{ experiment, parameters, recorder, thresholds, ...listeners },
      ways: waysToOpen(instrument, {
        ...{ thresholds, warmUpSeconds, samples: () => samples, signal: abort.signal },
        native: () => content.open(),
        noteEvent: (...event) => recorder.event(...event),
      }),
      standstills: (fromNs, toNs) => instrument.set.standstills(fromNs, toNs),
      processIds: () => instrument.processIds(),
      wall: instrument.wall,
      signal: abort.signal,
      gates: gates && new Gates(gates),
    });
    const { outputProblem } = this;
    return outputProblem ? { ...outcome, problem: toProblem(outputProblem) } : outcome;
  }

  /** Resolves when its processes are gone. */
  close(): Promise<void> {
    this.options.signal.removeEventListener('abort', this.stop);
    return this.instrument.close();
  }

  /** Where no streams run, one host asks all drivers; without one, the rest is of use. */
  private machineByItself(ours: OwnVersions): Promise<HostEnvironment> {
    return this.options.content.with((host) => readMachine(host, ours)).catch(() => readMachine(null, ours));
  }
}
