import type { Addon, Source, TextureReader } from '../../native/addon/index';
import type { Clock } from '../protocol/clock';
import type { OpenSource } from '../protocol/host';
import { safeParse } from '../protocol/safe-parse';
import {
  type NoTextureMessage,
  type TextureAnswer,
  type TextureRequest,
  textureRequestSchema,
} from '../protocol/textures';
import type { MessagePort } from './channel';

/** A source that plays now: the same object for as long as it does. */
export interface TextureSource {
  /** Reads the movie once more, beside the source itself; null if the source is no Hap movie. */
  openReader: (() => TextureReader) | null;
}

/** Of a source that is running. */
export function textureSourceOf(
  addon: Addon,
  { hap, rateNumerator, rateDenominator }: OpenSource,
  source: Source,
): TextureSource {
  if (!hap) return { openReader: null };
  const { path, startFrame } = hap;
  const { startNs } = source.status();
  const options = { path, startFrame, rateNumerator, rateDenominator, startNs };
  return { openReader: () => new addon.TextureReader(options) };
}

/** Ends of polling: a frame shown for 1/60 s is not missed, and an idle host has no timer. */
const pollMs = 8;

/** Sends windows the compressed blocks of the frames that sources show. A window that is slow gets fewer. */
export class TextureServer {
  private readonly viewers = new Set<Viewer>();
  private stop: (() => void) | null = null;

  constructor(
    private readonly sourceOf: (streamId: number) => TextureSource | null,
    private readonly clock: Pick<Clock, 'monotonicNs' | 'every'>,
  ) {}

  add(port: MessagePort): void {
    const viewer = new Viewer((answer) => port.postMessage(answer), this.sourceOf);
    this.viewers.add(viewer);
    port.on('message', ({ data }) => {
      const parsed = safeParse(textureRequestSchema, data);
      if (!parsed.success) return;
      viewer.take(parsed.data);
      this.keepPolling();
    });
    port.on('close', () => {
      viewer.close();
      this.viewers.delete(viewer);
      this.keepPolling();
    });
    port.start();
  }

  close(): void {
    this.stop?.();
    this.stop = null;
    for (const viewer of this.viewers) viewer.close();
  }

  private keepPolling(): void {
    const isWatched = [...this.viewers].some((viewer) => viewer.isWatching);
    if (isWatched) this.stop ??= this.clock.every(pollMs, () => this.look());
    else {
      this.stop?.();
      this.stop = null;
    }
  }

  private look(): void {
    const nowMs = this.clock.monotonicNs() / 1e6;
    for (const viewer of this.viewers) viewer.look(nowMs);
  }
}

/** One window's subscription. */
class Viewer {
  private streamId = 0;
  private intervalMs = Number.POSITIVE_INFINITY;
  /** Undefined before the first look. */
  private source: TextureSource | null | undefined;
  private reader: TextureReader | null = null;
  /** Newest texture of this reader that was sent; 0 before the first one. */
  private readSequence = 0;
  /** Newest texture sent to this window, of any reader. */
  private sentSequence = 0;
  private isInFlight = false;
  private dueMs = 0;
  /** What was reported last in the place of a texture, so that it is reported once. */
  private reported = '';

  constructor(
    private readonly post: (answer: TextureAnswer) => void,
    private readonly sourceOf: (streamId: number) => TextureSource | null,
  ) {}

  get isWatching(): boolean {
    return this.streamId !== 0;
  }

  take(request: TextureRequest): void {
    if (request.type === 'acknowledge') {
      if (request.sequence === this.sentSequence) this.isInFlight = false;
      return;
    }
    this.close();
    if (request.rateHz === 0) return;
    this.streamId = request.streamId;
    this.intervalMs = 1000 / request.rateHz;
  }

  /** Sends the next texture when it is due, there is one, and the window is done with the one before. */
  look(nowMs: number): void {
    if (!this.isWatching) return;
    this.followSource();
    const { reader } = this;
    if (!reader || this.isInFlight || nowMs < this.dueMs) return;
    this.reportDamage(reader.damage());
    const texture = reader.texture(this.readSequence);
    if (!texture) {
      reader.request();
      return;
    }
    const background = this.readSequence === 0 ? reader.background() : null;
    this.readSequence = texture.sequence;
    this.sentSequence += 1;
    this.isInFlight = true;
    this.reported = '';
    const { streamId, sentSequence: sequence } = this;
    this.post({ ...texture, type: 'texture', streamId, sequence, background });
    // Keeps the beat where it can, without making up for what was missed.
    this.dueMs = Math.max(this.dueMs + this.intervalMs, nowMs + this.intervalMs / 2);
  }

  close(): void {
    this.streamId = 0;
    this.source = undefined;
    this.dropReader();
  }

  private followSource(): void {
    const source = this.sourceOf(this.streamId);
    if (source === this.source) return;
    this.source = source;
    this.dropReader();
    if (!source) this.reportNothing('no-stream');
    else if (!source.openReader) this.reportNothing('not-hap');
    else this.reader = source.openReader();
  }

  private dropReader(): void {
    this.reader?.close();
    this.reader = null;
    this.readSequence = 0;
    this.isInFlight = false;
    this.dueMs = 0;
    this.reported = '';
  }

  /** Before the first texture, damage means that there is nothing to show. */
  private reportDamage(message: string): void {
    if (message === '') return;
    if (this.readSequence === 0) this.reportNothing('unreadable', message);
    else this.report({ type: 'damaged-texture', streamId: this.streamId, message });
  }

  private reportNothing(reason: NoTextureMessage['reason'], message = ''): void {
    this.report({ type: 'no-texture', streamId: this.streamId, reason, message });
  }

  private report(answer: Exclude<TextureAnswer, { type: 'texture' }>): void {
    const text = JSON.stringify(answer);
    if (text === this.reported) return;
    this.reported = text;
    this.post(answer);
  }
}
