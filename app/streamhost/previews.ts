import { type PreviewMessage, type PreviewSubscription, previewRequestSchema } from '../protocol/console';
import { safeParse } from '../protocol/safe-parse';
import type { MessagePort } from './channel';
import type { ReceiverSlot } from './receiver-slot';

/** The newest preview that a window was sent of a stream. */
interface Sent {
  sequence: number;
  /** When the next one should be there, ms of `performance.now()`. */
  nextMs: number;
  /** Used again: a message has a copy. */
  pixels?: Uint8ClampedArray;
}

interface Subscriber {
  port: MessagePort;
  subscription: PreviewSubscription;
  /** By stream. */
  sent: Map<number, Sent>;
  /** Streams whose newest preview the window has not taken yet. */
  underWay: Set<number>;
}

/** While a preview is late. Each look wakes the process, which costs more than the look. */
const pollMs = 16;
/** By so much a preview may come later after the one before than its rate says, without being late. */
const marginMs = 3;
/** Without anything to look for. */
const idleMs = 100;

/** Hands small pictures to the windows that asked for them; made small in the native core. */
export class PreviewServer {
  private readonly subscribers = new Set<Subscriber>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly receivers: () => ReadonlyMap<number, ReceiverSlot>) {}

  add(port: MessagePort): void {
    const subscriber: Subscriber = {
      port,
      subscription: { type: 'subscribe', rateHz: 0, maxWidth: 16 },
      sent: new Map(),
      underWay: new Set(),
    };
    this.subscribers.add(subscriber);
    port.on('message', ({ data }) => {
      const { data: request } = safeParse(previewRequestSchema, data);
      if (request?.type === 'taken') subscriber.underWay.delete(request.streamId);
      else if (request) {
        subscriber.subscription = request;
        this.send();
      }
    });
    port.on('close', () => this.remove(subscriber));
    port.start();
    this.timer ??= setTimeout(() => this.send(), pollMs);
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    if (this.subscribers.size > 0) return;
    this.close();
    for (const { receiver } of this.receivers().values()) receiver?.setPreview({ rateHz: 0, maxWidth: 16 });
  }

  private send(): void {
    this.close();
    this.forgetClosed();
    const nowMs = performance.now();
    let nextMs = nowMs + idleMs;
    const wanted = [...this.subscribers].map(({ subscription }) => subscription);
    const rateHz = Math.max(0, ...wanted.map((subscription) => subscription.rateHz));
    for (const [streamId, { receiver }] of this.receivers()) {
      if (!receiver) continue;
      const maxWidth = Math.max(16, ...wanted.map((subscription) => widthFor(subscription, streamId)));
      receiver.setPreview({ rateHz, maxWidth });
      for (const subscriber of this.subscribers) {
        const { subscription, sent, underWay } = subscriber;
        if (subscription.rateHz === 0) continue;
        const last: Sent = sent.get(streamId) ?? { sequence: 0, nextMs: nowMs };
        const preview = underWay.has(streamId) ? null : receiver.preview(last.sequence, last.pixels);
        if (preview) {
          const { sequence, width, height, frameNumber, ageMs, pixels } = preview;
          Object.assign(last, { sequence, pixels, nextMs: nowMs - ageMs + 1000 / rateHz + marginMs });
          sent.set(streamId, last);
          underWay.add(streamId);
          const message: PreviewMessage = { type: 'preview', streamId, width, height, frameNumber, pixels };
          subscriber.port.postMessage(message);
        }
        nextMs = Math.min(nextMs, last.nextMs);
      }
    }
    this.timer = setTimeout(() => this.send(), Math.max(pollMs, nextMs - nowMs));
  }

  private forgetClosed(): void {
    const receivers = this.receivers();
    for (const { sent, underWay } of this.subscribers) {
      for (const streamId of sent.keys()) {
        if (receivers.has(streamId)) continue;
        sent.delete(streamId);
        underWay.delete(streamId);
      }
    }
  }
}

function widthFor({ maxWidth, large }: PreviewSubscription, streamId: number): number {
  return large?.streamId === streamId ? Math.max(maxWidth, large.maxWidth) : maxWidth;
}
