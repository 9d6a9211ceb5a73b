import type { EngineState } from '../protocol/console';
import { toProblem, WhitelineError } from '../protocol/errors';
import { Stop } from '../protocol/stop';
import type { Alerts } from './alerts';
import type { ClipMaker } from './content/clip-maker';
import type { ConsoleSession } from './runs/console-session';
import type { ExperimentControl, Job } from './runs/experiment-control';
import type { LiveControl } from './runs/live-control';
import type { NewestRun } from './runs/newest-run';

export interface ConsoleWorkOptions {
  experiments: ExperimentControl;
  live: LiveControl;
  run: NewestRun;
  consoleSession: ConsoleSession;
  maker: ClipMaker;
  alerts: Alerts;
  /** Reads this machine as it is now, for the run that begins. */
  lookAtMachine(): Promise<void>;
  onChange(): void;
}

/** What the console is doing, one thing at a time: streams of a live run, an experiment or a plan, a clip. */
export class ConsoleWork {
  private now: EngineState['mode'] = 'idle';
  private queue: Promise<unknown> = Promise.resolve();
  private hasClosed = false;

  constructor(private readonly options: ConsoleWorkOptions) {}

  get mode(): EngineState['mode'] {
    return this.now;
  }

  get isClosing(): boolean {
    return this.hasClosed;
  }

  /** A live run began, or was given up before it had. */
  noteLive(mode: 'live' | 'idle'): void {
    if (mode === 'idle') this.rest();
    else this.now = mode;
    this.options.onChange();
  }

  /** Carries it out after all that was asked for before. @throws WhitelineError ABORTED while Whiteline closes */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.queue.then(() => {
      if (this.hasClosed) throw closing();
      return action();
    });
    this.queue = result.catch(() => undefined).then(() => this.options.onChange());
    return result;
  }

  /** Changes the streams of a live run in its turn. @throws WhitelineError while an experiment runs or a clip is made */
  changeStreams<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      this.refuseStart();
      try {
        return await change();
      } catch (error) {
        // A machine that no stream is on is free for other consoles.
        const { live, alerts } = this.options;
        if (live.holdsMachinesInVain)
          await this.end(Stop.byClosing()).catch((problem) =>
            alerts.raise('run', 'error', toProblem(problem)),
          );
        throw error;
      }
    });
  }

  /**
   * Starts an experiment or a plan in its turn. Whatever is wrong with it is reported before the streams of a live run are given up
   * for it.
   * @throws WhitelineError while another one runs or a clip is made
   */
  start(prepare: () => Promise<Job>): Promise<void> {
    return this.inTurn(async () => {
      this.refuseStart();
      const { experiments, alerts, lookAtMachine, onChange } = this.options;
      const job = await prepare();
      await this.end(Stop.byOperator());
      await lookAtMachine();
      experiments.start(job, (error) => {
        if (error) alerts.raise('run', 'error', toProblem(error));
        this.rest();
        onChange();
      });
      this.now = 'experiment';
    });
  }

  /** The operator ends whatever runs. What was measured stays. */
  stop(): Promise<void> {
    const { experiments, live, maker } = this.options;
    const reason = Stop.byOperator();
    experiments.abort(reason);
    live.abort();
    maker.abort();
    return this.inTurn(() => this.end(reason));
  }

  /** The run cannot be recorded any more. */
  fail(error: WhitelineError): void {
    const { alerts, experiments } = this.options;
    alerts.raise('output', 'error', toProblem(error));
    if (experiments.isRunning) experiments.abort(error);
    else void this.inTurn(() => this.end(Stop.byClosing()));
  }

  /** Makes a clip, beside whatever does not measure. @throws WhitelineError while something does, or while Whiteline closes */
  async makeClip(clip: string, format: string): Promise<void> {
    // A stream may be about to be added.
    await this.queue;
    if (this.hasClosed) throw closing();
    if (this.now !== 'idle') throw measuring();
    await this.options.maker.make(clip, format);
  }

  /** The next run begins another session. @throws WhitelineError while a run goes on */
  newSession(title: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.now !== 'idle') {
        const message = 'A run is going on, which belongs to the session that is open';
        throw new WhitelineError({ code: 'BAD_INPUT', message, remedy: 'Stop first' });
      }
      this.options.consoleSession.begin(title);
      this.options.onChange();
    });
  }

  async close(): Promise<void> {
    this.hasClosed = true;
    this.options.maker.abort();
    this.options.live.close();
    await this.end(Stop.byClosing()).catch(() => undefined);
  }

  private refuseStart(): void {
    if (this.now === 'experiment') throw busy();
    this.options.maker.refuse();
  }

  private async end(reason: Stop): Promise<void> {
    const { experiments, live, run, consoleSession, onChange } = this.options;
    if (experiments.isRunning) {
      this.now = 'stopping';
      const stopped = experiments.stop(reason);
      onChange();
      await stopped;
    }
    if (!live.isRunning) return;
    this.now = 'stopping';
    onChange();
    try {
      const outcome = await live.end();
      if (outcome) run.end(outcome);
      consoleSession.derive();
    } finally {
      this.rest();
    }
  }

  /** A run is over. */
  private rest(): void {
    this.now = 'idle';
    this.options.alerts.endRun();
  }
}

function closing(): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: 'Whiteline is closing' });
}

function measuring(): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'Streams or an experiment are running, and making a clip would disturb what is measured',
    remedy: 'Stop first',
  });
}

function busy(): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'An experiment is running',
    remedy: 'Stop it first',
  });
}
