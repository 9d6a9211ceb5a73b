import type { Receiver } from '../../native/addon/index';
import type { Clock } from '../protocol/clock';
import {
  type CapturedMessage,
  type DisplayRequest,
  displayLimits,
  displayRequestSchema,
  mostPicturesOnTheWay,
  type PictureMessage,
} from '../protocol/display';
import type { ReceiverReport } from '../protocol/host';
import { type CaptureRecords, PictureStatus } from '../protocol/records';
import { safeParse } from '../protocol/safe-parse';
import type { MessagePort } from './channel';
import type { ReceiverSlot } from './receiver-slot';

/** Well below the 16.7 ms of a frame at 60 a second, so that pictures come evenly. */
const pollMs = 4;

/** Sends a display window every picture of the stream that it shows, as far as the window keeps up. */
export class DisplayServer {
  private readonly viewers = new Set<Viewer>();
  /** Receivers that keep pictures, by stream. */
  private readonly viewed = new Map<number, Receiver>();
  private stop: (() => void) | null = null;

  constructor(
    private readonly receivers: () => ReadonlyMap<number, ReceiverSlot>,
    private readonly clock: Pick<Clock, 'every'>,
  ) {}

  /** The port is the one for previews, which starts it. */
  add(port: MessagePort): void {
    const viewer = new Viewer(port);
    this.viewers.add(viewer);
    port.on('message', ({ data }) => {
      const parsed = safeParse(displayRequestSchema, data);
      if (!parsed.success) return;
      viewer.take(parsed.data);
      this.keepPolling();
    });
    port.on('close', () => {
      this.viewers.delete(viewer);
      this.keepPolling();
    });
  }

  /** What the receivers captured, for the windows' count. */
  reportCaptured(reports: readonly ReceiverReport[]): void {
    for (const viewer of this.viewers) {
      const report = reports.find(({ streamId }) => streamId === viewer.streamId);
      if (report) viewer.reportCaptured(report);
    }
  }

  close(): void {
    this.stop?.();
    this.stop = null;
  }

  private keepPolling(): void {
    const streamIds = new Set([...this.viewers].map(({ streamId }) => streamId));
    for (const [streamId, receiver] of this.viewed) {
      if (streamIds.has(streamId)) continue;
      // One that was closed meanwhile takes no more orders.
      if (this.receiverOf(streamId) === receiver) receiver.setView(null);
      this.viewed.delete(streamId);
    }
    if ([...streamIds].some((streamId) => streamId !== null)) {
      this.stop ??= this.clock.every(pollMs, () => this.send());
    } else this.close();
  }

  private receiverOf(streamId: number): Receiver | null {
    return this.receivers().get(streamId)?.receiver ?? null;
  }

  private send(): void {
    for (const viewer of this.viewers) {
      const { streamId } = viewer;
      const receiver = streamId === null ? null : this.receiverOf(streamId);
      if (streamId === null || !receiver) continue;
      if (this.viewed.get(streamId) !== receiver) {
        receiver.setView(displayLimits);
        this.viewed.set(streamId, receiver);
      }
      while (viewer.canTakePicture) {
        const picture = receiver.takeView();
        if (!picture) break;
        viewer.send({ ...picture, streamId });
      }
    }
  }
}

/** One window. */
class Viewer {
  streamId: number | null = null;
  private sequence = 0;
  private doneSequence = 0;

  constructor(private readonly port: MessagePort) {}

  /** Pictures that the window cannot take wait in the native core, which drops the oldest. */
  get canTakePicture(): boolean {
    return this.sequence - this.doneSequence < mostPicturesOnTheWay;
  }

  take(request: DisplayRequest): void {
    if (request.type === 'view') this.streamId = request.streamId;
    else this.doneSequence = Math.min(this.sequence, Math.max(this.doneSequence, request.sequence));
  }

  send(picture: Omit<PictureMessage, 'type' | 'sequence'>): void {
    this.sequence += 1;
    this.port.postMessage({ ...picture, type: 'picture', sequence: this.sequence } satisfies PictureMessage);
  }

  reportCaptured({ streamId, captures }: ReceiverReport): void {
    const message = capturedMessage(streamId, captures);
    if (message.frameNumbers.length > 0) this.port.postMessage(message);
  }
}

function capturedMessage(streamId: number, captures: CaptureRecords): CapturedMessage {
  const { frameNumber, sourceId, status } = captures;
  const numbered = [...frameNumber.keys()].filter((index) => status[index] !== PictureStatus.Undecodable);
  return {
    type: 'captured',
    streamId,
    sourceIds: Uint16Array.from(numbered, (index) => sourceId[index] ?? 0),
    frameNumbers: Uint32Array.from(numbered, (index) => frameNumber[index] ?? 0),
  };
}
