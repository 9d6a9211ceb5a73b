import type { ClosedRow } from '../../../facts/row';
import type { Clock } from '../../../protocol/clock';
import { badInput, WhitelineError } from '../../../protocol/errors';
import type { FromExperiment } from '../../../protocol/fleet/experiment-messages';
import type { ExperimentProcess, RemoteMachine } from '../../host-application';
import { knownClock } from '../../machines/known-clock';
import { problemOn } from '../../streams/host-connection';
import type { RunContext } from '../experiment';
import { isMissing } from './machine-row';
import { Patience } from './patience';

/** Tools are asked for their versions, and a movie is inspected. */
const preparesWithinMs = 60_000;
/** An open row is closed at once. */
const stopsWithinMs = 10_000;
/** Clocks of two machines are known to some milliseconds, and rows have milliseconds. */
const mostApartMs = 1000;
type Ended = { type: 'exit'; words: string };

/** What a run of the machine works with. */
export interface MachineRunContext
  extends Pick<RunContext, 'clock' | 'isoNow' | 'thresholds' | 'noteEvent' | 'progress' | 'signal'> {}

export interface AskedRun {
  experiment: string;
  parameters: Record<string, unknown>;
  /** So long it may say nothing while it measures. */
  silenceSeconds: number;
  /** What measuring a row takes at least, of the time since the run began. Default: no time. */
  leastSeconds?(row: ClosedRow): number;
  /** What rows lack that are all of a run which came to its end; null: nothing. */
  lacks?(rows: readonly ClosedRow[]): string | null;
}

/** One experiment on another machine, from its preparation to its last row. */
export class MachineRun {
  private readonly process: ExperimentProcess;
  private measuredSeconds = 0;
  private readonly waiting: (FromExperiment | Ended)[] = [];
  private wake: () => void = () => undefined;
  private patience: Patience | null = null;

  constructor(
    private readonly machine: RemoteMachine,
    private readonly asked: AskedRun,
    private readonly clock: Pick<Clock, 'after' | 'monotonicNs' | 'sleep'>,
  ) {
    this.process = machine.startExperiment(asked.experiment, asked.parameters);
    this.process.onMessage((message) => {
      this.patience?.hear();
      this.put(message);
    });
    this.process.onExit((words) => this.put({ type: 'exit', words }));
  }

  /** What it found out before its run. @throws WhitelineError with the machine's name, and what it lacks */
  async prepared(): Promise<Extract<FromExperiment, { type: 'prepared' }>> {
    const stop = this.clock.after(preparesWithinMs, () =>
      this.put({ type: 'exit', words: `was not prepared within ${preparesWithinMs / 1000} s` }),
    );
    try {
      const message = await this.next();
      if (message.type !== 'prepared') throw this.ended(message);
      await knownClock(this.machine, this.clock);
      return message;
    } finally {
      stop();
    }
  }

  /** @throws WhitelineError with the machine's name, where it does not come to its end */
  async *measure(context: MachineRunContext): AsyncGenerator<ClosedRow> {
    const { thresholds, signal } = context;
    const began = context.isoNow();
    const beganNs = this.clock.monotonicNs();
    this.process.post({ type: 'begin', wallOffsetUs: this.wallOffsetUs(began), thresholds });
    const patience = new Patience(this.clock, this.asked.silenceSeconds, (words) =>
      this.put({ type: 'exit', words }),
    );
    this.patience = patience;
    const rows: ClosedRow[] = [];
    let stopWaiting: () => void = () => undefined;
    const stop = (): void => {
      this.process.post({ type: 'stop' });
      stopWaiting = this.clock.after(stopsWithinMs, () => this.end());
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      for (let message = await this.next(); ; message = await this.next()) {
        if (message.type === 'row') {
          // One that the operator stopped is shorter.
          if (!signal.aborted) this.requireTime(message.row, beganNs);
          rows.push(this.checked(message.row, began, context.isoNow()));
          yield message.row;
        } else if (message.type === 'event') this.note(message, context);
        else if (message.type === 'progress') context.progress(message.progress);
        else if (message.type === 'ended' && message.problem === null) {
          if (!signal.aborted) this.requireAll(rows);
          return;
        } else throw this.ended(message);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stopWaiting();
      patience.close();
      this.end();
    }
  }

  end(): void {
    this.process.kill();
  }

  /** From its monotonic clock to the wall time of our run. */
  private wallOffsetUs(isoNow: string): number {
    const nowNs = this.clock.monotonicNs();
    const { clock } = this.machine;
    return Date.parse(isoNow) * 1000 - clock.toTheirsNs(nowNs) / 1000;
  }

  private note(
    { kind, text, details }: Extract<FromExperiment, { type: 'event' }>,
    context: MachineRunContext,
  ) {
    const { name } = this.machine;
    context.noteEvent(kind, `${name}: ${text}`, { ...details, machine: name });
  }

  /** All that it has measured takes its time, by our own clock. @throws WhitelineError */
  private requireTime(row: ClosedRow, beganNs: number): void {
    this.measuredSeconds += this.asked.leastSeconds?.(row) ?? 0;
    const elapsedSeconds = (this.clock.monotonicNs() - beganNs) / 1e9;
    if (elapsedSeconds >= this.measuredSeconds) return;
    const expected = `rows that take ${this.measuredSeconds.toFixed(1)} s at least`;
    throw this.unlikely('row', expected, `one after ${elapsedSeconds.toFixed(1)} s`);
  }

  /** @throws WhitelineError */
  private requireAll(rows: readonly ClosedRow[]): void {
    const lacking = this.asked.lacks?.(rows) ?? null;
    if (lacking !== null) throw this.problem(`the experiment ${lacking}`);
  }

  /** @throws WhitelineError for what cannot be true */
  private checked(row: ClosedRow, began: string, now: string): ClosedRow {
    const [from, to] = [Date.parse(row.from), Date.parse(row.to)];
    if (from < Date.parse(began) - mostApartMs || from > to)
      throw this.unlikely('from', 'a row that begins in the run, and before it ends,', row.from);
    if (to > Date.parse(now) + mostApartMs) throw this.unlikely('to', 'a row that has ended', row.to);
    // It would stand for the row that the console makes of a machine which is gone.
    if ([row, ...row.subjects].some(isMissing))
      throw this.unlikely('reason', 'a reason that an experiment gives', 'machine-ended');
    return row;
  }

  private unlikely(field: string, expected: string, value: string | number): WhitelineError {
    const { message } = badInput(field, expected, value);
    return this.problem(`the experiment was given up: ${message}`);
  }

  private ended(message: FromExperiment | Ended): WhitelineError {
    if (message.type === 'exit') return this.problem(`the experiment ${message.words}`);
    if (message.type === 'ended' && message.problem)
      return new WhitelineError(problemOn(this.machine, message.problem));
    this.end();
    return this.problem(`the experiment sent ${message.type} where it does not belong`);
  }

  private problem(text: string): WhitelineError {
    return new WhitelineError({ code: 'HOST_DIED', message: `${this.machine.name}: ${text}` });
  }

  private put(message: FromExperiment | Ended): void {
    this.waiting.push(message);
    this.wake();
  }

  private async next(): Promise<FromExperiment | Ended> {
    for (;;) {
      const message = this.waiting.shift();
      if (message) return message;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
