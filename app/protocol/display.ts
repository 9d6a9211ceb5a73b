import { z } from 'zod';
import type { PixelFormat } from './records';

/**
 * Every picture of one stream for the display window: window ↔ receiving stream host, over the port for previews.
 * The window says which stream it shows; the host sends each captured picture that its limits let through, and no more than
 * `mostPicturesOnTheWay` before the window is done with them. Beside them it sends the numbers of all captured frames, out
 * of the receiver's records, so that the window can count what it never got.
 */

/** What a picture is reduced to before it enters JavaScript. */
export interface ViewLimits {
  mostWidth: number;
  mostHeight: number;
  mostPicturesPerSecond: number;
}

export const displayLimits: ViewLimits = { mostWidth: 1920, mostHeight: 1080, mostPicturesPerSecond: 60 };
export const mostPicturesOnTheWay = 3;

export const displayRequestSchema = z.discriminatedUnion('type', [
  /** Shows this stream from now on; null ends it. */
  z.object({ type: z.literal('view'), streamId: z.int().positive().nullable() }),
  /** The window is done with the picture of this sequence: another one may come. */
  z.object({ type: z.literal('done'), sequence: z.int() }),
]);
export type DisplayRequest = z.infer<typeof displayRequestSchema>;

export interface ViewedPicture {
  /** Null if its code cannot be read. */
  frameNumber: number | null;
  /** Of the frame code; another one is another start of the source. */
  sourceId: number;
  /** As captured. */
  streamWidth: number;
  streamHeight: number;
  /** It has every other line of its frame. */
  isField: boolean;
  rateNumerator: number;
  rateDenominator: number;
  /** Of `pixels`. */
  width: number;
  height: number;
  /** Every how many-th pixel and row was kept; 1: all. */
  reducedBy: number;
  /** Only frames whose number is a multiple of this are shown; 1: all. */
  everyNth: number;
  pixelFormat: PixelFormat;
  /** In that format, rows packed. */
  pixels: Uint8Array;
}

export interface PictureMessage extends ViewedPicture {
  type: 'picture';
  streamId: number;
  /** Rises by 1 with each picture of a port. */
  sequence: number;
}

export interface CapturedMessage {
  type: 'captured';
  streamId: number;
  /** In the order of capture; pictures without a readable code are left out. */
  sourceIds: Uint16Array;
  frameNumbers: Uint32Array;
}

export type DisplayMessage = PictureMessage | CapturedMessage;

/** How far a frame came on its way to the display; the order is the way's. */
export const DisplayStage = { captured: 0, delivered: 1, uploaded: 2, presented: 3 } as const;
export type DisplayStage = (typeof DisplayStage)[keyof typeof DisplayStage];

/** What became of a frame: the last stage that it reached, or it was left out on purpose. */
export const leftOutFate = 4;
export type DisplayFate = DisplayStage | typeof leftOutFate;

/** Between two reports of a window that shows a stream. */
export const displayReportMs = 250;
/** Of a window that stood still for some minutes; one that has more to report sends it in several reports. */
export const mostFramesReported = 20_000;

/**
 * What became of frames in a display window, for the rows: window → engine, a few times a second. Each frame is reported
 * once, when its time is over, captured frames that never came into the window as well.
 */
export const displayReportSchema = z
  .object({
    streamId: z.int().positive(),
    sourceIds: z.array(z.int().min(0).max(0xffff)).max(mostFramesReported),
    frameNumbers: z.array(z.int().min(0).max(0xffff_ffff)).max(mostFramesReported),
    /** `DisplayFate` of each. */
    fates: z.array(z.int().min(DisplayStage.captured).max(leftOutFate)).max(mostFramesReported),
    /** False: the browser does not report what it presented, and `uploaded` is as far as a frame can be followed. */
    isPresentationKnown: z.boolean(),
    /** Compositor ticks missed since the report before. */
    ticksMissed: z.int().nonnegative(),
  })
  .refine(
    ({ sourceIds, frameNumbers, fates }) =>
      sourceIds.length === fates.length && frameNumbers.length === fates.length,
    'columns of one length',
  );
export type DisplayReport = z.infer<typeof displayReportSchema>;

/** A display of this machine, as the menu of the display window lists it. */
export interface DisplayFacts {
  id: string;
  /** Empty if the system does not report it. */
  label: string;
  /** In its own pixels. */
  width: number;
  height: number;
  refreshHz: number;
  /** The display window stands on it. */
  isShown: boolean;
}
