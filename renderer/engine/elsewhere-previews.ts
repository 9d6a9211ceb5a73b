import { create } from 'zustand';
import type { PreviewSubscription, PreviewsState } from '../../app/protocol/console';
import type { Command, CommandResult } from '../../app/protocol/console-commands';
import { remotePreviewLimits } from '../../app/protocol/fleet/remote-preview';
import type { Answer } from '../../app/rpc/asker';

/** What is known of the pictures of a stream that another machine receives. */
export interface ElsewherePicture {
  state: PreviewsState;
  hasPicture: boolean;
}

/** By the id of the stream; none before the first answer. */
export const useElsewherePictures = create<Record<number, ElsewherePicture>>(() => ({}));

const betweenMs = 1000 / remotePreviewLimits.perSecondInAll;
const betweenOfStreamMs = 1000 / remotePreviewLimits.perSecond;
/** A timer is early by some ms. */
const slackMs = 10;

interface Asked {
  atMs: number;
  /** Of the newest answer. */
  number: number;
}

type Ask = (wish: Command<'previewElsewhere'>) => Promise<Answer<CommandResult<'previewElsewhere'>>>;

/** Asks the engine for pictures of streams that another machine receives: one at a time, of those that are seen the one that waited longest. */
export class ElsewherePreviews {
  private seen: PreviewSubscription['streams'] = [];
  private readonly asked = new Map<number, Asked>();
  private isAsking = false;

  constructor(
    private readonly ask: Ask,
    private readonly isHidden: () => boolean = () => document.hidden,
  ) {}

  show(streams: PreviewSubscription['streams']): void {
    this.seen = streams;
    if (streams.length > 0 && !this.isAsking) void this.askOn();
  }

  /** The stream is gone, or shown nowhere any more. */
  forget(streamId: number): void {
    this.asked.delete(streamId);
    useElsewherePictures.setState(({ [streamId]: _, ...others }) => others, true);
  }

  private async askOn(): Promise<void> {
    this.isAsking = true;
    while (this.seen.length > 0) {
      const atMs = performance.now();
      const next = this.isHidden() ? undefined : this.due(atMs);
      if (next) await this.askFor(next, atMs);
      const restMs = Math.max(0, betweenMs - (performance.now() - atMs));
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.isAsking = false;
  }

  private due(nowMs: number): PreviewSubscription['streams'][number] | undefined {
    const askedMs = (streamId: number): number => this.asked.get(streamId)?.atMs ?? Number.NEGATIVE_INFINITY;
    return this.seen
      .filter(({ streamId }) => nowMs - askedMs(streamId) >= betweenOfStreamMs - slackMs)
      .sort((a, b) => askedMs(a.streamId) - askedMs(b.streamId))[0];
  }

  private async askFor({ streamId, maxWidth }: PreviewSubscription['streams'][number], atMs: number) {
    const { number: after } = this.asked.get(streamId) ?? { number: 0 };
    this.asked.set(streamId, { atMs, number: after });
    const width = Math.min(maxWidth, remotePreviewLimits.mostWidth);
    const { result } = await this.ask({ name: 'previewElsewhere', streamId, maxWidth: width, after });
    // Without an engine, or shown no more.
    if (!result || !this.asked.has(streamId)) return;
    const { state, number } = result;
    this.asked.set(streamId, { atMs, number });
    useElsewherePictures.setState({ [streamId]: { state, hasPicture: number > 0 } });
  }
}
