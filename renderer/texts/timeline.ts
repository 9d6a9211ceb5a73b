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
  together: 'Each line spans the shortest to the longest interval of a short time.',
  interval: 'Interval ms',
  none: 'No picture has come yet.',
  gone: 'The stream has ended. The timeline stays as it was.',
  noLosses: 'No loss since the warm-up.',
  losses: (places: number, { lostFrames, notSentFrames }: { lostFrames: number; notSentFrames: number }) =>
    `${lostFrames === 1 ? '1 frame' : `${lostFrames} frames`} lost and ${notSentFrames} not sent, in ${places === 1 ? '1 place' : `${places} places`} since the warm-up`,
  unlisted: (frames: number) => `${frames} more lost frames are in losses that are not listed.`,
  previous: 'Previous loss',
  next: 'Next loss',
  frames: (first: number, last: number) => (first === last ? `Frame ${first}` : `Frames ${first} to ${last}`),
  choose:
    'Click a mark, or press ← or →, to read what is known about a loss. Drag to zoom. A filled mark: frames never came. Hollow: not sent. Half height: came spoilt.',
} as const;
