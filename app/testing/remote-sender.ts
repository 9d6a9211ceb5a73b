import { beatMs } from '../protocol/beat';
import type { Clock } from '../protocol/clock';
import { audioRecords, clockRecords } from '../protocol/record-block';
import { PictureClass, PictureStatus, type ReceiverStatus } from '../protocol/records';
import { sharedEndXml } from '../protocol/shared-end';
import { sharedRecordsXml } from '../protocol/shared-records';
import { noStandstill } from '../protocol/standstill';
import { captures, range, testSourceId } from './columns';
import type { FakeApplication } from './fake-application';
import { sharedLoad } from './shared-load';

const periodNs = 1e9 / 60;
/** A sender hands the records of its newest half minute to each watcher that connects. */
const recordedFrames = 30 * 60;

const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
  ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1 },
  ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
};

/** Pictures without our code, by what they look like. */
const classes = {
  foreign: PictureClass.Other,
  black: PictureClass.Black,
  placeholder: PictureClass.Placeholder,
} as const;

/** coded: with our frame code; recorded: and with its records; foreign, black, placeholder: without our code. */
export type SenderKind = 'coded' | 'recorded' | keyof typeof classes;

interface Followed {
  streamId: number;
  sourceName: string;
  kind?: SenderKind;
  /** Of the machine of a sender whose records come along. */
  boot?: string;
}

/** A sender of 60 frames a second, as the receiving host reports it: four times a second of a clock. */
export class RemoteSender {
  readonly lost = new Set<number>();
  sourceId = testSourceId;
  /** A picture is on its way for so long. */
  latencyNs = 0;
  /** Nothing comes, though it is connected. */
  private silent = false;
  private isRecordCut = false;
  /** The end that is said with its next records; null: none. */
  private said: number | null = null;
  /** Its connection is down, and discovery has forgotten it. */
  private gone = false;
  private startNs: number;
  private next = 0;
  /** First frame whose record was not sent. */
  private unsent = 0;
  private readonly stopReports: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly application: FakeApplication,
    private readonly stream: Followed = { streamId: 1, sourceName: 'HOST (x)' },
  ) {
    this.startNs = clock.monotonicNs();
    this.stopReports = clock.every(beatMs, () => this.report());
  }

  /** The next start of the program: another source, whose numbers begin at 0. */
  restart(): void {
    this.sourceId += 1;
    this.startNs = this.clock.monotonicNs();
    this.next = 0;
    this.unsent = 0;
    this.comeBack();
  }

  /** Gives the last frame that was sent. */
  fallSilent(): number {
    this.change(true, this.gone);
    return this.next - 1;
  }

  /** It ends, or its link is down: its newest records, of frames that were captured, did not come through. */
  vanishUnrecorded(): void {
    this.isRecordCut = true;
    this.vanish();
    this.isRecordCut = false;
  }

  /** Says that it ends as asked, before the next frame; gives the number of that one. It goes on for a moment. */
  sayEnd(): number {
    this.report();
    this.said = this.next;
    return this.next;
  }

  /** It ends, or its link is down. */
  vanish(): void {
    this.change(true, true);
  }

  comeBack(): void {
    this.change(false, false);
  }

  close(): void {
    this.stopReports();
  }

  /** What the receiver captured until now is reported as it was. */
  private change(silent: boolean, gone: boolean): void {
    this.report();
    this.silent = silent;
    this.gone = gone;
  }

  private report(): void {
    const nowNs = this.clock.monotonicNs();
    const pictures = [];
    for (; this.startNs + this.next * periodNs + this.latencyNs < nowNs; this.next++) {
      if (this.silent || this.lost.has(this.next)) continue;
      pictures.push(this.picture(this.next));
    }
    const { streamId, sourceName } = this.stream;
    const receiver = {
      ...{ streamId, sourceName, address: '', openedNs: 1, listed: !this.gone, metadata: this.metadata() },
      soundPeakDbfs: null,
      ...{ captures: captures(pictures), audio: audioRecords.empty(), time: clockRecords.empty() },
      status: {
        ...status,
        connections: this.gone ? 0 : 1,
        lastCaptureNs: pictures[pictures.length - 1]?.captureNs ?? 1,
      },
    };
    this.application.host('receiving').report({ atNs: nowNs, receivers: [receiver] });
  }

  private picture(frame: number) {
    const captureNs = this.startNs + frame * periodNs + this.latencyNs;
    const { kind = 'coded' } = this.stream;
    if (kind === 'coded' || kind === 'recorded')
      return { frameNumber: frame, captureNs, sourceId: this.sourceId };
    return {
      ...{ frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: classes[kind] },
      ...{ captureNs, timestampUs: captureNs / 1000 },
    };
  }

  private metadata(): string[] {
    if (this.stream.kind !== 'recorded' || this.silent || this.isRecordCut) return [];
    const end = this.said === null ? [] : [sharedEndXml({ sourceId: this.sourceId, before: this.said })];
    this.said = null;
    const frames = range(Math.max(this.unsent, this.next - recordedFrames), this.next - 1);
    this.unsent = this.next;
    const none = { frameNumber: new Uint32Array(0), cause: new Uint8Array(0) };
    const xml = sharedRecordsXml({
      ...{ senderId: 0, sourceId: this.sourceId, startNs: this.startNs, wallOffsetUs: 0 },
      ...{
        boot: this.stream.boot ?? '',
        overflowed: 0,
        standstills: noStandstill,
        load: sharedLoad({ measuredNs: this.clock.monotonicNs(), cpuPercent: 12 }),
      },
      submitted: Uint32Array.from(frames),
      beginUs: Float64Array.from(frames, (frame) => Math.round((frame * periodNs) / 1000)),
      ...{ missed: none, late: none, injected: none },
    });
    return [...end, xml];
  }
}
