import { z } from 'zod';
import type { PreviewMessage } from '../console';
import { lease } from './agent-commands';
import { hostIdSchema } from './subjects';

/**
 * Small pictures of a stream that another machine receives. The console asks for each of them and gets an answer or none: nothing of them
 * is numbered, kept or sent again, and without a question nothing is made or sent.
 */

export const remotePreviewLimits = {
  mostWidth: 160,
  /** 160×120: a larger one is made smaller before it is sent. */
  mostPixels: 19_200,
  /** Of one stream. */
  perSecond: 2,
  /** Of all streams that one machine receives. */
  perSecondInAll: 4,
} as const;

/** Red, green and blue, 8 bits each. */
const bytesPerPixel = 3;
export const mostPreviewBytes = remotePreviewLimits.mostPixels * bytesPerPixel;

const wishSchema = {
  streamId: z.int().positive(),
  maxWidth: z.int().min(16).max(remotePreviewLimits.mostWidth),
  /** Number of the newest one that the console has; 0: none. */
  after: z.int().nonnegative(),
};
export type PreviewWish = z.infer<z.ZodObject<typeof wishSchema>>;

const side = z.int().min(1).max(remotePreviewLimits.mostPixels);
const remotePictureSchema = z
  .object({
    kind: z.literal('picture'),
    /** Rises with each new one of a stream host. */
    number: z.int().positive(),
    width: side,
    height: side,
    /** Of the frame code. */
    frameNumber: z.int().min(0).max(0xffff_ffff),
    /** RGB, 8 bits, rows packed. */
    pixels: z.instanceof(Uint8Array),
  })
  .refine(
    ({ width, height, pixels }) =>
      width * height <= remotePreviewLimits.mostPixels && pixels.length === width * height * bytesPerPixel,
    'Expected a small picture with all of its pixels',
  );
export type RemotePicture = z.infer<typeof remotePictureSchema>;

const remotePreviewSchema = z.union([
  remotePictureSchema,
  /** none: there is no newer one. behind: records wait for the bus, and go first. */
  z.object({ kind: z.enum(['none', 'behind']) }),
]);
export type RemotePreview = z.infer<typeof remotePreviewSchema>;

/** Asked of an agent on a subject of their own. */
export const previewCommands = {
  preview: {
    parameters: z.strictObject({ name: z.literal('preview'), ...lease, hostId: hostIdSchema, ...wishSchema }),
    result: remotePreviewSchema,
  },
};

/** The picture to send: without alpha, and if it is too large, only every second (third, …) pixel and row. */
export function smallPicture(
  { width, height, frameNumber, pixels }: PreviewMessage,
  number: number,
): RemotePicture {
  let every = 1;
  while (reduced(width, every) * reduced(height, every) > remotePreviewLimits.mostPixels) every++;
  const size = { width: reduced(width, every), height: reduced(height, every) };
  const small = new Uint8Array(size.width * size.height * bytesPerPixel);
  let at = 0;
  for (let row = 0; row < size.height; row++)
    for (let column = 0; column < size.width; column++) {
      const from = 4 * (row * every * width + column * every);
      small[at++] = pixels[from] ?? 0;
      small[at++] = pixels[from + 1] ?? 0;
      small[at++] = pixels[from + 2] ?? 0;
    }
  return { kind: 'picture', number, ...size, frameNumber, pixels: small };
}

/** At least one is left. */
function reduced(pixels: number, every: number): number {
  return Math.ceil(pixels / every);
}

/** As a window draws it: RGBA. */
export function drawnPixels({ width, height, pixels }: RemotePicture): Uint8ClampedArray<ArrayBuffer> {
  const drawn = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < pixels.length; from += bytesPerPixel, to += 4) {
    drawn[to] = pixels[from] ?? 0;
    drawn[to + 1] = pixels[from + 1] ?? 0;
    drawn[to + 2] = pixels[from + 2] ?? 0;
  }
  return drawn;
}
