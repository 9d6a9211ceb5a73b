import { maxRate, type Rate } from '../../protocol/format';
import type { ReceiverReport } from '../../protocol/host';
import { audioRecords } from '../../protocol/record-block';
import {
  type CaptureRecords,
  type Fault,
  PictureClass,
  PictureStatus,
  type ReceiverStatus,
} from '../../protocol/records';
import { parseSharedEnd } from '../../protocol/shared-end';
import { maxSharedFrames, parseSharedRecords, type SharedRecords } from '../../protocol/shared-records';
import type { StandstillSums } from '../../protocol/standstill';
import { part } from './capture-part';
import { ClockOffset } from './clocks/clock-offset';
import { SharedClock } from './clocks/release-clock';
import { ScheduleEstimate } from './clocks/schedule-estimate';
import { ConnectedName } from './connected-name';
import { ArrivalLedger, ledgerOf } from './counting/arrival-ledger';
import { type Schedule, slotNs, slotPeriodNs, unwrapFrameNumber } from './counting/schedule';
import { SourceLedger } from './counting/source-ledger';
import type { LedgerIdentity, StreamLedger } from './counting/stream-ledger';
import { ForeignLedger } from './foreign/foreign-ledger';
import { NumberJump } from './number-jump';
import { lastFrameEndNs } from './outages';
import { addReportedRecords, inferSubmitted } from './reported-records';
import { ReportedStandstills } from './reported-standstills';
import { ActiveSource, type Stream } from './stream';

/** A sender that sends its records along does so four times a second; after this long without it has none to send. */
const waitForRecordsNs = 1e9;
/** Pictures of another source alone for this long: it has taken the place of the one before. */
const takeoverNs = 0.5e9;
/** Pictures without a code for this long: the sender writes none. */
const foreignNs = 1e9;
/** Messages and captured numbers that are kept until their counterpart comes. */
const keptMessages = 64;
const keptNumbers = 20_000;

export interface WatchOptions {
  wallOffsetUs: number;
  /** Names this start of this machine; a sender that says the same shares our monotonic clock. */
  boot: string;
  /** Faults that this process itself puts into a sender, by absolute frame numbers. Default: none. */
  injectedInto?(sender: Pick<LedgerIdentity, 'sourceId' | 'senderId'>): readonly Fault[];
}

/** What a report showed about the sender. */
export type SenderChange =
  | { kind: 'connected'; withRecords: boolean }
  /** Another source took the place of the one that was followed, or that one started again: its stream ends. */
  | { kind: 'restarted' }
  /** Pictures of another source came in between, or beside: the stream ends too, since both cannot be counted. */
  | { kind: 'interrupted'; pictures: number };

/**
 * Finds out who sends under the name of one stream, and brings what comes to its ledger: pictures, sound, the sender's own
 * records and the answers to our questions for its time.
 */
export class WatchedSender {
  private readonly reported: SharedRecords[];
  private readonly clock: ClockOffset;
  /** Sources that were followed before under this name; one that comes back is a second sender. */
  private readonly retired: Set<number>;
  /** Since this picture another source sends; its pictures are held back until it is known what it is. */
  private stranger: { sourceId: number; sinceNs: number; pictures: number } | null = null;
  private held: CaptureRecords[] = [];
  private readonly jump = new NumberJump();
  /** Its source started again under the same id. */
  private startedAgain = false;
  /** Of our source, captured and not reported yet. */
  private readonly unreported = new Set<number>();
  private highestSlot: number | null = null;
  /** Of a sender that ended as asked: the first slot that is not due. */
  private endSlot = 0;
  /** Null if the sender reports its schedule on our own clock. */
  private estimate: ScheduleEstimate | null = null;
  /** Newest picture of the one who is followed, 0 before. */
  lastPictureNs = 0;
  private uncodedFromNs = 0;
  /** Pictures arrived after the sender was gone, none of them with a code yet. */
  private isBack = false;
  private readonly standstills = new ReportedStandstills();
  private readonly connectedName: ConnectedName;

  /** `before`: who was followed under this name until now, and what it left of the one who sends now. */
  constructor(
    readonly stream: Stream,
    private readonly options: WatchOptions,
    before?: WatchedSender,
  ) {
    this.clock = new ClockOffset(options.wallOffsetUs);
    this.retired = before?.retired ?? new Set();
    this.reported = before?.reported ?? [];
    this.connectedName = before?.connectedName ?? new ConnectedName();
    for (const captures of before?.held ?? []) stream.addCaptures(captures);
  }

  add(given: ReceiverReport, nowNs: number): SenderChange | null {
    const { stream, connectedName } = this;
    const wasOther = connectedName.isOther;
    connectedName.hear(given);
    const isOurs = !wasOther && !connectedName.isOther;
    const report = isOurs ? given : this.withoutOthers(given, wasOther, nowNs);
    const wasGone = stream.state(nowNs, { warmUpSeconds: 0, connectTimeoutSeconds: 0 }) === 'sender-gone';
    stream.noteReceiver(report, nowNs);
    this.clock.add(report.time);
    this.listen(report.metadata, nowNs);
    const change = stream.ledger
      ? this.isReplaced(report.captures, wasGone)
        ? ({ kind: 'restarted' } as const)
        : this.sort(report.captures, nowNs)
      : stream.foreign
        ? this.addForeign(report, wasGone)
        : this.addUnknown(report, nowNs);
    stream.audio?.addSound(report.audio);
    this.addReported(nowNs);
    stream.noteWrongSource(nowNs);
    return change;
  }

  /**
   * The sender is gone, or others send in its place: what it can no longer report is filled in from what was seen.
   * @param forGood if it comes back, it counts as another sender
   */
  end(forGood: boolean): void {
    const { stream } = this;
    const { ledger } = stream;
    if (!ledger) {
      stream.endedNs = this.lastPictureNs;
      return;
    }
    if (forGood && !this.startedAgain) this.retired.add(ledger.identity.sourceId);
    if (ledger instanceof ArrivalLedger) {
      this.jump.release((captures) => this.take(captures, ledger));
      stream.endedNs = lastFrameEndNs(stream);
    } else if (this.highestSlot !== null && !stream.hasEnded)
      stream.endedNs = slotNs(ledger.source.schedule, this.highestSlot + 1);
    this.inferUnreported(ledger);
  }

  /** The sender is given up: from now on whoever sends may be followed. */
  giveUp(): void {
    this.end(false);
    this.retired.clear();
  }

  /** What was captured was submitted, also where its record does not come any more. */
  private inferUnreported(ledger: StreamLedger): void {
    if (ledger.identity.assumeSubmitted) return;
    inferSubmitted(ledger, this.unreported);
    this.unreported.clear();
  }

  /**
   * What another sender at this port sends does not belong to this stream, which is interrupted meanwhile.
   * @param since whether it was so before
   */
  private withoutOthers(report: ReceiverReport, since: boolean, nowNs: number): ReceiverReport {
    const { captures } = report;
    const { ledger } = this.stream;
    const all = captures.captureNs.length;
    const other = captures.status.findIndex(
      (code, index) =>
        code !== PictureStatus.Undecodable && !(ledger && this.isOurs(captures, index, ledger)),
    );
    const ours = since || this.stranger ? 0 : other < 0 ? all : other;
    if (ours < all) this.stream.watchdog.noteWrongPicture(nowNs);
    this.held = [];
    this.stranger = null;
    this.stream.changing = false;
    return { ...report, captures: part(captures, 0, ours), audio: audioRecords.empty() };
  }

  private listen(metadata: string[], nowNs: number): void {
    let sums: StandstillSums | null = null;
    for (const xml of metadata) {
      this.hearEnd(xml);
      const records = parseSharedRecords(xml);
      if (!records) continue;
      this.reported.push(records);
      const { ledger } = this.stream;
      if (ledger && records.sourceId !== ledger.identity.sourceId) continue;
      if (records.load) this.stream.reportedLoads.hear(records.load, nowNs, this.isHere(records));
      sums = records.standstills;
    }
    this.reported.splice(0, this.reported.length - keptMessages);
    // Messages that were held up come at once: the last one says it all.
    const ended = sums ? this.standstills.hear(sums, nowNs) : [];
    this.stream.senderStandstills.add({ sender: this.stream.name }, ended);
  }

  /** Only one whose records come along can say what was due until then. */
  private hearEnd(xml: string): void {
    const { ledger, hasEnded } = this.stream;
    const end = parseSharedEnd(xml);
    if (!end || !ledger || hasEnded || ledger.identity.assumeSubmitted) return;
    const newest = this.highestSlot ?? ledger.identity.firstSlot;
    const slot = unwrapFrameNumber(end.before, newest);
    if (end.sourceId !== ledger.identity.sourceId || Math.abs(slot - newest) > maxSharedFrames) return;
    this.stream.hasEnded = true;
    // What came already is counted, also where the message was slow.
    this.endSlot = Math.max(slot, newest + 1);
    this.stream.endedNs = slotNs(ledger.source.schedule, this.endSlot);
  }

  /** Whether the sender runs on this machine, and so shares its monotonic clock. */
  private isHere({ boot }: SharedRecords): boolean {
    return boot !== '' && boot === this.options.boot;
  }

  /** Pictures before it is known what they are. */
  private addUnknown(report: ReceiverReport, nowNs: number): SenderChange | null {
    const { stream } = this;
    stream.addCaptures(report.captures);
    const { status } = report;
    if (!status || status.width === 0) return null;
    const rate = rateOf(status);
    const source = new ActiveSource(stream.id, stream.ndiName, {
      width: status.width,
      height: status.height,
      rate,
    });
    const first = firstCoded(stream.early, this.retired);
    if (first) return this.begin(source, first, nowNs);
    if (!this.isUncoded(report.captures)) return null;
    const foreign = new ForeignLedger({ rate, frameFormat: status.frameFormat }, stream.connectionHistory);
    const early = [...stream.early];
    stream.followForeign(source, foreign);
    for (const captures of early) foreign.add(captures, { rate, frameFormat: status.frameFormat });
    this.lastPictureNs = status.lastCaptureNs;
    return { kind: 'connected', withRecords: false };
  }

  /** Whether pictures that are neither black nor the SDK's own have come without a code for a while. */
  private isUncoded({ captureNs, status, pictureClass }: CaptureRecords): boolean {
    for (let index = 0; index < captureNs.length; index++) {
      const atNs = captureNs[index] ?? 0;
      const shown = pictureClass[index];
      if (status[index] !== PictureStatus.Undecodable) this.uncodedFromNs = 0;
      else if (shown === PictureClass.Black || shown === PictureClass.Placeholder) continue;
      else if (this.uncodedFromNs === 0) this.uncodedFromNs = atNs;
      else if (atNs - this.uncodedFromNs >= foreignNs) return true;
    }
    return false;
  }

  /** Starts to count when it is known what the pictures are, and whether the sender's records come along. */
  private begin(source: ActiveSource, first: FirstPicture, nowNs: number): SenderChange | null {
    const records = this.reported.filter((candidate) => candidate.sourceId === first.sourceId);
    const [oldest] = records;
    if (!oldest && nowNs - first.captureNs < waitForRecordsNs) return null;
    const { rate } = source.format;
    const sameClock = oldest !== undefined && this.isHere(oldest);
    const schedule: Schedule = {
      startNs: sameClock ? oldest.startNs : first.captureNs - first.frameNumber * slotPeriodNs(rate),
      rate,
    };
    const firstSlot = oldest ? firstReported(oldest, first.frameNumber) : first.frameNumber;
    source.ledger = new SourceLedger(schedule, firstSlot);
    const ledger = ledgerOf(source.ledger, {
      sourceId: first.sourceId,
      senderId: oldest?.senderId ?? first.senderId,
      firstSlot,
      assumeSubmitted: oldest === undefined,
      clock: sameClock ? new SharedClock(oldest.wallOffsetUs) : this.clock,
    });
    if (oldest && !sameClock) this.estimate = new ScheduleEstimate(schedule);
    for (const captures of this.stream.early) this.noteNumbers(captures, ledger);
    this.stream.follow(source, ledger);
    return { kind: 'connected', withRecords: oldest !== undefined };
  }

  /** Pictures of a sender without our code, until one with it takes its place. */
  private addForeign({ status, captures }: ReceiverReport, wasGone: boolean): SenderChange | null {
    const { foreign } = this.stream;
    if (!foreign || !status || captures.captureNs.length === 0) return null;
    const coded = captures.status.findIndex((code) => code !== PictureStatus.Undecodable);
    if (coded >= 0) this.meet(captures, coded);
    if (this.stranger || wasGone) {
      this.held.push(captures);
      return wasGone || this.hasTakenOver(captures) ? { kind: 'restarted' } : null;
    }
    const rate = rateOf(status);
    foreign.add(captures, { rate, frameFormat: status.frameFormat });
    this.lastPictureNs = status.lastCaptureNs;
    return null;
  }

  /** Whether a sender without our code has come since ours was gone. */
  private isReplaced(captures: CaptureRecords, wasGone: boolean): boolean {
    if (wasGone && captures.captureNs.length > 0) {
      this.isBack = true;
      this.uncodedFromNs = 0;
    }
    if (captures.status.some((status) => status !== PictureStatus.Undecodable)) this.isBack = false;
    return this.isBack && this.isUncoded(captures);
  }

  /** Our pictures go to the ledger; those of another source are held back until it is known what they are. */
  private sort(captures: CaptureRecords, nowNs: number): SenderChange | null {
    const { ledger } = this.stream;
    if (!ledger) return null;
    const count = captures.captureNs.length;
    let from = 0;
    for (let index = 0; index < count; index++) {
      if (captures.status[index] === PictureStatus.Undecodable) continue;
      const ours = this.isOurs(captures, index, ledger);
      if (ours && this.stranger) {
        this.hold(part(captures, from, index));
        if (!ledger.identity.assumeSubmitted) return this.interrupted(part(captures, index, count), nowNs);
        // Without the sender's records, what was not shown meanwhile is no loss.
        this.release(nowNs);
        this.stranger = null;
        from = index;
      }
      if (ours || this.stranger) continue;
      if (this.addOurs(part(captures, from, index), ledger))
        return this.startAgain(part(captures, index, count));
      this.jump.release((held) => this.take(held, ledger));
      from = index;
      this.meet(captures, index);
    }
    const rest = part(captures, from, count);
    if (!this.stranger)
      return this.addOurs(rest, ledger) ? this.startAgain(part(captures, count, count)) : null;
    this.hold(rest);
    if (this.retired.has(this.stranger.sourceId) || this.isOtherSender(ledger)) {
      // One that was here before, or that is known to send under another name: it is never followed.
      this.release(nowNs);
      return null;
    }
    return this.hasTakenOver(rest) ? { kind: 'restarted' } : null;
  }

  private meet(captures: CaptureRecords, index: number): void {
    const sinceNs = captures.captureNs[index] ?? 0;
    this.stranger ??= { sourceId: captures.sourceId[index] ?? 0, sinceNs, pictures: 0 };
    this.stream.changing = true;
  }

  private isOurs(captures: CaptureRecords, index: number, { identity }: StreamLedger): boolean {
    const senderId = captures.senderId[index] ?? 0;
    const sameSender = identity.senderId === 0 || senderId === 0 || senderId === identity.senderId;
    return captures.sourceId[index] === identity.sourceId && sameSender;
  }

  /** The sender's number under a name stays what it is when it is started again. */
  private isOtherSender({ identity }: StreamLedger): boolean {
    return this.held.some((captures) =>
      captures.senderId.some((senderId, index) => {
        const isCoded = captures.status[index] !== PictureStatus.Undecodable;
        return isCoded && identity.senderId !== 0 && senderId !== 0 && senderId !== identity.senderId;
      }),
    );
  }

  /** True if its source has started again, and some of these pictures belong to what follows. */
  private addOurs(captures: CaptureRecords, ledger: StreamLedger): boolean {
    if (!(ledger instanceof ArrivalLedger)) {
      this.take(captures, ledger);
      return false;
    }
    const held = this.jump.sort(captures, ledger, (ready) => this.take(ready, ledger));
    if (held) this.held = held;
    return held !== null;
  }

  private startAgain(rest: CaptureRecords): SenderChange {
    this.held.push(rest);
    this.startedAgain = true;
    return { kind: 'restarted' };
  }

  private take(captures: CaptureRecords, ledger: StreamLedger): void {
    for (const due of this.stream.hasEnded ? this.dueOf(captures) : [captures]) {
      this.noteNumbers(due, ledger);
      this.stream.addCaptures(due);
    }
  }

  /** Of a sender that ended as asked: without what it goes on to send for a moment. */
  private dueOf(captures: CaptureRecords): CaptureRecords[] {
    const due: CaptureRecords[] = [];
    let isDue = true;
    for (const [index, frameNumber] of captures.frameNumber.entries()) {
      // One that cannot be read is where those beside it are.
      if (captures.status[index] !== PictureStatus.Undecodable)
        isDue = unwrapFrameNumber(frameNumber, this.endSlot) < this.endSlot;
      if (isDue) due.push(part(captures, index, index + 1));
    }
    return due;
  }

  private noteNumbers(captures: CaptureRecords, ledger: StreamLedger): void {
    for (const [index, captureNs] of captures.captureNs.entries()) {
      this.lastPictureNs = captureNs;
      if (captures.status[index] === PictureStatus.Undecodable || !this.isOurs(captures, index, ledger))
        continue;
      const frameNumber = captures.frameNumber[index] ?? 0;
      if (!ledger.isWithinReach(frameNumber, captureNs)) continue;
      const slot = unwrapFrameNumber(frameNumber, this.highestSlot ?? ledger.identity.firstSlot);
      this.estimate?.add(slot, captureNs);
      if (slot >= ledger.identity.firstSlot) this.highestSlot = Math.max(this.highestSlot ?? slot, slot);
      // A record may be quicker than its picture.
      const isUnreported = !ledger.identity.assumeSubmitted && !ledger.knows(frameNumber);
      if (isUnreported && this.unreported.size < keptNumbers) this.unreported.add(frameNumber);
    }
  }

  private hold(captures: CaptureRecords): void {
    if (captures.captureNs.length > 0) this.held.push(captures);
    if (this.stranger) this.stranger.pictures += captures.captureNs.length;
  }

  private hasTakenOver({ captureNs }: CaptureRecords): boolean {
    return (
      this.stranger !== null && (captureNs[captureNs.length - 1] ?? 0) - this.stranger.sinceNs >= takeoverNs
    );
  }

  /** Our source is back: both send. What comes now is for the stream that follows this one. */
  private interrupted(rest: CaptureRecords, nowNs: number): SenderChange {
    this.release(nowNs);
    this.held = [rest];
    return { kind: 'interrupted', pictures: this.stranger?.pictures ?? 0 };
  }

  /** Counts what was held back as pictures of another source. */
  private release(nowNs: number): void {
    this.stream.changing = false;
    for (const captures of this.held.splice(0)) this.stream.addCaptures(captures);
    this.stream.noteWrongSource(nowNs);
  }

  private addReported(nowNs: number): void {
    const { ledger } = this.stream;
    if (!ledger) return;
    for (const records of this.reported.splice(0)) {
      if (records.sourceId !== ledger.identity.sourceId) {
        // Perhaps of the one who takes over.
        if (this.stranger) this.reported.push(records);
        continue;
      }
      if (ledger.identity.assumeSubmitted) continue;
      for (const frameNumber of addReportedRecords(ledger, records, nowNs))
        this.unreported.delete(frameNumber);
    }
    if (nowNs - this.lastPictureNs > waitForRecordsNs) this.inferUnreported(ledger);
  }
}

/** A sender that declares none: it is measured where this is not it. */
const undeclaredRate: Rate = { numerator: 30, denominator: 1 };

export function rateOf({ rateNumerator, rateDenominator }: ReceiverStatus): Rate {
  if (rateNumerator <= 0 || rateDenominator <= 0) return undeclaredRate;
  // By a rate out of all reason a row would have more slots than anybody can count.
  if (rateNumerator / rateDenominator > maxRate) return undeclaredRate;
  return { numerator: rateNumerator, denominator: rateDenominator };
}

interface FirstPicture {
  sourceId: number;
  senderId: number;
  frameNumber: number;
  captureNs: number;
}

function firstCoded(early: CaptureRecords[], retired: ReadonlySet<number>): FirstPicture | null {
  for (const captures of early) {
    for (let index = 0; index < captures.captureNs.length; index++) {
      const sourceId = captures.sourceId[index] ?? 0;
      if (captures.status[index] === PictureStatus.Undecodable || retired.has(sourceId)) continue;
      return {
        sourceId,
        senderId: captures.senderId[index] ?? 0,
        frameNumber: captures.frameNumber[index] ?? 0,
        captureNs: captures.captureNs[index] ?? 0,
      };
    }
  }
  return null;
}

/** The lowest of the newest slots that a sender reports; a picture that was captured early may be of an earlier slot. */
function firstReported({ submitted, missed }: SharedRecords, seen: number): number {
  let first = seen;
  let found = false;
  for (const numbers of [submitted, missed.frameNumber]) {
    for (const frameNumber of numbers) {
      const slot = unwrapFrameNumber(frameNumber, seen);
      if (Math.abs(slot - seen) > maxSharedFrames) continue;
      first = found ? Math.min(first, slot) : slot;
      found = true;
    }
  }
  return Math.max(0, first);
}
