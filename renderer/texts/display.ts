import type { DrawFault } from '../display/display-picture';
import type { NoFeedback } from '../display/feedback-trial';

/** The display window. Headings of its figures: the registry of metrics. */
export const displayTexts = {
  title: 'Display window',
  picture: (name: string) => `${name}: every picture as received`,
  stream: 'Stream',
  noStream: 'No stream',
  display: 'Display',
  displayName: (number: number, label: string, size: string, refreshHz: string) =>
    `${label || `Display ${number}`} · ${size}${refreshHz === '' ? '' : ` · ${refreshHz} Hz`}`,
  fullScreen: 'Full screen',
  hide: 'Hide the figures',
  figures: 'Figures',
  newestFrame: 'Newest frame',
  size: (size: string, rate: string) => `${size} @ ${rate}`,
  fullSize: 'shown in full size and at full rate',
  reduced: (size: string) => `reduced to ${size}`,
  reducedRate: (everyNth: number) => `one frame in ${everyNth} shown`,
  feedback: {
    known: 'Presented: reported by the browser’s compositor, frame by frame. Scan-out is not measured.',
    unknown: (reason: string) =>
      `Presented is not measured: ${reason}. Missed compositor ticks are shown instead. Scan-out is not measured.`,
    reasons: {
      probing: 'Whiteline is still checking whether the browser reports it',
      'no-interface': 'this browser does not report single frames',
      'no-callbacks': 'the browser sent no report',
      'too-slow': 'without a GPU the browser reports it too late',
    } satisfies Record<NoFeedback, string>,
  },
  noNumbers: 'Frames are not counted: no picture with a readable frame code has come yet.',
  emptyTitle: 'No stream to show',
  emptyText: 'Add a stream in the console; it shows here at once.',
  waiting: 'Waiting for the first picture',
  crashed: 'The engine has ended. Restart it in the console.',
  faults: {
    'no-webgl2': 'This window has no WebGL2, so it cannot draw pictures.',
    'context-lost': 'The GPU was lost. Waiting for it.',
    'webgl-failed': 'WebGL2 refused the picture.',
  } satisfies Record<DrawFault, string>,
  /** Of a row. */
  shown: 'Shown by the display window',
  keys: '← → stream · M next display · F full screen · H figures · D or Esc closes',
} as const;
