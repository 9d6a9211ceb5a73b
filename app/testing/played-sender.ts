import { beatMs } from '../protocol/beat';
import type { Clock } from '../protocol/clock';
import type { Rate } from '../protocol/format';
import { audioRecords, clockRecords } from '../protocol/record-block';
import { type Capture, captures } from './columns';
import type { FakeApplication } from './fake-application';

/** What a sender without records shows: made up by a test, picture for picture. */
export interface Played {
  /** Of its pictures, in the order in which they come. */
  framesPerSecond: number;
  declared: Rate;
  /** Null: this one does not come. */
  picture(index: number): Omit<Capture, 'captureNs'> | null;
}

/** Reports such a sender as the receiving host does: at each beat of a clock. */
export class PlayedSender {
  /** Pictures that came. */
  readonly cameNs: number[] = [];
  private readonly startNs: number;
  private next = 0;
  private readonly stopReports: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly application: FakeApplication,
    private readonly streamId: number,
    private readonly played: Played,
  ) {
    this.startNs = clock.monotonicNs();
    this.stopReports = clock.every(beatMs, () => this.report());
  }

  close(): void {
    this.stopReports();
  }

  private report(): void {
    const nowNs = this.clock.monotonicNs();
    const { declared } = this.played;
    const pictures: Capture[] = [];
    for (; this.atNs(this.next) < nowNs; this.next++) {
      const picture = this.played.picture(this.next);
      if (picture) pictures.push({ ...picture, captureNs: this.atNs(this.next) });
    }
    this.cameNs.push(...pictures.map(({ captureNs }) => captureNs));
    const status = {
      ...{ connections: 1, width: 640, height: 360, frameFormat: 'progressive' as const, fourCC: 'UYVY' },
      ...{ rateNumerator: declared.numerator, rateDenominator: declared.denominator },
      ...{ picturesCaptured: this.next, lastCaptureNs: this.atNs(this.next - 1) },
      ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
    };
    const receiver = {
      ...{ streamId: this.streamId, sourceName: 'HOST (x)', address: '', openedNs: 1, listed: true },
      ...{ captures: captures(pictures), audio: audioRecords.empty(), time: clockRecords.empty() },
      ...{ metadata: [], soundPeakDbfs: null, status },
    };
    this.application.host('receiving').report({ atNs: nowNs, receivers: [receiver] });
  }

  private atNs(index: number): number {
    return this.startNs + (index * 1e9) / this.played.framesPerSecond;
  }
}
