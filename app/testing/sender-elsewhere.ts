import { monotonicNs } from '../engine/clock';
import type { ReceiverStatus } from '../protocol/records';
import { captures, noAudio, noTime, testSourceId } from './columns';
import type { FakeApplication } from './fake-application';

const periodNs = 1e9 / 60;

const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
  ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1 },
  ...{ sdkDropped: 0, sdkQueueDepth: 0 },
};

/** A sender of 60 frames a second, as the receiving host reports it: in real time, ten times a second. */
export class SenderElsewhere {
  readonly lost = new Set<number>();
  sourceId = testSourceId;
  silent = false;
  private startNs = monotonicNs();
  private next = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly application: FakeApplication,
    private readonly stream = { streamId: 1, sourceName: 'HOST (x)' },
  ) {
    this.timer = setInterval(() => this.report(), 100);
  }

  /** The next start of the program: another source, whose numbers begin at 0. */
  restart(): void {
    this.sourceId += 1;
    this.startNs = monotonicNs();
    this.next = 0;
    this.silent = false;
  }

  /** Gives the last frame that was sent. */
  fallSilent(): number {
    this.silent = true;
    return this.next - 1;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    const nowNs = monotonicNs();
    const pictures = [];
    for (; this.startNs + this.next * periodNs < nowNs; this.next++) {
      if (this.silent || this.lost.has(this.next)) continue;
      const captureNs = this.startNs + this.next * periodNs;
      pictures.push({ frameNumber: this.next, captureNs, sourceId: this.sourceId });
    }
    const receiver = {
      ...this.stream,
      ...{ address: '', openedNs: 1, listed: true, metadata: [] },
      ...{ captures: captures(pictures), audio: noAudio(), time: noTime(), status },
    };
    this.application.host('receiving').report({ atNs: nowNs, receivers: [receiver] });
  }
}
