import type { ExperimentProcess } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import {
  checkedExperimentMessage,
  type ExperimentExit,
  type FromExperiment,
  type ToExperiment,
} from '../../protocol/fleet/experiment-messages';
import type { HostChannel } from '../host-channel';
import { MessageRate } from '../message-rate';
import { ExperimentAmounts } from './experiment-amounts';

/** An agent kills a process that does not go within 3 s, and its last words may be asked for again. */
const goesWithinMs = 7000;
/** An experiment says some things a second; after a break of the bus all come at once. */
const limits = { perSecond: 50, atOnce: 500 };

export interface RemoteExperimentOptions {
  clock: Pick<Clock, 'after' | 'monotonicNs'>;
  /** Starts it at the agent, and gives its id. */
  start(): Promise<string>;
  end(runId: string): Promise<unknown>;
  open(runId: string): HostChannel;
  /** It is gone, or out of reach for good. */
  onExit(experiment: RemoteExperiment): void;
}

/** A whole experiment on another machine, as the engine knows it. What its agent says is checked. */
export class RemoteExperiment implements ExperimentProcess {
  private runId: string | null = null;
  private channel: HostChannel | null = null;
  private readonly waiting: ToExperiment[] = [];
  private deliver: (message: FromExperiment) => void = () => undefined;
  private noteExit: (words: string) => void = () => undefined;
  private isKilled = false;
  private isOver = false;
  private stopWaiting: () => void = () => undefined;
  private readonly amounts = new ExperimentAmounts();
  private readonly rate: MessageRate;

  constructor(private readonly options: RemoteExperimentOptions) {
    this.rate = new MessageRate(limits, options.clock);
    void this.begin();
  }

  post(message: ToExperiment): void {
    if (this.isOver) return;
    if (this.channel) this.channel.send(message);
    else this.waiting.push(message);
  }

  onMessage(listener: (message: FromExperiment) => void): void {
    this.deliver = listener;
  }

  onExit(listener: (words: string) => void): void {
    this.noteExit = listener;
  }

  kill(): void {
    if (this.isKilled || this.isOver) return;
    this.isKilled = true;
    this.stopWaiting = this.options.clock.after(goesWithinMs, () => this.exit('did not report its end'));
    this.endAtAgent();
  }

  /** Its agent or the lease is gone. `words`: why, as they follow "the experiment". */
  lose(words: string): void {
    this.exit(words);
  }

  private async begin(): Promise<void> {
    try {
      const runId = await this.options.start();
      this.runId = runId;
      if (this.isOver || this.isKilled) this.endAtAgent();
      if (!this.isOver) this.open(runId);
    } catch (error) {
      this.refuse(toProblem(error));
    }
  }

  private open(runId: string): void {
    const channel = this.options.open(runId);
    this.channel = channel;
    channel.onMessage((value) => this.take(value));
    channel.onLost(() => this.giveUp('was given up: some of its messages were lost on the way'));
    for (const message of this.waiting.splice(0)) channel.send(message);
  }

  /** Its agent did not start it, and says why. */
  private refuse(problem: Problem): void {
    if (this.isOver) return;
    this.deliver({ type: 'ended', problem });
    this.exit('was not started');
  }

  private take(value: unknown): void {
    if (this.isOver) return;
    let message: FromExperiment | ExperimentExit;
    try {
      message = checkedExperimentMessage(value);
      if (message.type !== 'exit') this.amounts.add(message);
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      this.giveUp(`was given up: ${error.message}`);
      return;
    }
    if (message.type === 'exit') this.exit(message.words);
    else if (this.rate.isTooFast())
      this.giveUp(
        `was given up: Expected at most ${limits.perSecond} messages a second for ${message.type} but received more`,
      );
    else this.deliver(message);
  }

  private giveUp(words: string): void {
    if (this.isOver) return;
    if (!this.isKilled) this.endAtAgent();
    this.exit(words);
  }

  /** Where that does not reach the agent, the lease ends, and the experiment with it. */
  private endAtAgent(): void {
    if (this.runId !== null) this.options.end(this.runId).catch(() => undefined);
  }

  private exit(words: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopWaiting();
    this.channel?.close();
    this.noteExit(words);
    this.options.onExit(this);
  }
}
