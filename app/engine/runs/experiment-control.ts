import { join } from 'node:path';
import { z } from 'zod';
import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import type { Progress } from '../../protocol/console';
import { badInput, type WhitelineError } from '../../protocol/errors';
import { fileName } from '../../protocol/file-name';
import type { Session } from '../../protocol/session';
import type { Stop } from '../../protocol/stop';
import { type ThresholdProfile, thresholdProfiles } from '../../protocol/thresholds';
import { waysToOpen } from '../capabilities/ways-to-open';
import { dateNow } from '../clock';
import type { Requirement } from '../experiment/experiment';
import type { Instrument } from '../instrument';
import { prepareWrittenPlan } from '../plans/planned-runs';
import { positionInPlan } from '../plans/read-plan';
import { runPlan } from '../plans/run-plan';
import type { Recorder } from '../sessions/recorder';
import type { RowMeter } from '../streams/rows/row-meter';
import { type ConsoleSession, folderTime } from './console-session';
import { LatestProgress } from './latest-progress';
import { type Asked, askedOf, type PreparedRun, prepareRun, profileOf } from './prepared-run';
import { type RunOutcome, runExperiment } from './runner';

export interface ExperimentControlOptions {
  instrument: Instrument;
  runsFolder: string;
  consoleSession: ConsoleSession;
  /** Of experiments with streams. */
  transport: Requirement;
  /** Profile of the settings: a built-in one's name or the path of a file; the default without it. */
  thresholds?: string;
  /** Opens the folder of a run, which is the one that is shown from then on. */
  record(folder: string, asked: Asked, profile: ThresholdProfile): Recorder;
  onOutcome(outcome: RunOutcome): void;
  onChange(): void;
}

/** Of a plan that may be wrong. */
const profileSchema = z.object({ thresholds: z.string().optional() }).catch({});

/** Experiments, or a whole plan of them, that only wait for their start. */
export type Job = (signal: AbortSignal) => Promise<unknown>;

/** Runs experiments and plans for the console, one at a time. */
export class ExperimentControl {
  /** The newest plan that was run. */
  session: Session | undefined;
  private running: { abort: AbortController; ended: Promise<void> } | null = null;
  private readonly reported: LatestProgress;
  private openRow: Pick<RowMeter, 'preview'> | null = null;

  constructor(private readonly options: ExperimentControlOptions) {
    this.reported = new LatestProgress(options.instrument.wall.clock);
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  /** What is being done, with its times as of now. */
  get progress(): Progress | null {
    return this.reported.now;
  }

  /** The open row of streams as it stands, or null: counted up to the moment of the strips. */
  provisionalRow(): StreamsRow | null {
    return this.openRow?.preview(this.options.instrument.viewedNs) ?? null;
  }

  /** @throws WhitelineError with what is wrong or missing, before anything starts */
  async prepareExperiment(id: string, input: Record<string, unknown>, chosen?: string): Promise<Job> {
    const profile = profileOf(this.allowedProfile(chosen));
    const prepared = await prepareRun(id, input, this.options.instrument.set.nativeHost);
    const { consoleSession } = this.options;
    return (signal) => {
      const session = consoleSession.join();
      return this.carryOut({
        prepared,
        profile,
        chosen,
        folder: consoleSession.folderOf(id),
        session,
        signal,
      });
    };
  }

  /** @throws WhitelineError with everything that is wrong or missing, before anything starts */
  async preparePlan(value: unknown): Promise<Job> {
    const { thresholds } = profileSchema.parse(value);
    const chosen = this.allowedProfile(thresholds);
    const { instrument, transport } = this.options;
    const checks = { host: instrument.set.nativeHost, transport, chosen };
    const prepared = await prepareWrittenPlan({ value, text: null, positionOf: positionInPlan }, checks);
    const { plan, profile } = prepared;
    const { clock } = instrument.wall;
    const folder = join(this.options.runsFolder, `${folderTime(dateNow(clock))}-${fileName(plan.name)}`);
    return (signal) =>
      runPlan({
        ...{ prepared, folder, signal, clock },
        carryOut: async (run, runFolder, session) =>
          this.carryOut({ prepared: run.prepared, profile, chosen, folder: runFolder, session, signal }),
        onChange: (session) => {
          this.session = session;
          this.options.onChange();
        },
      });
  }

  /**
   * @param onEnd called once it is over, with what went wrong beyond a run's own end
   * @throws WhitelineError if the folder of a run cannot be made
   */
  start(job: Job, onEnd: (error: unknown) => void): void {
    const abort = new AbortController();
    const end = (error: unknown): void => {
      this.running = null;
      this.reported.forget();
      onEnd(error);
    };
    this.running = { abort, ended: job(abort.signal).then(() => end(null), end) };
  }

  /** Ends what is running, for this reason; what was measured stays. */
  abort(reason: Stop | WhitelineError): void {
    if (!this.running) return;
    this.reported.end();
    this.running.abort.abort(reason);
  }

  async stop(reason: Stop): Promise<void> {
    this.abort(reason);
    await this.running?.ended;
  }

  /** A window may name what is built in; a file is read, and reported when it is wrong, by the settings' word alone. */
  private allowedProfile(chosen: string | undefined): string | undefined {
    const { thresholds } = this.options;
    const builtIn = Object.keys(thresholdProfiles);
    if (chosen === undefined || chosen === thresholds || builtIn.includes(chosen))
      return chosen ?? thresholds;
    throw badInput(
      'thresholds',
      `one of ${builtIn.join(', ')}`,
      chosen,
      'Choose a file of your own in the settings',
    );
  }

  /** Not async: a folder that cannot be made is reported at the start of the run. */
  private carryOut(run: {
    prepared: PreparedRun;
    profile: ThresholdProfile;
    chosen: string | undefined;
    folder: string;
    /** The session of the run. */
    session?: Run['session'];
    signal: AbortSignal;
  }): Promise<RunOutcome> {
    const { prepared, profile, chosen, folder, session, signal } = run;
    const { instrument, onChange, onOutcome } = this.options;
    const { experiment, parameters } = prepared;
    const asked = { ...askedOf(prepared, chosen), session };
    const recorder = this.options.record(folder, asked, profile);
    const warmUpSeconds = Number(parameters.warmUpSeconds ?? 0);
    instrument.restartViews(warmUpSeconds, profile.thresholds);
    return runExperiment({
      ...{ experiment, parameters, recorder, signal },
      ways: waysToOpen(instrument, {
        thresholds: profile.thresholds,
        warmUpSeconds,
        samples: () => recorder.samples,
        signal,
        noteEvent: (...event) => recorder.event(...event),
        // The sending host, which runs for as long as the engine does.
        native: () => ({ use: instrument.set.nativeHost }),
        onOpenRow: (row) => {
          this.openRow = row;
        },
      }),
      standstills: (fromNs, toNs) => instrument.set.standstills(fromNs, toNs),
      processIds: () => instrument.processIds(),
      thresholds: profile.thresholds,
      wall: instrument.wall,
      onRow: onChange,
      onProgress: (progress) => {
        this.reported.report(progress);
        onChange();
      },
    }).then((outcome) => {
      this.reported.forget();
      this.openRow = null;
      onOutcome(outcome);
      return outcome;
    });
  }
}
