import { z } from 'zod';

/**
 * The movie's own picture: window ↔ sending stream host, over a port of their own.
 * The window says whose source it wants to see; the host sends the blocks of the frame that the source shows now, and no
 * more before the window has acknowledged them.
 */

/** How blocks of 4×4 pixels are coded: the formats that Hap knows. */
export type TextureFormat =
  | 'bc1-rgb'
  | 'bc3-rgba'
  | 'bc3-scaled-ycocg'
  | 'bc4-alpha'
  | 'bc7-rgba'
  | 'bc6h-unsigned'
  | 'bc6h-signed';

/** The compressed blocks of one frame of a movie. */
export interface TextureBlocks {
  /** Frame of the movie, from 0. */
  frame: number;
  /** The picture's size; the blocks cover it rounded up to multiples of 4. */
  width: number;
  height: number;
  format: TextureFormat;
  blocks: Uint8Array;
  /** The alpha of Hap Q Alpha, as `bc4-alpha`; null for all others. */
  alphaBlocks: Uint8Array | null;
}

export const mostTexturesPerSecond = 30;

export const textureRequestSchema = z.discriminatedUnion('type', [
  /** Shows the source of this stream from now on; 0 Hz ends it. */
  z.object({
    type: z.literal('subscribe'),
    streamId: z.int().positive(),
    rateHz: z.number().min(0).max(mostTexturesPerSecond),
  }),
  /** The texture of this number is drawn: the next one may come. */
  z.object({ type: z.literal('acknowledge'), sequence: z.int() }),
]);
export type TextureRequest = z.infer<typeof textureRequestSchema>;

export interface TextureMessage extends TextureBlocks {
  type: 'texture';
  streamId: number;
  /** Frames of the whole movie. */
  frames: number;
  /** To be acknowledged. */
  sequence: number;
  /** What alpha is composed over: a grey level for each pixel, full range, rows packed. With the first texture of a
   *  subscription whose format has alpha; null with all others. */
  background: Uint8Array | null;
}

/** There is nothing to send, and why; sent when that changes. */
export interface NoTextureMessage {
  type: 'no-texture';
  streamId: number;
  /** no-stream: it is not or no longer open. not-hap: its pictures are not blocks. unreadable: see `message`. */
  reason: 'no-stream' | 'not-hap' | 'unreadable';
  message: string;
}

/** A frame could not be read or expanded: the last picture stays. */
export interface DamagedTextureMessage {
  type: 'damaged-texture';
  streamId: number;
  /** Names the file, the frame and the byte. */
  message: string;
}

export type TextureAnswer = TextureMessage | NoTextureMessage | DamagedTextureMessage;
