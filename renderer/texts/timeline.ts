import type { TimelineBlock } from '../../app/protocol/timeline';

type Sums = Pick<TimelineBlock, 'lostFrames' | 'notSentFrames' | 'outageFrames'>;

export const timelineTexts = {
  title: (stream: string) => `Timeline of ${stream}`,
  open: (streamId: number) => `Timeline of stream ${streamId}`,
  short: 'Timeline',
  span: 'Time shown',
  spans: { minute: 'Newest minute', run: 'Whole run' },
  /** Describes the drawing to screen readers. */
  drawing: (stream: string) =>
    `Intervals between the pictures of ${stream} over time, in milliseconds, and its losses`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  all: 'All',
  each: 'Each dot is the interval between two pictures.',
  together: 'Each line spans the shortest to the longest interval within a short period.',
  interval: 'Interval ms',
  none: 'No picture has come yet.',
  gone: 'The stream has ended. The timeline stays as it was.',
  losses: (places: number, sums: Sums) => {
    const { lostFrames, notSentFrames, outageFrames } = sums;
    const where = places === 1 ? 'in 1 place' : `in ${places} places`;
    if (lostFrames === null && outageFrames === null)
      return `Lost frames since the warm-up: not measured${places === 0 ? '' : `, ${where}`}.`;
    if (places === 0) return 'No loss since the warm-up.';
    const lost = (lostFrames ?? 0) + (outageFrames ?? 0);
    const lostText = `${outageFrames === null ? '' : '≈ '}${lost === 1 ? '1 frame' : `${lost} frames`} lost`;
    const inOutages = outageFrames === null ? '' : ` (≈ ${outageFrames} of them in outages)`;
    const notSent = notSentFrames === null ? '' : ` and ${notSentFrames} not sent`;
    return `${lostText}${inOutages}${notSent}, ${where} since the warm-up.`;
  },
  unlisted: (frames: number) => `${frames} more lost frames are in losses that are not listed.`,
  previous: 'Previous loss',
  next: 'Next loss',
  frames: (which: string) => `${which.charAt(0).toUpperCase()}${which.slice(1)}`,
  outage: 'Outage',
  choose:
    'Click a mark, or press ← or →, to read what is known about a loss. Drag to zoom. A filled mark: frames never arrived. Hollow: not sent. Half height: arrived spoilt. A thin bar: no picture came, and the frames are an estimate.',
} as const;
