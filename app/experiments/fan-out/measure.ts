import type { StartedHelper } from '../../engine/capabilities/helper/helpers';
import type { ContextWith } from '../../engine/experiment/experiment';
import { problemOn } from '../../engine/streams/host-connection';
import { type Problem, WhitelineError } from '../../protocol/errors';
import type { FanOutParameters } from './declaration';
import type { EndMachine } from './end-machine';
import {
  type FanOutCommand,
  type FanOutMessage,
  type FanOutMessageOf,
  type FanOutRole,
  fanOutName,
  fanOutProgram,
} from './fan-out-program';
import { loadsBetween, type MeasuredMachine } from './machine-loads';
import { aheadNsOf, inOurTime } from './machine-times';
import type { End, OpenPath } from './path';
import { batchOf, caseFacts, datagramBytes, type ProcessPlan, processPlans, type RowPlan } from './row-plan';
import { Said, type Speaker } from './said';
import { payloadMs, queueMs } from './slow-link';
import { Waiting } from './waiting';

/** A process of a row. */
interface Part extends Speaker {
  helper: StartedHelper<{ type: 'ready' }, FanOutCommand, FanOutMessage>['helper'];
  machine: EndMachine | undefined;
  openedNs: number;
  /** The clock of its machine, before ours. */
  aheadNs: number;
}

/** What discovery may take; who has not matched then is left behind. */
export const matchLimitMs = 30_000;
/** From the words "begin" to the first sample: all have to hear them before, or the publisher refuses to begin. */
export const beginAheadMs = 1000;
/** The same where the words go by the fleet’s server, which may be busy. */
export const beginAheadOnMachinesMs = 2000;
const openLimitMs = 20_000;
/** After the time for samples: a last write (10 s), acknowledgements (10 s), and what a busy machine adds. */
const publishedLimitMs = 30_000;
/** Of what the receivers’ sockets hold still, and a busy machine adds. */
const collectLimitMs = 20_000;
/** What is under way to a subscriber comes without longer pauses, unless the link makes them. */
const silenceMs = 300;
const restMs = 5000;

/** What a subscribing process reported. */
export interface MeasuredProcess extends ProcessPlan {
  /** Its name; null: this one, which is the only one. */
  machine: string | null;
  processorNs: number;
  busiestThreadNs: number;
  stoppedNs: number;
  starvedNs: number;
}

/** What one row was measured by. */
export interface FanOutReadings {
  startNs: number;
  /** As long as samples were to be written: over it processor times are taken. */
  holdSeconds: number;
  /** From begin to the last write. */
  measuredSeconds: number;
  published: FanOutMessageOf<'published'>;
  received: FanOutMessageOf<'received'>[];
  processes: MeasuredProcess[];
  /** Of each subscriber. */
  addresses: string[];
  destinations: FanOutMessageOf<'destination'>[];
  counted: FanOutMessageOf<'counted'>;
  roundTrips: FanOutMessageOf<'roundTrips'>[];
  strangers: FanOutMessageOf<'stranger'>[];
  /** Numbers of the subscribers that had not matched when samples began. */
  unmatched: number[];
  /** From the start of the processes until the last that matched had. */
  matchSeconds: number | null;
  /** Until samples began. */
  waitedSeconds: number;
  /** By the subscribers’ interfaces; null: they are the publisher’s too, or on other machines. */
  receivedBytes: number | null;
  /** Each once, that of the publisher first. */
  machines: MeasuredMachine[];
  /** What the kernel granted. */
  buffers: { sendBytes: number | null; receiveBytes: number | null };
}

/** What of a run it uses. */
type Measuring = Pick<
  ContextWith<'helper' | 'machine'>,
  'clock' | 'helper' | 'machine' | 'samples' | 'signal'
>;

export interface RowOrder {
  parameters: FanOutParameters;
  plan: RowPlan;
  path: OpenPath;
  index: number;
  /** Of the run: it distinguishes ours from strangers. */
  run: string;
  matchLimitMs: number;
  beginAheadMs: number;
  /** All have matched that will: samples begin. */
  onBegin(): void;
  onSecond(second: number): void;
}

/**
 * Starts publisher, subscribers and counter, sends for as long as asked, and ends them.
 * @returns null if the run was stopped meanwhile
 * @throws WhitelineError TOOL_FAILED with what one of them said, HOST_DIED, HOST_SILENT
 */
export async function measure(context: Measuring, order: RowOrder): Promise<FanOutReadings | null> {
  const row = new FanOutMeter(context, order);
  try {
    return await row.measure();
  } catch (error) {
    if (context.signal.aborted) return null;
    throw error;
  } finally {
    await row.close();
  }
}

class FanOutMeter {
  private readonly parts: Part[] = [];
  private readonly waiting: Waiting;
  private readonly said = new Said();
  private readonly matchedNs = new Map<number, number>();
  private readonly done: MeasuredProcess[] = [];
  private readonly ending = new AbortController();
  private readers = 0;
  private replyWriters = 0;

  constructor(
    private readonly context: Measuring,
    private readonly order: RowOrder,
  ) {
    this.waiting = new Waiting(context);
  }

  async measure(): Promise<FanOutReadings> {
    const { plan, path } = this.order;
    const { clock } = this.context;
    const fromNs = clock.monotonicNs();
    const planned = processPlans(plan.subscribers, this.order.parameters);
    const publisher = await this.open('publisher', path.publisher, {
      ...this.endpoint(path.publisher),
      type: 'publish',
    });
    await this.opened(1);
    const counter = await this.open('counter', path.publisher, this.countCommand());
    const subscribing = await this.openAll(planned);
    const all = [counter, publisher, ...subscribing];
    await this.opened(all.length);
    await this.waiting.until(() => this.haveMatched(), this.order.matchLimitMs);
    const unmatched = this.unmatched();
    this.order.onBegin();
    const startNs = clock.monotonicNs() + this.order.beginAheadMs * 1e6;
    const waitedSeconds = (clock.monotonicNs() - fromNs) / 1e9;
    const receivedBefore = path.receivedBytes();
    const durationNs = Math.round(this.order.parameters.holdSeconds * 1e9);
    for (const part of all) await begin(part, startNs, durationNs);
    const machines = loadsBetween(this.context, path, startNs, startNs + durationNs, this.ending.signal);
    const published = await this.published(durationNs);
    await this.collect(subscribing, counter, published.samples);
    const receivedAfter = path.receivedBytes();
    const [counted] = this.said.of('counted');
    if (!counted) throw new Error('The counter has reported');
    return {
      startNs,
      holdSeconds: this.order.parameters.holdSeconds,
      measuredSeconds: secondsFrom(startNs, published.lastNs),
      ...{ published, counted, unmatched, waitedSeconds },
      received: this.said.of('received').sort((one, other) => one.subscriber - other.subscriber),
      processes: this.done.sort((one, other) => one.first - other.first),
      addresses: planned.flatMap((process) => Array(process.count).fill(this.endOf(process).address)),
      destinations: this.said.of('destination'),
      roundTrips: this.said.of('roundTrips'),
      strangers: this.said.of('stranger'),
      matchSeconds: this.matchSeconds(fromNs),
      machines: await machines,
      receivedBytes: receivedBefore === null ? null : (receivedAfter ?? 0) - receivedBefore,
      buffers: {
        sendBytes: least(this.said.of('open').map(({ sendBufferBytes }) => sendBufferBytes)),
        receiveBytes: least(this.said.of('open').map(({ receiveBufferBytes }) => receiveBufferBytes)),
      },
    };
  }

  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.parts.map(({ helper }) => helper.stop()));
  }

  private async opened(count: number): Promise<void> {
    const isOpen = await this.waiting.until(() => this.said.of('open').length === count, openLimitMs);
    if (!isOpen) throw silent('did not all open their sockets', openLimitMs);
  }

  private async openAll(planned: readonly ProcessPlan[]): Promise<Part[]> {
    const opening = planned.map((process) => {
      const end = this.endOf(process);
      const { first, count } = process;
      return this.open(
        'subscribers',
        end,
        { type: 'subscribe', ...this.endpoint(end), first, count },
        process,
      );
    });
    // Where one fails, the others are known when they are to be stopped.
    const opened = await Promise.allSettled(opening);
    return opened.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  private endOf({ place }: ProcessPlan): End {
    const { subscribers, publisher } = this.order.path;
    return subscribers[place] ?? publisher;
  }

  private async open(
    role: FanOutRole,
    end: End,
    command: FanOutCommand,
    process: ProcessPlan | null = null,
  ): Promise<Part> {
    const { clock, helper: ours } = this.context;
    const { machine } = end;
    const who = process ? subscribersText(process) : role;
    const { helper } = await (machine?.helper ?? ours).start(fanOutProgram(role, end, who));
    const openedNs = clock.monotonicNs();
    const name = `${fanOutName(who)}${machine ? ` on ${machine.name}` : ''}`;
    const part = { helper, machine, role, process, name, openedNs, aheadNs: aheadNsOf(machine, openedNs) };
    this.parts.push(part);
    void this.listen(part);
    await helper.send(command);
    return part;
  }

  /** Takes all that it says until it ends. */
  private async listen(part: Part): Promise<void> {
    try {
      while (true) {
        const message = await part.helper.receive();
        if (!message) return;
        this.take(this.inOurTime(message, part), part);
        this.waiting.look();
      }
    } catch (error) {
      this.waiting.fail(error);
    }
  }

  private inOurTime(message: FanOutMessage, { machine, aheadNs, openedNs: fromNs }: Part): FanOutMessage {
    if (!machine?.remote) return message;
    return inOurTime(message, machine, { aheadNs, fromNs, nowNs: this.context.clock.monotonicNs() });
  }

  private take(message: FanOutMessage, part: Part): void {
    const { process, machine } = part;
    this.said.take(message, part);
    switch (message.type) {
      case 'failed':
        throw new WhitelineError(problemOn(machine ?? null, failure(message.text)));
      case 'matched':
        if (!process) {
          this.readers = message.readers ?? this.readers;
          this.replyWriters = message.replyWriters ?? this.replyWriters;
        } else if (message.subscriber !== undefined)
          this.matchedNs.set(message.subscriber, Number(message.matchedNs ?? 0));
        return;
      case 'second':
        this.order.onSecond(message.second + 1);
        return;
      case 'done':
        if (process) this.done.push({ ...process, machine: machine?.name ?? null, ...timesOf(message) });
    }
  }

  private async published(durationNs: number): Promise<FanOutMessageOf<'published'>> {
    const limitMs = this.order.beginAheadMs + durationNs / 1e6 + publishedLimitMs;
    await this.waiting.until(() => this.said.of('published').length > 0, limitMs);
    const [published] = this.said.of('published');
    if (!published) throw silent('did not end its samples', limitMs);
    return published;
  }

  private async collect(subscribing: readonly Part[], counter: Part, samples: number): Promise<void> {
    const { parameters, plan } = this.order;
    const waits = {
      silenceMs: silenceMs + 2 * payloadMs(plan, parameters),
      restMs: restMs + queueMs(parameters),
    };
    for (const { helper } of subscribing) await helper.send({ type: 'finish', samples, ...waits });
    const limitMs = collectLimitMs + waits.restMs;
    const isDone = await this.waiting.until(() => this.done.length === subscribing.length, limitMs);
    if (!isDone) throw silent('did not all report what they received', limitMs);
    await counter.helper.send({ type: 'finish' });
    const isCounted = await this.waiting.until(() => this.said.of('counted').length > 0, collectLimitMs);
    if (!isCounted) throw silent('did not report what they counted', collectLimitMs);
  }

  /** In both directions; replies need writers of their own. */
  private haveMatched(): boolean {
    const { subscribers, measure: measured } = this.order.plan;
    const haveReplies = measured === 'throughput' || this.replyWriters >= subscribers;
    return this.matchedNs.size === subscribers && this.readers >= subscribers && haveReplies;
  }

  private unmatched(): number[] {
    return Array.from({ length: this.order.plan.subscribers }, (_, number) => number).filter(
      (number) => !this.matchedNs.has(number),
    );
  }

  private matchSeconds(fromNs: number): number | null {
    const moments = [...this.matchedNs.values()];
    return moments.length === 0 ? null : (Math.max(...moments) - fromNs) / 1e9;
  }

  private countCommand(): FanOutCommand {
    const { parameters, path } = this.order;
    const { domain, group, groupPort } = parameters;
    const [{ publisher = '' } = {}] = this.said.of('open');
    return { type: 'count', interface: path.publisher.interface, domain, group, groupPort, publisher };
  }

  private endpoint({ address }: End) {
    const { parameters, plan, run, index } = this.order;
    const { domain, keepMs, group, groupPort, sendBufferBytes, receiveBufferBytes } = parameters;
    return {
      ...{ domain, topic: `whiteline-fanout-${run}-${index}`, run, address },
      ...caseFacts(plan.case),
      ...{ keepMs, group, groupPort, sampleBytes: plan.sampleBytes, datagramBytes },
      ...{ batchBytes: batchOf(plan, parameters), sendBufferBytes, receiveBufferBytes },
      ...{ subscribers: plan.subscribers, isLatency: plan.measure === 'latency' },
    };
  }
}

/** At one moment, by the clock of each machine. */
function begin(part: Part, startNs: number, durationNs: number): Promise<void> {
  part.aheadNs = aheadNsOf(part.machine, startNs);
  return part.helper.send({ type: 'begin', startNs: String(startNs + part.aheadNs), durationNs });
}

function timesOf({ type, ...times }: FanOutMessageOf<'done'>) {
  return times;
}

/** Between two moments of the monotonic clock, the later one as text. */
export function secondsFrom(fromNs: number, toNs: string): number {
  return (Number(toNs) - fromNs) / 1e9;
}

export function subscribersText({ first, count }: Pick<ProcessPlan, 'first' | 'count'>): string {
  return count === 1 ? `subscriber ${first + 1}` : `subscribers ${first + 1} to ${first + count}`;
}

function least(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

function silent(what: string, limitMs: number): WhitelineError {
  return new WhitelineError(failure(`The processes of the fan-out ${what} within ${limitMs / 1000} s`));
}

function failure(message: string): Problem {
  return { code: 'TOOL_FAILED', message, field: 'helper' };
}
