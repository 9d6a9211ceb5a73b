import type { StreamState } from '../../protocol/console';
import type { ReceiverReport } from '../../protocol/host';
import { PictureClass } from '../../protocol/records';
import { PictureRepeats } from './picture-repeats';

/** Without a picture for this long, what discovery and the connection say decides the state. */
const patienceNs = 3e9;
/** Pictures of another sender are reported for this long after the last of them. */
const wrongSourceNs = 2e9;
/** Half an hour of a stream that stops and comes back once a second: longer than a row is looked back for. */
const keptRecoveries = 2000;

/** What the state of a stream depends on beside what its receiver sees. */
export interface StreamSituation {
  addedNs: number;
  /** First picture of the sender that is followed, 0 before. */
  firstCaptureNs: number;
  /** By what it is followed: the code of its frames, or their times, since they carry none. Null: it is not known yet. */
  followedBy: 'code' | 'times' | null;
  /** The sender said itself that it has ended. */
  senderEnded: boolean;
  removing: boolean;
  /** Another source sends now; it is not followed yet. */
  changing: boolean;
  /** No picture for this long is a stall. */
  stallNs: number;
}

export interface StateLimits {
  warmUpSeconds: number;
  connectTimeoutSeconds: number;
}

/** An interruption that is over: from the last picture before it to the first new one after it. */
export interface Recovery {
  atNs: number;
  afterMs: number;
}

/** Where the transport does not report its connections, none is known to be broken that discovery still lists. */
function isConnectedBy({ status, listed }: ReceiverReport): boolean {
  if (status?.connections === null) return listed !== false;
  return (status?.connections ?? 0) > 0;
}

/** Watches one receiver: what comes, who is connected, what discovery lists. Pure: reports carry their times. */
export class StreamWatchdog {
  /** Interruptions so far, and the newest of them. */
  recoveries = 0;
  /** Class of the newest picture (`PictureClass`). */
  pictureClass: number = PictureClass.Coded;
  /** When the receiver reported last; 0: never. */
  heardNs = 0;
  private sourceName = '';
  private listed: boolean | null = null;
  private listedSinceNs = 0;
  private connected = false;
  private connectedSinceNs = 0;
  private disconnectedSinceNs = 0;
  private openedNs = 0;
  /** The newest, oldest first. */
  private readonly recovered: Recovery[] = [];
  private readonly repeats = new PictureRepeats();
  /** The newest picture that is no repeat, and the newest repeat. */
  private lastPictureNs = 0;
  private lastRepeatNs = 0;
  private wrongPictureNs = Number.NEGATIVE_INFINITY;

  /** True once the receiver knows where to look. */
  get isFound(): boolean {
    return this.sourceName !== '';
  }

  get isRepeating(): boolean {
    return this.lastRepeatNs > this.lastPictureNs;
  }

  get isConnected(): boolean {
    return this.connected;
  }

  get lastRecovery(): Recovery | null {
    return this.recovered.at(-1) ?? null;
  }

  /** The newest interruptions that were over after a moment, oldest first. */
  recoveriesAfter(momentNs: number): Recovery[] {
    return this.recovered.filter(({ atNs }) => atNs > momentNs);
  }

  /** The interruption that began before a moment and ended after it, also where others came later. */
  recoveryAcross(momentNs: number): Recovery | null {
    return (
      this.recovered.find(({ atNs, afterMs }) => atNs > momentNs && atNs - afterMs * 1e6 < momentNs) ?? null
    );
  }

  add(report: ReceiverReport, nowNs: number, stallNs: number): void {
    this.heardNs = nowNs;
    this.sourceName = report.sourceName;
    if (report.listed && !this.listed) this.listedSinceNs = nowNs;
    this.listed = report.listed;
    if (this.openedNs === 0 && report.openedNs > 0) {
      this.openedNs = report.openedNs;
      this.disconnectedSinceNs = nowNs;
    }
    const connected = isConnectedBy(report);
    if (connected && !this.connected) this.connectedSinceNs = nowNs;
    if (!connected && this.connected) this.disconnectedSinceNs = nowNs;
    this.connected = connected;
    const { captures } = report;
    const { captureNs, pictureClass } = captures;
    for (let index = 0; index < captureNs.length; index++) {
      const atNs = captureNs[index] ?? 0;
      if (this.repeats.isRepeat(captures, index)) this.lastRepeatNs = atNs;
      else this.notePicture(atNs, stallNs);
      this.pictureClass = pictureClass[index] ?? PictureClass.Coded;
    }
  }

  noteWrongPicture(atNs: number): void {
    this.wrongPictureNs = Math.max(this.wrongPictureNs, atNs);
  }

  state(nowNs: number, situation: StreamSituation, limits: StateLimits): StreamState {
    if (situation.removing) return 'removing';
    if (situation.senderEnded) return 'sender-gone';
    if (nowNs - this.wrongPictureNs < wrongSourceNs) return 'wrong-source';
    if (situation.changing) return 'connecting';
    if (this.lastPictureNs === 0) return this.beforeVideo(nowNs, situation, limits);
    if (nowNs - this.lastPictureNs > situation.stallNs)
      return nowNs - this.lastRepeatNs <= situation.stallNs ? 'stalled' : this.silent(nowNs);
    if (this.isUndecodable(situation)) return 'undecodable';
    const { firstCaptureNs } = situation;
    const isWarm = firstCaptureNs > 0 && nowNs - firstCaptureNs >= limits.warmUpSeconds * 1e9;
    return isWarm ? 'receiving' : 'warming-up';
  }

  private notePicture(captureNs: number, stallNs: number): void {
    const silentNs = captureNs - this.lastPictureNs;
    if (this.lastPictureNs > 0 && silentNs > stallNs) {
      this.recoveries += 1;
      this.recovered.push({ atNs: captureNs, afterMs: silentNs / 1e6 });
      if (this.recovered.length > keptRecoveries) this.recovered.shift();
    }
    this.lastPictureNs = captureNs;
  }

  private beforeVideo(nowNs: number, { addedNs }: StreamSituation, limits: StateLimits): StreamState {
    if (!this.isFound) return 'searching';
    const sinceNs = this.connected ? this.connectedSinceNs : this.disconnectedSinceNs;
    if (nowNs - sinceNs <= patienceNs) return 'connecting';
    if (this.connected || this.listed === null) {
      // An address that was given is in no list: it may be wrong, or blocked.
      const isOver = this.connected || nowNs - addedNs > limits.connectTimeoutSeconds * 1e9;
      return isOver ? 'no-video' : 'connecting';
    }
    return this.listed ? 'stale-entry' : 'sender-gone';
  }

  /** It was there before: what it does now counts from when it was connected or listed again. */
  private silent(nowNs: number): StreamState {
    if (!this.connected && this.listed === false) return 'sender-gone';
    const backNs = this.connected ? this.connectedSinceNs : this.listedSinceNs;
    const isBack = backNs > this.lastPictureNs;
    if (nowNs - Math.max(this.lastPictureNs, backNs) <= patienceNs) return isBack ? 'connecting' : 'stalled';
    if (this.connected) return isBack ? 'no-video' : 'stalled';
    return this.listed ? 'stale-entry' : 'sender-gone';
  }

  /** Of a sender without our code, or that may have none, only what no sender means to show. */
  private isUndecodable({ followedBy }: StreamSituation): boolean {
    const { pictureClass } = this;
    if (followedBy === 'code') return pictureClass !== PictureClass.Coded;
    const isBroken = pictureClass === PictureClass.SolidGreen || pictureClass === PictureClass.Placeholder;
    // Black is never followed.
    return isBroken || (followedBy === null && pictureClass === PictureClass.Black);
  }
}
