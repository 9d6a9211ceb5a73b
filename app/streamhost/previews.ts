import type { Receiver } from '../../native/addon/index';
import { beatMs, onBeat } from '../protocol/beat';
import type { Clock } from '../protocol/clock';
import { type PreviewMessage, type PreviewSubscription, previewRequestSchema } from '../protocol/console';
import { safeParse } from '../protocol/safe-parse';
import type { MessagePort } from './channel';
import type { ReceiverSlot } from './receiver-slot';

/** What a window was sent of a stream. */
interface Sent {
  /** Whose previews: another one under the number of the stream begins again. */
  receiver: Receiver;
  /** Of the newest preview; 0 if it is to be sent again. */
  sequence: number;
  /** Used again: a message has a copy. */
  pixels?: Uint8ClampedArray;
  /** Previews that go out before the next one that the window is to confirm. */
  unconfirmed: number;
  /** Since when the window has one to confirm, ns of the monotonic clock; null: it has none. */
  confirmSinceNs: number | null;
}

interface Subscriber {
  port: MessagePort;
  rateHz: number;
  /** Of the previews of the streams that it shows; wider where another window shows one wider. */
  widths: Map<number, number>;
  /** By stream, those included that it showed before. */
  sent: Map<number, Sent>;
}

/** A window that confirms a preview within this time keeps up, and gets several more before it has to confirm again. */
const promptNs = 40e6;
const mostUnconfirmed = 7;
const off = { rateHz: 0, maxWidth: 16 };
/** While a window is open, of streams that it does not show: whose pictures stop has one of its last second when it is shown. */
const unseen = { rateHz: 1, maxWidth: 256 };
/** So long at most until the next look, however seldom previews are wanted. */
const longestMs = 1000;

/** Hands small pictures to the windows that asked for them; made small in the native core. */
export class PreviewServer {
  private readonly subscribers = new Set<Subscriber>();
  private rateHz = 0;
  /** Receivers that are set to what windows want now. */
  private configured = new WeakSet<Receiver>();
  private stop: () => void = () => undefined;

  constructor(
    private readonly receivers: () => ReadonlyMap<number, ReceiverSlot>,
    private readonly clock: Pick<Clock, 'monotonicNs' | 'after'>,
  ) {}

  add(port: MessagePort): void {
    const subscriber: Subscriber = { port, rateHz: 0, widths: new Map(), sent: new Map() };
    this.subscribers.add(subscriber);
    port.on('message', ({ data }) => {
      const { data: request } = safeParse(previewRequestSchema, data);
      if (request?.type === 'confirmed')
        noteConfirmed(subscriber.sent.get(request.streamId), this.clock.monotonicNs());
      else if (request) {
        show(subscriber, request);
        this.configure();
      }
    });
    port.on('close', () => this.remove(subscriber));
    port.start();
  }

  close(): void {
    this.stop();
  }

  private remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.configure();
  }

  /** Looks in step with the native core, which makes a preview a little before each multiple of its interval, and with the beat of
   *  the records where that is a multiple too: each wake-up of this process costs more than the look. */
  private configure(): void {
    const rateHz = Math.max(0, ...[...this.subscribers].map((subscriber) => subscriber.rateHz));
    if (rateHz !== this.rateHz) {
      this.rateHz = rateHz;
      this.stop();
      const intervalMs = Math.min(1000 / rateHz, longestMs);
      if (rateHz > 0) this.stop = onBeat(this.clock, () => this.send(), { every: intervalMs / beatMs });
    }
    this.configured = new WeakSet();
    this.configureReceivers();
  }

  private configureReceivers(): void {
    for (const [streamId, { receiver }] of this.receivers()) {
      if (!receiver || this.configured.has(receiver)) continue;
      receiver.setPreview(this.wanted(streamId));
      this.configured.add(receiver);
    }
  }

  private wanted(streamId: number): { rateHz: number; maxWidth: number } {
    const seenBy = [...this.subscribers].filter(({ widths }) => widths.has(streamId));
    if (seenBy.length === 0) return this.subscribers.size > 0 ? unseen : off;
    return {
      rateHz: Math.max(...seenBy.map(({ rateHz }) => rateHz)),
      maxWidth: Math.max(...seenBy.map(({ widths }) => widths.get(streamId) ?? 0)),
    };
  }

  private send(): void {
    this.forgetClosed();
    // There may be other receivers than at the last look.
    this.configureReceivers();
    const receivers = this.receivers();
    const nowNs = this.clock.monotonicNs();
    for (const subscriber of this.subscribers) {
      if (subscriber.rateHz === 0) continue;
      for (const streamId of subscriber.widths.keys()) {
        const receiver = receivers.get(streamId)?.receiver;
        if (receiver) sendNext(subscriber, streamId, receiver, nowNs);
      }
    }
  }

  private forgetClosed(): void {
    const receivers = this.receivers();
    for (const { sent } of this.subscribers) {
      for (const streamId of sent.keys()) if (!receivers.has(streamId)) sent.delete(streamId);
    }
  }
}

function show(subscriber: Subscriber, { rateHz, streams }: PreviewSubscription): void {
  const { widths, sent } = subscriber;
  for (const { streamId, maxWidth } of streams) {
    const last = sent.get(streamId);
    // It shows the stream anew: the newest is sent again, since no newer one comes of a stream whose pictures stopped.
    if (last && widths.get(streamId) !== maxWidth) last.sequence = 0;
  }
  subscriber.rateHz = streams.length > 0 ? rateHz : 0;
  subscriber.widths = new Map(streams.map(({ streamId, maxWidth }) => [streamId, maxWidth]));
}

/** Sends a stream's next preview if it is there. */
function sendNext({ sent, port }: Subscriber, streamId: number, receiver: Receiver, nowNs: number): void {
  const known = sent.get(streamId);
  const last: Sent =
    known?.receiver === receiver ? known : { receiver, sequence: 0, unconfirmed: 0, confirmSinceNs: null };
  const preview = last.confirmSinceNs === null ? receiver.preview(last.sequence, last.pixels) : null;
  if (!preview) return;
  const { sequence, width, height, frameNumber, pixels } = preview;
  const confirm = last.unconfirmed === 0;
  const unconfirmed = confirm ? 0 : last.unconfirmed - 1;
  sent.set(streamId, { receiver, sequence, pixels, unconfirmed, confirmSinceNs: confirm ? nowNs : null });
  const message = { type: 'preview', streamId, width, height, frameNumber, confirm, pixels } as const;
  port.postMessage(message satisfies PreviewMessage);
}

function noteConfirmed(sent: Sent | undefined, nowNs: number): void {
  if (!sent || sent.confirmSinceNs === null) return;
  sent.unconfirmed = nowNs - sent.confirmSinceNs <= promptNs ? mostUnconfirmed : 0;
  sent.confirmSinceNs = null;
}
