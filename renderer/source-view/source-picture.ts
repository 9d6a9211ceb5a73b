import type { PreviewMessage } from '../../app/protocol/console';
import type { NoTextureMessage, TextureAnswer, TextureMessage } from '../../app/protocol/textures';
import { previews, textures } from '../engine/connection';
import { DrawRate } from './draw-rate';
import { fittedSize } from './fitted-size';
import { HapTexture } from './hap-texture';
import { probeGpu } from './probe';
import { type Gpu, type NativeReason, type Shown, shownFor } from './shown';
import { paceWithoutGpu } from './software-pace';

/** A damaged frame is over in no time, and the next may follow at once: a message is to be read. */
const damageShownMs = 5000;
/** Wide enough to fill a screen, small enough not to load the receiving process and the port. */
const mostPreviewWidth = 1280;
/** More than in the list: one picture fills the window. */
const previewsRateHz = 12;

export interface SourcePictureListener {
  /** Something else is shown from now on. */
  onShown(shown: Shown): void;
  /** A picture of the movie was drawn; `picturesPerSecond` is null in the first second. */
  onDrawn(texture: TextureMessage, picturesPerSecond: number | null): void;
  /** A picture of the received stream was drawn. */
  onPreview(preview: PreviewMessage): void;
  /** Frames of the movie cannot be had, and the one before stays in their place; empty when that is over. */
  onDamage(message: string): void;
}

export interface SourcePictureOptions extends SourcePictureListener {
  streamId: number;
  /** Its source is not here to be read. */
  isSenderRemote: boolean;
  /** The machine of the fleet that sends it; null: this one, or it is a sender of others. */
  sentFrom: string | null;
  /** For the source's own blocks. */
  blocksCanvas: HTMLCanvasElement;
  /** For the received stream's preview, where blocks cannot be shown. */
  previewCanvas: HTMLCanvasElement;
}

/** Keeps the picture of one stream's source on a canvas: its own blocks on the GPU, otherwise the native preview. */
export class SourcePicture {
  private readonly gl: WebGL2RenderingContext | null;
  private gpu: Gpu;
  private painter: HapTexture | null = null;
  private shown: Shown = { kind: 'waiting' };
  private answer: TextureMessage | NoTextureMessage | null = null;
  /** Arrived and not drawn yet. */
  private pending: TextureMessage | null = null;
  private redraws = 0;
  /** The newest damage, and the newest that was reported. */
  private damagedMs = Number.NEGATIVE_INFINITY;
  private damageReportedMs = Number.NEGATIVE_INFINITY;
  private readonly rate = new DrawRate();
  private stopFollowing: (() => void) | null = null;
  private stopPause: (() => void) | null = null;
  private stopPreview: (() => void) | null = null;
  private readonly sizes: ResizeObserver;

  constructor(private readonly options: SourcePictureOptions) {
    const { blocksCanvas } = options;
    this.gl = blocksCanvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
    this.gpu = this.probe();
    blocksCanvas.addEventListener('webglcontextlost', this.loseContext);
    blocksCanvas.addEventListener('webglcontextrestored', this.regainContext);
    this.sizes = new ResizeObserver(() => this.requestDraw());
    this.sizes.observe(blocksCanvas);
    this.decide();
  }

  close(): void {
    const { blocksCanvas } = this.options;
    blocksCanvas.removeEventListener('webglcontextlost', this.loseContext);
    blocksCanvas.removeEventListener('webglcontextrestored', this.regainContext);
    this.sizes.disconnect();
    cancelAnimationFrame(this.redraws);
    this.stopPause?.();
    this.stopFollowing?.();
    this.stopPreview?.();
    this.painter?.close();
  }

  private probe(): Gpu {
    const { gl } = this;
    if (!gl) return { fault: 'no-webgl2' };
    if (gl.isContextLost()) return { fault: 'context-lost' };
    return { support: probeGpu(gl) };
  }

  private readonly loseContext = (event: Event): void => {
    // Without this the browser never gives the context back.
    event.preventDefault();
    this.painter = null;
    this.fail('context-lost');
  };

  private readonly regainContext = (): void => {
    this.gpu = this.probe();
    this.decide();
  };

  private fail(fault: 'context-lost' | 'webgl-failed'): void {
    this.gpu = { fault };
    this.pending = null;
    this.answer = null;
    this.decide();
  }

  private receive(answer: TextureAnswer): void {
    if (answer.type === 'damaged-texture') {
      this.noteDamage(answer.message);
      return;
    }
    this.answer = answer;
    this.decide();
    if (answer.type === 'no-texture' || this.shown.kind !== 'blocks') return;
    this.pending = answer;
    this.requestDraw();
  }

  private noteDamage(message: string): void {
    this.damagedMs = performance.now();
    if (this.damagedMs - this.damageReportedMs < damageShownMs) return;
    this.damageReportedMs = this.damagedMs;
    this.options.onDamage(message);
  }

  /** Shows what can be shown now, and asks for no more than that. */
  private decide(): void {
    const { isSenderRemote } = this.options;
    const shown: Shown = isSenderRemote ? this.asReceived() : shownFor(this.gpu, this.answer);
    const isNative = shown.kind === 'native';
    // Whether the source is Hap can change with the next source; what the GPU lacks cannot.
    const isHopeless = isNative && shown.why.reason !== 'not-hap' && shown.why.reason !== 'unreadable';
    if (isHopeless) {
      this.stopFollowing?.();
      this.stopFollowing = null;
    }
    if (JSON.stringify(shown) !== JSON.stringify(this.shown)) {
      this.shown = shown;
      this.options.onShown(shown);
    }
    if (isNative) this.stopPreview ??= this.showPreview();
    else {
      this.stopPreview?.();
      this.stopPreview = null;
    }
    if (!isHopeless) {
      this.stopFollowing ??= textures.follow(this.options.streamId, (answer) => this.receive(answer));
    }
  }

  private asReceived(): Shown {
    const { sentFrom } = this.options;
    const why: NativeReason =
      sentFrom === null ? { reason: 'remote-sender' } : { reason: 'other-machine', machine: sentFrom };
    return { kind: 'native', why };
  }

  private showPreview(): () => void {
    const { streamId, previewCanvas, onPreview } = this.options;
    return previews.attach(streamId, previewCanvas, {
      mostWidth: mostPreviewWidth,
      rateHz: previewsRateHz,
      onDrawn: onPreview,
    });
  }

  private requestDraw(): void {
    cancelAnimationFrame(this.redraws);
    this.redraws = requestAnimationFrame((nowMs) => this.draw(nowMs));
  }

  private draw(nowMs: number): void {
    const { gl, pending } = this;
    if (!gl || this.shown.kind !== 'blocks') return;
    this.pending = null;
    try {
      this.painter ??= new HapTexture(gl);
      if (pending) this.painter.upload(pending, pending.background);
      this.fitCanvas(this.shown);
      this.painter.draw();
    } catch (error) {
      console.error(error);
      // The event of a lost context follows by itself.
      if (!gl.isContextLost()) this.fail('webgl-failed');
      return;
    }
    if (!pending) return;
    this.acknowledge(gl, pending, this.shown.isSoftware);
    if (nowMs - this.damagedMs > damageShownMs) this.options.onDamage('');
    this.options.onDrawn(pending, this.rate.note(nowMs));
  }

  private acknowledge(gl: WebGL2RenderingContext, texture: TextureMessage, isSoftware: boolean): void {
    if (isSoftware) this.stopPause = paceWithoutGpu(gl, () => textures.acknowledge(texture));
    else textures.acknowledge(texture);
  }

  /** The canvas has the picture's shape and as many pixels as the display gives it. */
  private fitCanvas(picture: { width: number; height: number }): void {
    const { blocksCanvas } = this.options;
    const { clientWidth, clientHeight } = blocksCanvas;
    const area = { width: clientWidth * devicePixelRatio, height: clientHeight * devicePixelRatio };
    const { width, height } = fittedSize(picture, area);
    if (blocksCanvas.width === width && blocksCanvas.height === height) return;
    blocksCanvas.width = width;
    blocksCanvas.height = height;
  }
}
