import type { Clock } from '../../protocol/clock';
import type { PreviewMessage, PreviewsState, ServedRight } from '../../protocol/console';
import { toProblem } from '../../protocol/errors';
import {
  drawnPixels,
  type PreviewWish,
  type RemotePreview,
  remotePreviewLimits,
} from '../../protocol/fleet/remote-preview';

export interface RemotePreviewsOptions {
  clock: Pick<Clock, 'monotonicNs'>;
  /** The streams that another machine receives. */
  streamIds(): readonly number[];
  /**
   * The host that receives this stream.
   * @throws WhitelineError HOST_DIED if there is none
   */
  hostOf(streamId: number): PreviewingHost;
}

export interface PreviewingHost {
  /** A different object for each process; null: there is none now. */
  readonly life: object | null;
  /** @throws WhitelineError HOST_DIED, those of bus and agent */
  preview(wish: PreviewWish): Promise<RemotePreview>;
}

/** The newest small picture of a stream, and the result of the newest request. */
export interface PreviewLook {
  state: PreviewsState;
  /** Rises with each picture of the stream; 0 before the first one. */
  number: number;
  /** Null: the caller has it already, or there is none yet. */
  picture: PreviewMessage | null;
}

interface Known extends PreviewLook {
  /** The host that was asked last. */
  life: object | null;
  /** Number of the picture as its process counts. */
  theirs: number;
  askedNs: number;
}

/** A timer of a window is early or late by some ms. */
const slack = 0.9;
const betweenNs = (slack * 1e9) / remotePreviewLimits.perSecondInAll;
const betweenOfStreamNs = (slack * 1e9) / remotePreviewLimits.perSecond;
/** As long after a window of who operates asked, those that only look take what is there. */
const operatorFirstNs = 2e9;
/** A picture of a stream that was not asked for within this time is shown as one of before. */
const mostAgeNs = 5e9;

/**
 * Small pictures of the streams that another machine receives, for all windows together. One request at a time is on the bus, at most four
 * a second, and a picture that one window asked for serves the others too. While the window of an operator asks, a window that may only
 * look causes no request; and it never causes one for a width of its own.
 */
export class RemotePreviews {
  private readonly known = new Map<number, Known>();
  private isAsking = false;
  private askedNs = Number.NEGATIVE_INFINITY;
  /** When a window of who operates looked, or was answered. */
  private operatedNs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: RemotePreviewsOptions) {}

  /** @param wish its `after` is the `number` of the newest look */
  async look(
    { streamId, maxWidth, after }: PreviewWish,
    right: ServedRight = 'operate',
  ): Promise<PreviewLook> {
    const ids = this.options.streamIds();
    for (const id of this.known.keys()) if (!ids.includes(id)) this.known.delete(id);
    if (!ids.includes(streamId)) return { state: 'gone', number: 0, picture: null };
    const known = this.known.get(streamId) ?? unknown();
    this.known.set(streamId, known);
    const isOperating = right === 'operate';
    if (isOperating) this.operatedNs = this.nowNs();
    if (this.mayAsk(known, isOperating))
      await this.ask(streamId, isOperating ? maxWidth : remotePreviewLimits.mostWidth, known);
    if (isOperating) this.operatedNs = this.nowNs();
    const { number, picture } = known;
    const isLeftOut = !isOperating && this.isOperatorFirst && this.nowNs() - known.askedNs > mostAgeNs;
    const state = isLeftOut && known.state === 'open' ? 'silent' : known.state;
    return { state, number, picture: number > after ? picture : null };
  }

  private nowNs(): number {
    return this.options.clock.monotonicNs();
  }

  private get isOperatorFirst(): boolean {
    return this.nowNs() - this.operatedNs < operatorFirstNs;
  }

  private mayAsk({ askedNs }: Known, isOperating: boolean): boolean {
    if (!isOperating && this.isOperatorFirst) return false;
    const nowNs = this.nowNs();
    return !this.isAsking && nowNs - this.askedNs >= betweenNs && nowNs - askedNs >= betweenOfStreamNs;
  }

  private async ask(streamId: number, maxWidth: number, known: Known): Promise<void> {
    this.isAsking = true;
    this.askedNs = this.nowNs();
    known.askedNs = this.askedNs;
    try {
      const host = this.options.hostOf(streamId);
      const { life } = host;
      if (known.life !== life) Object.assign(known, { life, theirs: 0 });
      const preview = await host.preview({ streamId, maxWidth, after: known.theirs });
      known.state = preview.kind === 'behind' ? 'behind' : 'open';
      if (preview.kind !== 'picture') return;
      const { width, height, frameNumber } = preview;
      known.theirs = preview.number;
      known.number += 1;
      known.picture = {
        ...{ type: 'preview', streamId, width, height, frameNumber, confirm: false },
        pixels: drawnPixels(preview),
      };
    } catch (error) {
      known.state = toProblem(error).code === 'HOST_DIED' ? 'gone' : 'silent';
    } finally {
      this.isAsking = false;
    }
  }
}

function unknown(): Known {
  return {
    ...{ state: 'open', number: 0, picture: null },
    ...{ life: null, theirs: 0, askedNs: Number.NEGATIVE_INFINITY },
  };
}
