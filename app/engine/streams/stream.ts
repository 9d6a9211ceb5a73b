import type { StreamState } from '../../protocol/console';
import { framesPerSecond, type VideoFormat } from '../../protocol/format';
import type { ReceiverReport, SenderReport, SourceReport } from '../../protocol/host';
import {
  type CaptureRecords,
  type Fault,
  LateCause,
  PictureStatus,
  type PixelFormat,
  type Reads,
  type SourceStatus,
} from '../../protocol/records';
import { stallSeconds } from '../../protocol/thresholds';
import { StandstillLog } from '../load/standstills';
import { ReleasesThere, type ReleaseWitness } from '../machines/release-witness';
import { Arrivals } from './arrivals';
import { AudioOffset } from './clocks/audio-offset';
import { type ReleaseClock, SharedClock } from './clocks/release-clock';
import { ConnectionHistory } from './connection-history';
import type { Span } from './counting/capture-counter';
import { DisplayLedger } from './counting/display-ledger';
import type { Schedule } from './counting/schedule';
import { SourceLedger } from './counting/source-ledger';
import { StreamLedger } from './counting/stream-ledger';
import type { ForeignLedger } from './foreign/foreign-ledger';
import type { OpenRange } from './open-range';
import { Break, lastFrameEndNs, lastPictureNs } from './outages';
import type { Programme } from './programme/programme';
import { ReportedLoads } from './rows/reported-load';
import type { LinkBack, MachineAway, ReceiverTrouble } from './stream-states';
import { type StateLimits, StreamWatchdog } from './stream-watchdog';
import { UncountedPictures } from './uncounted-pictures';

/** How long pictures are kept whose sender is not known yet; it is found out within seconds. */
const earlyNs = 10e9;
/** Messages of them, should their times not go on. */
const mostEarly = 4000;

/** How long it takes to find out by what the frames of a sender are counted: by their code, or by their times. */
const foundOutNs = 2.5e9;

/** How fast a movie was read when its pictures were last late from the disk, and how fast it has to be; null: unknown. */
export interface DiskSpeed {
  rateMBps: number | null;
  neededMBps: number | null;
  reads: Reads | null;
}

/** What a stream asks of the process that receives it. */
export interface ReceivingProcess {
  /** It runs here, and says nothing. */
  readonly isSilent: boolean;
  /** The moment at which it still says nothing. */
  silentToNs(): number;
}

/** A source that plays in the sending host. */
export class ActiveSource {
  ledger: SourceLedger | null = null;
  status: SourceStatus | null = null;
  /** Of a source on another machine. */
  readonly releases = new ReleasesThere();
  private lateDiskRateMBps: number | null = null;

  constructor(
    readonly id: number,
    readonly text: string,
    readonly format: VideoFormat,
    readonly neededDiskRateMBps: number | null = null,
    /** Null for what is not read from a disk by ourselves. */
    readonly reads: Reads | null = null,
    /** In which senders get its pictures. */
    readonly pixelFormat: PixelFormat = 'uyvy',
    /** What is particular about how a movie is played. */
    readonly remarks: readonly string[] = [],
  ) {}

  get lateDisk(): DiskSpeed {
    return { rateMBps: this.lateDiskRateMBps, neededMBps: this.neededDiskRateMBps, reads: this.reads };
  }

  add(report: SourceReport): void {
    this.status = report.status;
    if (report.records.lateCause.includes(LateCause.Disk)) this.lateDiskRateMBps = report.status.diskRateMBps;
    if (!this.ledger && report.status.startNs > 0) {
      const schedule: Schedule = { startNs: report.status.startNs, rate: this.format.rate };
      this.ledger = new SourceLedger(schedule);
    }
    // Of a source on another machine it moves with the drift between the clocks.
    if (this.ledger && report.status.startNs > 0) this.ledger.schedule.startNs = report.status.startNs;
    this.ledger?.add(report.records);
    if (report.releasedThereNs) this.releases.add(report.records.frameNumber, report.releasedThereNs);
  }
}

/**
 * One stream: a sender, here or elsewhere, and a receiver in the receiving host. Several receivers of one sender are as many
 * streams, each with its own ledger of what that sender submitted and this receiver captured.
 */
export class Stream {
  ledger: StreamLedger | null = null;
  /** In place of the ledger where pictures carry no frame code. */
  foreign: ForeignLedger | null = null;
  /** Of a mixer's output, whose pictures are counted as those of one source; null: any other stream. */
  programme: Programme | null = null;
  /** Sound against picture; there is one for each ledger. */
  audio: AudioOffset | null = null;
  /** What a display window shows of it; there is one for each ledger. */
  display: DisplayLedger | null = null;
  /** The clock of the sender's release times. */
  clock: ReleaseClock;
  /** Of a sender that we have on another machine: whether its release times can be believed; null: any other. */
  releaseWitness: ReleaseWitness | null = null;
  /** The last moment that its sender can have reported; null while it is followed. */
  endedNs: number | null = null;
  /** Its sender said that it ends as asked: what would be due from then on is not. */
  hasEnded = false;
  /** The sliding window of the rows that count it; null before the first of them. */
  lostWindowSeconds: number | null = null;
  /** What lies between its sender and the one before in its place, and the one after. */
  before: Break | null = null;
  after: Break | null = null;
  /**
   * Where it goes on for another one it is counted from its first picture, in a range that waits for the next row: its
   * warm-up may hide nothing.
   */
  fresh: OpenRange | null = null;
  /** How long the first sender in its place took to connect, where this one goes on for it. */
  connectedMs: number | null = null;
  /** Of a remote sender. */
  reportedLoads = new ReportedLoads();
  /** Of the process of a remote sender, as it reports. */
  readonly senderStandstills = new StandstillLog();
  /** Name of the machine of a remote sender, once it has said it. */
  senderHost: string | null = null;
  /** Number of the receiving host that its receiver lives in: one for each machine that receives. */
  receivingHost = 1;
  /** Name of the machine of its receiver, where an end of a stream of its set is on another machine than ours. */
  receiverHost: string | null = null;
  /** Names of the machines of the fleet on which we have it sent and received; null: this machine, or not by us. */
  sentFrom: string | null = null;
  receivedOn: string | null = null;
  /** What it is called in strips, rows and events; an operator may change it. */
  name: string;
  /** Full name of its sender, over NDI "MACHINE (name)": another machine's stream of the same name is not this one. */
  fullName = '';
  /** The full name under which the receiver found it; empty before. */
  sourceName = '';
  receiver: ReceiverReport['status'] = null;
  /** Of the sound that the newest report has; null: it has none. */
  soundPeakDbfs: number | null = null;
  /** Receivers that the sender serves, where it is one of ours. Null: the transport does not report it. */
  connections: number | null = 0;
  /** Metadata frames that its sender could not send, where it is one of ours. */
  senderMetadataDropped = 0;
  /** What became of its sender's real-time priority; empty: nothing. */
  senderRealTimeFinding = '';
  /** Its receiver is not ours: this side does not know what became of its frames. */
  isReceiverRemote = false;
  /** The process of its receiver was stopped at the last load sample. */
  isReceiverStopped = false;
  /** The same process, where it is stopped still. */
  stoppedProcessId: number | null = null;
  /** Interfaces of this machine that lost their link about when its newest picture came, and have none yet. */
  downLinks: readonly string[] = [];
  /** Those of them that have it again. */
  backLinks: readonly LinkBack[] = [];
  removing = false;
  /** The process of its receiver, whose reports may come late; null: it has no receiver. */
  receivedBy: () => ReceivingProcess | null = () => null;
  /** One of its ends is on another machine that does not report now; null: each end is here, or reports. */
  away: () => MachineAway | null = () => null;
  /** Another source sends now; it is not followed yet. */
  changing = false;
  /** Faults of this run, or of this process, by absolute frame numbers. */
  injected: readonly Fault[] = [];
  /** Faults that were still due when the process that was to put them in died, as text; empty: none. */
  faultsLost = '';
  /** Wrong pictures at the last look, to distinguish a new one from an old one. */
  private wrongSourceSeen = 0;
  /** When its receiver was started again, and the first picture of the new one; 0 before. */
  private reopenedNs = 0;
  private resumedNs = 0;
  /** From the last picture before the newest death of its receiver to the first one after it; Infinity before that came. */
  receiverGone: Span | null = null;
  /** A first picture that can be read came, from which on it is counted. */
  private hasBegun = false;
  /** Captures that came before the ledger could be made. */
  early: CaptureRecords[] = [];
  readonly uncounted = new UncountedPictures();

  constructor(
    readonly id: number,
    /** The name that its sender was given, which stays: receivers find it by that. */
    readonly ndiName: string,
    public source: ActiveSource,
    readonly addedNs: number,
    wallOffsetUs: number,
    readonly watchdog = new StreamWatchdog(),
    readonly connectionHistory = new ConnectionHistory(),
    /** The stream whose sender this one receives; its own, unless it is a further receiver. */
    readonly senderId = id,
    readonly arrivals = new Arrivals(),
  ) {
    this.name = ndiName;
    this.clock = new SharedClock(wallOffsetUs);
  }

  addSenderReport(report: SenderReport): void {
    this.connections = report.connections;
    // One sender is reported once, however many receivers it has.
    if (report.streamId === this.id) {
      this.senderMetadataDropped = report.metadataDropped;
      this.senderRealTimeFinding = report.realTimeFinding;
    }
    const { ledger: sourceLedger, status } = this.source;
    if (!this.ledger && sourceLedger && status) {
      const ledger = new StreamLedger(sourceLedger, {
        sourceId: status.sourceId,
        senderId: this.senderId,
        firstSlot: report.firstSlot,
        ...{ assumeSubmitted: false, isScheduled: true },
        clock: this.clock,
      });
      this.follow(this.source, ledger);
    }
    this.ledger?.addSubmits(report.submits);
    this.ledger?.addMisses(report.misses);
  }

  /** Counts the frames of a sender from now on. */
  follow(source: ActiveSource, ledger: StreamLedger): void {
    this.source = source;
    this.ledger = ledger;
    this.clock = ledger.identity.clock;
    const { firstSlot, isScheduled } = ledger.identity;
    this.audio = new AudioOffset(ledger.times, firstSlot, isScheduled ? ledger.times : null);
    this.display = new DisplayLedger(ledger);
    this.wrongSourceSeen = 0;
    this.noteQueue();
    const early = this.early.splice(0);
    for (const captures of early) this.addCaptures(captures);
  }

  /** Follows a sender without our frame code. */
  followForeign(source: ActiveSource, foreign: ForeignLedger): void {
    this.source = source;
    this.foreign = foreign;
    const firstNs = this.early[0]?.captureNs[0];
    if (this.before && this.lostWindowSeconds !== null && firstNs !== undefined)
      this.fresh = { foreign, range: foreign.openRange(firstNs, this.lostWindowSeconds) };
    this.early = [];
  }

  addReceiverReport(report: ReceiverReport, nowNs: number): void {
    this.noteReceiver(report, nowNs);
    this.addCaptures(report.captures);
    this.audio?.addSound(report.audio);
    this.noteWrongSource(nowNs);
  }

  /** What a report has beside pictures and sound. */
  noteReceiver(report: ReceiverReport, nowNs: number): void {
    this.sourceName = report.sourceName;
    this.arrivals.add(report.captures.captureNs);
    this.receiver = report.status;
    this.soundPeakDbfs = report.soundPeakDbfs;
    this.noteQueue();
    if (this.resumedNs === 0) this.resumedNs = report.captures.captureNs[0] ?? 0;
    if (this.receiverGone && this.reopenedNs > this.receiverGone.fromNs && this.resumedNs > 0)
      this.receiverGone.toNs = Math.min(this.receiverGone.toNs, this.resumedNs);
    const connections = report.status ? report.status.connections : 0;
    if (report.openedNs > 0 && connections !== null) this.connectionHistory.add(nowNs, connections > 0);
    this.connectionHistory.addListed(nowNs, report.listed);
    this.watchdog.add(report, nowNs, this.stallNs);
  }

  private noteQueue(): void {
    if (this.ledger && this.receiver) this.ledger.isQueueCounted = this.receiver.transportDropped !== null;
  }

  addCaptures(captures: CaptureRecords): void {
    const { ledger, audio } = this;
    if (!ledger) {
      this.keepEarly(captures);
      return;
    }
    this.openFresh(ledger, captures);
    this.releaseWitness?.add(captures, ledger.identity.sourceId);
    ledger.addCaptures(captures);
    audio?.addPictures(captures, ledger.identity.sourceId);
  }

  /** Another stream goes on in its place. `foundNs`: when the first picture of it came, where that is known already. */
  giveWayTo(next: Stream, foundNs = 0): void {
    next.name = this.name;
    next.lostWindowSeconds = this.lostWindowSeconds;
    // The last picture came later than its slot, as the first one of the next will: what was due meanwhile is counted between the two.
    const endNs = Math.max(this.ledger ? (this.endedNs ?? 0) : 0, lastFrameEndNs(this) ?? 0);
    if (endNs === 0 || this.lostWindowSeconds === null) return;
    this.after = new Break(endNs, lastPictureNs(this) ?? endNs, next);
    this.after.foundNs = foundNs;
    this.after.isAsked = this.hasEnded;
    next.before = this.after;
  }

  private openFresh(ledger: StreamLedger, captures: CaptureRecords): void {
    const { frameNumber, sourceId, status } = captures;
    if (!this.before || this.lostWindowSeconds === null || this.hasBegun) return;
    const first = status.findIndex(
      (code, index) => code !== PictureStatus.Undecodable && sourceId[index] === ledger.identity.sourceId,
    );
    if (first < 0) return;
    this.hasBegun = true;
    const firstNs = captures.captureNs[first] ?? 0;
    const counter = ledger.openRangeWith(frameNumber[first] ?? 0, firstNs, this.lostWindowSeconds);
    this.fresh = { ledger, counter };
  }

  /** A sender that shows nothing but black is never followed: only the newest pictures are of use then. */
  private keepEarly(captures: CaptureRecords): void {
    const count = captures.captureNs.length;
    if (count === 0) return;
    this.uncounted.add(captures);
    this.early.push(captures);
    const keptFromNs = (captures.captureNs[count - 1] ?? 0) - earlyNs;
    while ((this.early[0]?.captureNs[0] ?? keptFromNs) < keptFromNs || this.early.length > mostEarly)
      this.early.shift();
  }

  noteWrongSource(nowNs: number): void {
    const wrong = this.ledger?.wrongSource ?? 0;
    if (wrong > this.wrongSourceSeen) this.watchdog.noteWrongPicture(nowNs);
    this.wrongSourceSeen = wrong;
  }

  get followedBy(): 'code' | 'times' | null {
    if (this.foreign) return 'times';
    return this.ledger ? 'code' : null;
  }

  /** Why no latency of its frames is known, whatever its pictures say; null: nothing speaks against them. */
  get releaseMisfit(): string | null {
    return this.releaseWitness?.misfit ?? null;
  }

  /** Whether the records of its sender are known, which say what it submitted. */
  get reportsRecords(): boolean {
    return this.ledger?.identity.assumeSubmitted === false;
  }

  get receiverTrouble(): ReceiverTrouble | null {
    if (this.isReceiverDead) return 'died';
    if (this.isReceiverStopped) return 'stopped';
    return this.receivedBy()?.isSilent ? 'silent' : null;
  }

  /** No picture came since the process of its receiver died. */
  get isReceiverDead(): boolean {
    return this.receiverGone?.toNs === Number.POSITIVE_INFINITY;
  }

  /**
   * Up to when it is known what came. Reports of the sending process may be read before those of the receiving one, when this process
   * did not run for a while.
   */
  knownToNs(nowNs: number): number {
    const { heardNs } = this.watchdog;
    return heardNs === 0 || this.isReceiverDead ? nowNs : Math.min(nowNs, heardNs);
  }

  /** Up to when its receiver saw whether pictures come: one that says nothing any more sees none. */
  private seenToNs(nowNs: number): number {
    const process = this.receivedBy();
    if (!process) return nowNs;
    return process.isSilent ? Math.max(nowNs, process.silentToNs()) : this.knownToNs(nowNs);
  }

  /** First picture that its ledger has, 0 before. */
  get firstCaptureNs(): number {
    return this.ledger?.firstCaptureNs ?? this.foreign?.firstCaptureNs ?? 0;
  }

  /** First picture of any kind of the sender, also if none can be counted; 0 before. */
  get firstPictureNs(): number {
    return this.uncounted.firstNs || this.firstCaptureNs;
  }

  /** The process of its receiver died. */
  loseReceiver(nowNs: number): void {
    const lastNs = this.ledger?.newestPictureNs ?? this.foreign?.newestPictureNs ?? 0;
    this.receiverGone = { fromNs: lastNs > 0 ? lastNs : nowNs, toNs: Number.POSITIVE_INFINITY };
  }

  /** Its receiver died and is started again: the new one has to warm up. */
  reopen(nowNs: number): void {
    this.reopenedNs = nowNs;
    this.resumedNs = 0;
  }

  /** Whether its losses count: its first warm-up is over. One that goes on for another has none, which might hide something. */
  isCounted(nowNs: number, warmUpSeconds: number): boolean {
    const { firstCaptureNs, before } = this;
    return firstCaptureNs > 0 && nowNs - firstCaptureNs >= (before ? 0 : warmUpSeconds * 1e9);
  }

  /** Whether a row may open on it: it is over its warm-up, or without a picture for longer than its sender may take. */
  isReady(nowNs: number, { warmUpSeconds, connectTimeoutSeconds }: StateLimits): boolean {
    const { firstCaptureNs, reopenedNs, resumedNs } = this;
    if (this.isReceiverRemote) return this.ledger !== null;
    const sinceNs = reopenedNs > 0 ? resumedNs : firstCaptureNs;
    if (sinceNs > 0 && firstCaptureNs > 0) return nowNs - sinceNs >= warmUpSeconds * 1e9;
    if (reopenedNs > 0) return nowNs - reopenedNs >= connectTimeoutSeconds * 1e9;
    return nowNs >= this.awaitedToNs(connectTimeoutSeconds);
  }

  /** Until when it is waited for the first picture, and for what one that came by then is counted by. */
  awaitedToNs(connectTimeoutSeconds: number): number {
    const toNs = this.addedNs + connectTimeoutSeconds * 1e9;
    const { firstPictureNs } = this;
    const isInTime = firstPictureNs > 0 && firstPictureNs <= toNs;
    return isInTime ? Math.max(toNs, firstPictureNs + foundOutNs) : toNs;
  }

  /** From Add stream to the first picture, null before it. A sender that was started again ended an outage: that is no connecting. */
  get connectMs(): number | null {
    if (this.firstPictureNs === 0) return null;
    return this.connectedMs ?? (this.firstPictureNs - this.addedNs) / 1e6;
  }

  /** Frames a second as they come: measured where the sender's own schedule is not known. */
  get framesPerSecond(): number {
    if (this.foreign) return this.foreign.framesPerSecond;
    return this.ledger ? 1e9 / this.ledger.times.periodNs : framesPerSecond(this.source.format.rate);
  }

  state(nowNs: number, limits: StateLimits): StreamState {
    const ended = this.source.status?.state;
    const situation = {
      addedNs: this.addedNs,
      firstCaptureNs: this.firstCaptureNs,
      followedBy: this.followedBy,
      senderEnded: ended === 'closed' || ended === 'failed',
      removing: this.removing,
      changing: this.changing,
      stallNs: this.stallNs,
    };
    return this.watchdog.state(this.seenToNs(nowNs), situation, limits);
  }

  private get stallNs(): number {
    return stallSeconds(this.framesPerSecond) * 1e9;
  }
}
