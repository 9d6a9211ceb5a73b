import { type PreviewMessage, type PreviewSubscription, previewRequestSchema } from '../protocol/console';
import { safeParse } from '../protocol/safe-parse';
import type { MessagePort } from './channel';
import type { ReceiverSlot } from './receiver-slot';

interface Subscriber {
  port: MessagePort;
  subscription: PreviewSubscription;
  /** Newest preview sent, by stream. */
  sent: Map<number, number>;
  /** Streams whose newest preview the window has not taken yet. */
  underWay: Set<number>;
}

const pollMs = 16;

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
      else if (request) subscriber.subscription = request;
    });
    port.on('close', () => this.remove(subscriber));
    port.start();
    this.timer ??= setInterval(() => this.send(), pollMs);
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    if (this.subscribers.size > 0) return;
    this.close();
    for (const { receiver } of this.receivers().values()) receiver?.setPreview({ rateHz: 0, maxWidth: 16 });
  }

  private send(): void {
    this.forgetClosed();
    const wanted = [...this.subscribers].map(({ subscription }) => subscription);
    const rateHz = Math.max(0, ...wanted.map((subscription) => subscription.rateHz));
    for (const [streamId, { receiver }] of this.receivers()) {
      if (!receiver) continue;
      const maxWidth = Math.max(16, ...wanted.map((subscription) => widthFor(subscription, streamId)));
      receiver.setPreview({ rateHz, maxWidth });
      for (const { port, subscription, sent, underWay } of this.subscribers) {
        if (subscription.rateHz === 0 || underWay.has(streamId)) continue;
        const preview = receiver.preview(sent.get(streamId) ?? 0);
        if (!preview) continue;
        sent.set(streamId, preview.sequence);
        underWay.add(streamId);
        const { width, height, frameNumber, pixels } = preview;
        const message: PreviewMessage = { type: 'preview', streamId, width, height, frameNumber, pixels };
        port.postMessage(message);
      }
    }
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
