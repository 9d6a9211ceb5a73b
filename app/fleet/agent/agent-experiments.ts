import { randomBytes } from 'node:crypto';
import {
  type AskedExperiment,
  askedExperiment,
} from '../../engine/experiment/elsewhere/elsewhere-parameters';
import type { ExperimentChild } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { type ExperimentExit, toExperimentSchema } from '../../protocol/fleet/experiment-messages';
import { withoutProcessNumbers } from '../../protocol/fleet/process-numbers';
import { fromHostSubject, toHostSubject } from '../../protocol/fleet/subjects';
import { keepAliveMs } from '../../protocol/host';
import { safeParse } from '../../protocol/safe-parse';
import type { HostChannel, OpenChannel } from '../host-channel';

/** A place of this machine: its path, and what consoles read in its stead. */
export interface Place {
  path: string;
  called: string;
}

/** What the agent's own user gave for experiments. */
export interface ExperimentPlaces {
  /** In which files may be written. @throws WhitelineError if it cannot be made */
  folder(): Place;
  /** A movie by its name below one of the agent's folders. @throws WhitelineError NOT_FOUND */
  movie(name: string): Promise<Place>;
}

export interface AgentExperimentsOptions {
  agentId: string;
  clock: Pick<Clock, 'after' | 'every'>;
  openChannel: OpenChannel;
  spawn(): ExperimentChild;
  places: ExperimentPlaces;
}

function refused(): never {
  throw badInput('experiment', 'a stream host, which is all that this agent starts,', 'an experiment');
}

/** Of an agent on whose machine none runs. */
export const noExperiments: Pick<AgentExperimentsOptions, 'spawn' | 'places'> = {
  spawn: refused,
  places: { folder: refused, movie: refused },
};

/** The last messages may still be asked for again so long after the end. */
const channelStaysMs = 7000;

interface Running {
  fence: number;
  child: ExperimentChild;
  channel: HostChannel;
  /** As they follow "the experiment"; null: it was not ended. */
  words: string | null;
  gone: Promise<void>;
}

/** Whole experiments of this machine for consoles, one at a time, each in a separate process. */
export class AgentExperiments {
  private readonly running = new Map<string, Running>();

  constructor(private readonly options: AgentExperimentsOptions) {}

  /** Of processes whose load is ours. */
  get processIds(): number[] {
    return [...this.running.values()].flatMap(({ child }) => child.processId ?? []);
  }

  /**
   * @param held the lease, as long as it counts; it may end while another process does
   * @throws WhitelineError BAD_INPUT for what does not run here or is not asked so, and where another one runs; NOT_FOUND for a movie
   */
  async start(
    held: () => { fence: number; key: string },
    experiment: string,
    input: Record<string, unknown>,
  ): Promise<string> {
    const asked = askedExperiment(experiment, input);
    const { parameters, called } = await this.filled(asked);
    await this.ending();
    const { fence, key } = held();
    this.requireNone();
    const runId = randomBytes(8).toString('hex');
    const { agentId, clock, openChannel, spawn } = this.options;
    const child = spawn();
    const channel = openChannel(fromHostSubject(agentId, runId), toHostSubject(agentId, runId, key));
    child.keepAlive();
    const stopKeeping = clock.every(keepAliveMs, () => child.keepAlive());
    const gone = new Promise<void>((resolve) => {
      child.onExit(() => {
        stopKeeping();
        this.forget(runId);
        resolve();
      });
    });
    this.running.set(runId, { fence, child, channel, words: null, gone });
    child.onMessage((json) => channel.send({ json: withoutProcessNumbers(withNames(json, called)) }));
    channel.onMessage((value) => {
      const { data } = safeParse(toExperimentSchema, value);
      if (data && this.running.get(runId)?.words === null) child.post(data);
    });
    channel.onLost(() => this.endOne(runId, 'was ended by its agent: messages to it were lost on the way'));
    child.post({ type: 'prepare', experiment, parameters });
    return runId;
  }

  /** @throws WhitelineError NOT_FOUND if it has none of this lease */
  end({ fence }: { fence: number }, runId: string): null {
    if (this.running.get(runId)?.fence !== fence)
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: `There is no experiment ${runId} of this lease`,
        remedy: 'It may have ended already',
      });
    this.endOne(runId, 'was ended by its console');
    return null;
  }

  /** Their lease is over. */
  endAll(why: string): void {
    for (const runId of this.running.keys()) this.endOne(runId, `was ended by its agent: ${why}`);
  }

  /** Resolves when all processes that run now are gone. */
  get gone(): Promise<unknown> {
    return Promise.all([...this.running.values()].map(({ gone }) => gone));
  }

  private async ending(): Promise<void> {
    for (const { words, gone } of [...this.running.values()]) if (words !== null) await gone;
  }

  private requireNone(): void {
    if (this.running.size === 0) return;
    throw badInput('experiment', 'one experiment at a time', this.running.size + 1, 'Wait for the other one');
  }

  /** A process that does not go is killed. */
  private endOne(runId: string, words: string): void {
    const running = this.running.get(runId);
    if (!running || running.words !== null) return;
    running.words = words;
    running.child.kill();
  }

  private forget(runId: string): void {
    const running = this.running.get(runId);
    if (!running) return;
    this.running.delete(runId);
    const { channel, words } = running;
    const exit: ExperimentExit = { type: 'exit', words: words ?? 'ended without a word' };
    channel.send(exit);
    this.options.clock.after(channelStaysMs, () => channel.close());
  }

  /** With the places of this machine, and what they are called in all that leaves it. */
  private async filled({ parameters, places }: AskedExperiment): Promise<{
    parameters: Record<string, unknown>;
    called: readonly Place[];
  }> {
    const called: Place[] = [];
    const filled = { ...parameters };
    const fill: Record<AskedExperiment['places'][string], (parameter: string) => void | Promise<void>> = {
      folders: (parameter) => {
        const folder = this.options.places.folder();
        called.push(folder);
        filled[parameter] = [folder.path];
      },
      movie: async (parameter) => {
        const name = parameters[parameter];
        if (typeof name !== 'string') return;
        const movie = await this.options.places.movie(name);
        called.push(movie);
        filled[parameter] = movie.path;
      },
    };
    for (const [parameter, kind] of Object.entries(places)) await fill[kind](parameter);
    return { parameters: filled, called };
  }
}

/** A text of JSON in which the paths of places stand no more. */
function withNames(json: string, called: readonly Place[]): string {
  const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
  return called
    .filter(({ path, called: name }) => path !== name)
    .reduce((text, { path, called: name }) => text.replaceAll(inside(path), inside(name)), json);
}
