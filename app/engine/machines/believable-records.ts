import type { Clock } from '../../protocol/clock';
import { badInput, type WhitelineError } from '../../protocol/errors';
import { maxRate } from '../../protocol/format';
import type { HostCommand, RecordsMessage } from '../../protocol/host';
import type { MachineTime } from './machine-release-clock';

/**
 * Where a machine slept, or the bus stood still, two clocks may seem apart by as much as a lease lasts and its processes take to end
 * (8 s), until new answers show it; and the threads of a host write while it drains. So long, and no longer, can a false time hold up a
 * warm-up.
 */
const slackSeconds = 10;
const slackNs = slackSeconds * 1e9;
/** A message that was on its way for longer is of a lease that is over. */
const mostLateNs = 30e9;
/** Clocks of honest machines differ by half of it at most. */
const mostDrift = 1e-3;
/** A loss in a second is reported when that second is over, and a late host drains late. */
const toldLateNs = 5e9;
/** Of one end and kind: each slot, picture and block has one, and nothing comes at twice the highest rate. */
const mostPerSecond = 2 * maxRate;
/** Four come in a second, and one with each reply. */
const mostMessagesPerSecond = 100;
/** While a process is late, it checks this often whether it stood still. */
const mostStandstillsPerSecond = 100;

interface Opened {
  /** When it was asked for, s since the start of our machine. */
  atSeconds: number;
  /** Records so far, by kind. */
  readonly counts: Map<string, number>;
}

interface OpenedSource extends Opened {
  framesPerSecond: number;
  /** When it was first reported, by its machine's clock; 0: not yet. */
  startNs: number;
}

interface OpenedSender extends Opened {
  source: OpenedSource | undefined;
}

interface OpenedReceiver extends Opened {
  /** Of its newest picture. */
  captureNs: number;
}

/**
 * Whether what a host on another machine reports can be true. Its machine may be hostile: what it says is bounded by what was asked of it
 * and by the time that has passed here since, so that no claim of it takes memory or time which true records would not take.
 */
export class BelievableRecords {
  private readonly sources = new Map<number, OpenedSource>();
  private readonly senders = new Map<number, OpenedSender>();
  private readonly receivers = new Map<number, OpenedReceiver>();
  private readonly process: Opened;
  /** When its first message was made, and its newest, by its machine's clock. */
  private firstNs: number | null = null;
  private newestNs = 0;
  /** Of this machine, at the message that is checked. */
  private nowNs = 0;
  private nowSeconds = 0;

  /** Of a process that is started now. */
  constructor(
    private readonly machine: MachineTime & { readonly name: string },
    private readonly clock: Pick<Clock, 'monotonicNs' | 'uptimeSeconds'>,
  ) {
    this.process = this.opened();
  }

  /** It is asked for something: what it opens may report from now on. */
  note(command: HostCommand): void {
    if (command.name === 'openSource') {
      const { rateNumerator, rateDenominator } = command.options;
      const framesPerSecond = rateNumerator / rateDenominator;
      this.sources.set(command.sourceId, { ...this.opened(), framesPerSecond, startNs: 0 });
    } else if (command.name === 'openSender') {
      const source = this.sources.get(command.sourceId);
      this.senders.set(command.streamId, { ...this.opened(), source });
    } else if (command.name === 'openReceiver') {
      // One that is opened again under its number goes on in time.
      const captureNs = this.receivers.get(command.streamId)?.captureNs ?? 0;
      this.receivers.set(command.streamId, { ...this.opened(), captureNs });
    }
  }

  /**
   * @param message as it came, by its machine's clock, which is known
   * @throws WhitelineError BAD_INPUT naming the field and the value that cannot be true
   */
  check(message: RecordsMessage): void {
    const { sources, senders, receivers, standstills } = message;
    // Before it has its addon a host knows no time, and has nothing to report.
    const isEmpty = sources.length + senders.length + receivers.length + standstills.length === 0;
    if (message.atNs === 0 && isEmpty) return;
    this.nowNs = this.clock.monotonicNs();
    this.nowSeconds = this.clock.uptimeSeconds();
    this.checkTime(message.atNs);
    this.checkCount(this.process, 'messages', 1, mostMessagesPerSecond);
    this.checkStandstills(message);
    for (const report of sources) this.checkSource(report, message.atNs);
    for (const report of senders) this.checkSender(report, message.atNs);
    for (const report of receivers) this.checkReceiver(report, message.atNs);
    this.newestNs = message.atNs;
  }

  private opened(): Opened {
    return { atSeconds: this.clock.uptimeSeconds(), counts: new Map() };
  }

  private checkTime(atNs: number): void {
    this.firstNs ??= atNs;
    if (!(atNs >= this.newestNs)) throw badInput('atNs', 'a time that goes on', atNs);
    this.checkAge(this.process, 'atNs', this.firstNs, atNs);
    const lateNs = this.nowNs - this.machine.clock.toOursNs(atNs);
    if (lateNs < -slackNs) throw future('atNs', -lateNs);
    if (lateNs > mostLateNs) throw badInput('atNs', 'a time of just now', `one ${secondsText(lateNs)} ago`);
  }

  private checkStandstills({ atNs, standstills }: RecordsMessage): void {
    this.checkCount(this.process, 'standstills', standstills.length, mostStandstillsPerSecond);
    for (const { fromNs, toNs } of standstills) {
      this.checkMoment(this.process, 'standstills.fromNs', fromNs, atNs);
      this.checkMoment(this.process, 'standstills.toNs', toNs, atNs);
      if (toNs < fromNs) throw badInput('standstills.toNs', 'an end behind the begin', toNs);
      // An older one would hide those of others that came before it.
      if (toNs < this.newestNs - toldLateNs)
        throw badInput('standstills.toNs', 'a standstill since the message before', toNs);
    }
  }

  private checkSource(
    { sourceId, status: { startNs }, records }: RecordsMessage['sources'][number],
    atNs: number,
  ): void {
    const source = this.requireOpen(this.sources, 'sources.sourceId', sourceId);
    if (startNs !== 0) {
      this.checkMoment(source, 'sources.status.startNs', startNs, atNs);
      if (source.startNs !== 0 && source.startNs !== startNs)
        throw badInput('sources.status.startNs', 'a start that stays', startNs);
      source.startNs = startNs;
    }
    this.checkCount(source, 'sources.records', records.frameNumber.length);
    this.checkSlots(source, 'sources.records.frameNumber', records.frameNumber);
    this.checkMoments('sources.records.slotNs', records.slotNs, atNs);
    this.checkMoments('sources.records.releaseNs', records.releaseNs, atNs);
  }

  private checkSender(
    { streamId, firstSlot, submits, misses }: RecordsMessage['senders'][number],
    atNs: number,
  ): void {
    const sender = this.requireOpen(this.senders, 'senders.streamId', streamId);
    const { source } = sender;
    this.checkCount(sender, 'senders.submits', submits.frameNumber.length);
    this.checkCount(sender, 'senders.misses', misses.frameNumber.length);
    this.checkSlots(source, 'senders.firstSlot', [firstSlot]);
    this.checkSlots(source, 'senders.submits.frameNumber', submits.frameNumber);
    this.checkSlots(source, 'senders.misses.frameNumber', misses.frameNumber);
    this.checkMoments('senders.submits.beginNs', submits.beginNs, atNs);
    this.checkMoments('senders.misses.atNs', misses.atNs, atNs);
    for (const callNs of submits.previousCallNs)
      this.checkAge(sender, 'senders.submits.previousCallNs', atNs - callNs, atNs);
  }

  /**
   * Which numbers pictures carry, and where in a block of sound a burst lies, their sender decides: the ledgers pass over what it cannot
   * have sent.
   */
  private checkReceiver(
    { streamId, openedNs, captures, audio, time, status, metadata }: RecordsMessage['receivers'][number],
    atNs: number,
  ): void {
    const receiver = this.requireOpen(this.receivers, 'receivers.streamId', streamId);
    this.checkCount(receiver, 'receivers.captures', captures.captureNs.length);
    this.checkCount(receiver, 'receivers.audio', audio.captureNs.length);
    this.checkCount(receiver, 'receivers.time', time.askedUs.length);
    this.checkCount(receiver, 'receivers.metadata', metadata.length);
    this.checkMoments('receivers.openedNs', [openedNs], atNs);
    this.checkMoments('receivers.status.lastCaptureNs', [status?.lastCaptureNs ?? 0], atNs);
    this.checkMoments('receivers.audio.captureNs', audio.captureNs, atNs);
    for (const captureNs of captures.captureNs) {
      this.checkMoment(this.process, 'receivers.captures.captureNs', captureNs, atNs);
      // One thread takes them, one after the other.
      if (captureNs < receiver.captureNs)
        throw badInput('receivers.captures.captureNs', 'times that go on', captureNs);
      receiver.captureNs = captureNs;
    }
  }

  private requireOpen<One>(all: ReadonlyMap<number, One>, field: string, id: number): One {
    const one = all.get(id);
    if (one) return one;
    throw badInput(field, 'what was opened there', id);
  }

  private checkCount(of: Opened, field: string, count: number, perSecond = mostPerSecond): void {
    const all = (of.counts.get(field) ?? 0) + count;
    of.counts.set(field, all);
    const most = perSecond * this.mostSeconds(of);
    if (all > most) throw badInput(field, `up to ${Math.floor(most)} records so far`, all);
  }

  /** Slots are counted from the start of their source, which was after it was asked for. */
  private checkSlots(source: OpenedSource | undefined, field: string, slots: ArrayLike<number>): void {
    if (slots.length === 0) return;
    const most = source ? source.framesPerSecond * this.mostSeconds(source) : 0;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      if (slot > most) throw badInput(field, `a slot up to ${Math.floor(most)}`, slot);
    }
  }

  /** That can have passed there since. Our machine's own sleep counts: theirs need not have slept. */
  private mostSeconds({ atSeconds }: Opened): number {
    return (this.nowSeconds - atSeconds) * (1 + mostDrift) + slackSeconds;
  }

  /** 0 stands for none. */
  private checkMoments(field: string, moments: ArrayLike<number>, atNs: number): void {
    for (let index = 0; index < moments.length; index++) {
      const momentNs = moments[index] as number;
      if (momentNs !== 0) this.checkMoment(this.process, field, momentNs, atNs);
    }
  }

  /** Something happened between the time at which this was opened and now. */
  private checkMoment(opened: Opened, field: string, momentNs: number, atNs: number): void {
    const aheadNs = this.machine.clock.toOursNs(momentNs) - this.nowNs;
    if (!(aheadNs <= slackNs)) throw future(field, aheadNs);
    this.checkAge(opened, field, momentNs, atNs);
  }

  /** By their clock, of a moment in a message. */
  private checkAge(opened: Opened, field: string, momentNs: number, atNs: number): void {
    const ageNs = atNs - momentNs;
    const mostNs = this.mostSeconds(opened) * 1e9;
    if (ageNs > mostNs)
      throw badInput(field, `a time within ${secondsText(mostNs)}`, `one of ${secondsText(ageNs)}`);
  }
}

function future(field: string, aheadNs: number): WhitelineError {
  return badInput(field, 'a time that has come', `one ${secondsText(aheadNs)} ahead`);
}

function secondsText(ns: number): string {
  return `${(ns / 1e9).toFixed(1)} s`;
}
