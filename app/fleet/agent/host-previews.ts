import type { ViewPort } from '../../engine/served/child-views';
import type { Clock } from '../../protocol/clock';
import type { PreviewMessage, PreviewRequest } from '../../protocol/console';
import {
  type PreviewWish,
  type RemotePreview,
  remotePreviewLimits,
  smallPicture,
} from '../../protocol/fleet/remote-preview';

/** A stream that was not asked for within this time is shown no more. */
const shownForMs = 3000;
const lookMs = 1000;

interface Shown {
  maxWidth: number;
  askedNs: number;
  /** 0 before the first one. */
  number: number;
  newest: PreviewMessage | null;
}

interface Link {
  ask(request: PreviewRequest): void;
  close(): void;
}

/** The previews of one receiving host for a console elsewhere: made as long as it asks for them, and of each stream the newest kept. */
export class HostPreviews {
  private readonly shown = new Map<number, Shown>();
  private link: Link | null = null;
  private previews = 0;
  private stopLook: () => void = () => undefined;

  /** @param connect gives the host a port; false when the host is gone */
  constructor(
    private readonly connect: (port: ViewPort) => boolean,
    private readonly clock: Pick<Clock, 'monotonicNs' | 'every'>,
  ) {}

  /** The newest one, if the console does not have it. */
  take({ streamId, maxWidth, after }: PreviewWish): RemotePreview {
    const nowNs = this.clock.monotonicNs();
    const known = this.shown.get(streamId);
    const shown = known ?? { maxWidth, askedNs: nowNs, number: 0, newest: null };
    this.shown.set(streamId, { ...shown, maxWidth, askedNs: nowNs });
    if (known?.maxWidth !== maxWidth) this.subscribe();
    const { newest, number } = shown;
    return newest && number > after ? smallPicture(newest, number) : { kind: 'none' };
  }

  close(): void {
    this.shown.clear();
    this.subscribe();
  }

  /** A port that is open makes the host work, even where it shows nothing. */
  private subscribe(): void {
    if (this.shown.size === 0) {
      this.link?.close();
      this.drop();
      return;
    }
    this.link ??= this.open();
    const streams = [...this.shown].map(([streamId, { maxWidth }]) => ({ streamId, maxWidth }));
    this.link?.ask({ type: 'subscribe', rateHz: remotePreviewLimits.perSecond, streams });
  }

  private open(): Link | null {
    let hear: (data: unknown) => Promise<void> = async () => undefined;
    let close = (): void => undefined;
    const isThere = this.connect({
      post: (data) => this.receive(data as PreviewMessage),
      onMessage: (listener) => {
        hear = listener;
      },
      onClose: (listener) => {
        close = listener;
      },
      close: () => this.drop(),
    });
    if (!isThere) return null;
    this.stopLook = this.clock.every(lookMs, () => this.forgetUnasked());
    return { ask: (request) => void hear(request), close };
  }

  private drop(): void {
    this.stopLook();
    this.link = null;
  }

  private receive(message: PreviewMessage): void {
    if (message.type !== 'preview') return;
    const { streamId, confirm } = message;
    if (confirm) this.link?.ask({ type: 'confirmed', streamId });
    const shown = this.shown.get(streamId);
    if (shown) this.shown.set(streamId, { ...shown, number: ++this.previews, newest: message });
  }

  private forgetUnasked(): void {
    const sinceNs = this.clock.monotonicNs() - shownForMs * 1e6;
    const before = this.shown.size;
    for (const [streamId, { askedNs }] of this.shown) if (askedNs < sinceNs) this.shown.delete(streamId);
    if (this.shown.size !== before) this.subscribe();
  }
}
