import type { HostRole } from '../engine/host-application';
import { onBeat } from '../protocol/beat';
import type { Clock } from '../protocol/clock';
import { WhitelineError } from '../protocol/errors';
import type { HostCommand, HostReplyValue, RecordsMessage } from '../protocol/host';
import { type Fault, type FaultVerb, LateCause, MissCause } from '../protocol/records';
import type { Standstill } from '../protocol/standstill';
import { range } from './columns';
import { FakeApplication, FakeHost } from './fake-application';
import { SimulatedReceiver } from './simulated-receiver';
import { type Fate, SimulatedSender, SimulatedSource } from './simulated-sender';

/**
 * Stream hosts whose pictures are made up. They carry out what the engine asks for, and report at each beat what every source,
 * sender and receiver did by then, in columns as a real host does. Every frame comes, but for those of which a test or the engine
 * says otherwise.
 */
export class SimulatedHosts extends FakeApplication {
  private readonly works = new Map<FakeHost, HostWork>();
  /** Answers what has nothing to do with streams, such as the comparison of pictures. */
  other: (command: HostCommand, role: HostRole) => HostReplyValue = () => null;
  /** Names of streams whose receiver never finds them. */
  readonly unheard = new Set<string>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override spawnStreamHost(role: HostRole): FakeHost {
    const answer = (command: HostCommand): HostReplyValue => {
      const done = work.carryOut(command);
      const value = done === undefined ? this.other(command, role) : done;
      // What the command changed is reported before its reply.
      work.report();
      return value;
    };
    const host = new FakeHost(role, answer, this.transportProblem);
    const work = new HostWork(this.clock, host, (name) => this.senderOf(name), this.unheard);
    this.works.set(host, work);
    this.hosts.push(host);
    return host;
  }

  /** A stream of which faults are to come. Each call is of the slots after those of the call before. */
  stream(streamId: number): StreamToCome {
    const receiver = this.living.flatMap(({ receivers }) => receivers.get(streamId) ?? []).at(-1);
    const sender = this.senderOf(receiver?.sourceName ?? '');
    if (!receiver || !sender) throw new Error(`stream ${streamId} is not open`);
    return new StreamToCome(sender, receiver, sender.source.slotAfter(this.clock.monotonicNs()));
  }

  /** The newest process of a role ends. Whatever it had not reported is lost. */
  die(role: HostRole): void {
    const host = this.host(role);
    this.works.get(host)?.end();
    host.die();
  }

  /** The newest process of a role is stopped for so long, and reports it when it goes on. Its pictures are not touched. */
  stop(role: HostRole, seconds: number): void {
    const work = this.works.get(this.host(role));
    const fromNs = this.clock.monotonicNs();
    if (work) work.stopped = { kind: 'stopped', fromNs, toNs: fromNs + seconds * 1e9 };
  }

  /** Source, sender and receiver of each stream that is open in a living process. */
  private get living(): HostWork[] {
    return [...this.works].filter(([host]) => !host.gone).map(([, work]) => work);
  }

  private senderOf(fullName: string): SimulatedSender | null {
    const senders = this.living.flatMap((work) => [...work.senders.values()]);
    return senders.find((sender) => sender.fullName === fullName) ?? null;
  }
}

/** What one stream does from a moment on. */
export class StreamToCome {
  constructor(
    readonly sender: SimulatedSender,
    readonly receiver: SimulatedReceiver,
    /** The next slot of which nothing was said. */
    private slot: number,
  ) {}

  /** Lets frames arrive without a fault. */
  clean(frames: number): this {
    this.slot += frames;
    return this;
  }

  /** The verb of the fault injector, of which the engine is told nothing. Gives the slots. */
  fault(verb: Exclude<FaultVerb, 'delay' | 'stall'>, frames: number): number[] {
    const slots = this.take(frames);
    this.sender.inject({ verb, first: slots[0] ?? 0, last: slots.at(-1) ?? 0 });
    return slots;
  }

  /** Frames that are not sent. */
  miss(frames: number, cause: number = MissCause.SenderLate): number[] {
    return this.set(this.sender.fates, frames, { missed: cause });
  }

  /** A call of the SDK that takes so long. Gives the slots that it costs. */
  block(milliseconds: number): number[] {
    const [slot = 0] = this.take(1);
    const missed = this.sender.block(slot, milliseconds * 1e6);
    this.slot += missed.length + 1;
    return missed;
  }

  /** Frames that get lost on the way; with several receivers, to this one. */
  lose(frames: number): number[] {
    return this.set(this.receiver.fates, frames, { lost: 'on the way' });
  }

  /** Frames that the SDK threw away, since the receiver fell behind. */
  fallBehind(frames: number): number[] {
    return this.set(this.receiver.fates, frames, { lost: 'in the queue' });
  }

  /** Frames whose picture was not ready: they show the one before. */
  late(frames: number, cause: number = LateCause.Command): number[] {
    const slots = this.take(frames);
    for (const slot of slots) this.sender.source.late.set(slot, cause);
    return slots;
  }

  private set(fates: Map<number, Fate>, frames: number, fate: Fate): number[] {
    const slots = this.take(frames);
    for (const slot of slots) fates.set(slot, fate);
    return slots;
  }

  private take(frames: number): number[] {
    const slots = range(this.slot, this.slot + frames - 1);
    this.slot += frames;
    return slots;
  }
}

/** What lives in one process. */
class HostWork {
  readonly sources = new Map<number, SimulatedSource>();
  readonly senders = new Map<number, SimulatedSender>();
  readonly receivers = new Map<number, SimulatedReceiver>();
  stopped: Standstill | null = null;
  private readonly stop: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly host: FakeHost,
    private readonly senderOf: (fullName: string) => SimulatedSender | null,
    private readonly unheard: ReadonlySet<string>,
  ) {
    this.stop = onBeat(clock, () => this.report());
  }

  /** It ends with all that lives in it. */
  end(): void {
    this.stop();
    for (const sender of this.senders.values()) sender.endedNs = this.clock.monotonicNs();
  }

  /** Undefined: it has nothing to do with streams. */
  carryOut(command: HostCommand): HostReplyValue | undefined {
    const nowNs = this.clock.monotonicNs();
    switch (command.name) {
      case 'openSource': {
        const { sourceId, codeSourceId, options } = command;
        const rate = { numerator: options.rateNumerator, denominator: options.rateDenominator };
        this.sources.set(sourceId, new SimulatedSource(sourceId, codeSourceId, nowNs, rate));
        return null;
      }
      case 'closeSource':
        this.sources.delete(command.sourceId);
        return null;
      case 'openSender': {
        const { streamId, sourceId, senderName, audio } = command;
        const source = this.sources.get(sourceId);
        if (!source) throw new Error(`openSender names source ${sourceId}, which is not open`);
        const fullName = `HERE (${senderName})`;
        if (this.senderOf(fullName))
          throw new WhitelineError({ code: 'NAME_IN_USE', message: `${fullName} is in use` });
        this.senders.set(streamId, new SimulatedSender(streamId, fullName, source, nowNs, audio));
        return fullName;
      }
      case 'closeSender': {
        const sender = this.senders.get(command.streamId);
        if (sender) sender.endedNs = nowNs;
        this.senders.delete(command.streamId);
        return null;
      }
      case 'openReceiver': {
        const [start] = this.host.named('start');
        const { streamId, sourceName } = command;
        const receiver = new SimulatedReceiver(streamId, sourceName, nowNs, start?.wallOffsetUs ?? 0);
        this.receivers.set(streamId, receiver);
        return null;
      }
      case 'closeReceiver':
        this.receivers.delete(command.streamId);
        return null;
      case 'setFaults':
        for (const fault of command.faults) this.inject(command.streamId, fault);
        return null;
      case 'flush':
        return null;
      default:
        return undefined;
    }
  }

  report(): void {
    const nowNs = this.clock.monotonicNs();
    if (this.host.gone) this.stop();
    if (this.host.gone || (this.stopped && nowNs < this.stopped.toNs)) return;
    const standstills = this.stopped ? [this.stopped] : [];
    this.stopped = null;
    this.host.report({ ...this.drain(nowNs), standstills });
  }

  private drain(nowNs: number): Partial<RecordsMessage> {
    const receivers = [...this.receivers.values()].map((receiver) => {
      const { sourceName } = receiver;
      return receiver.drain(nowNs, this.unheard.has(sourceName) ? null : this.senderOf(sourceName));
    });
    return {
      atNs: nowNs,
      sources: [...this.sources.values()].map((source) => source.drain(nowNs)),
      senders: [...this.senders.values()].map((sender) => sender.drain(nowNs)),
      receivers,
    };
  }

  private inject(streamId: number, fault: Fault): void {
    if (fault.verb === 'stall') this.receivers.get(streamId)?.stall(fault);
    else this.senders.get(streamId)?.inject(fault);
  }
}
