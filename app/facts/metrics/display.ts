import { aggregated, count, type Metric, total } from './metric';

const settled = 'of frames whose time is over: one second from the first that was heard of them';
const matched = `frame numbers, stage by stage, ${settled}`;

const showing = 'display window, by frame number';
const wholeRow =
  'Not measured unless a display window showed the stream for the whole row. For a row: the sum over the streams that it showed.';

/** What a row reports of the streams that a display window showed. */
export const shownMetrics = aggregated('sum-of-known', [
  total(
    'framesDisplayShown',
    'Shown',
    'higher',
    'captured frames of the row that were presented in their time, or uploaded where presented is not measured',
    `Frames that the display window showed. ${wholeRow}`,
    showing,
  ),
  total(
    'framesDisplayMissed',
    'Not shown',
    'lower',
    'not shown in delivery + in upload + in presentation',
    `Captured, but not shown by the display window in time. ${wholeRow}`,
    showing,
  ),
  total(
    'framesDisplayMissedDelivery',
    'not shown: delivery',
    'lower',
    'captured, to be shown, not delivered',
    'The display window was busy with earlier pictures. Three can be on their way and three can wait; then the oldest is dropped.',
    showing,
  ),
  total(
    'framesDisplayMissedUpload',
    'not shown: upload',
    'lower',
    'delivered − uploaded',
    'The picture reached the window, but a newer one replaced it before the next refresh, or WebGL2 was lost.',
    showing,
  ),
  total(
    'framesDisplayMissedPresentation',
    'not shown: presentation',
    'lower',
    'uploaded − presented',
    'The picture was drawn, but the browser composed another one in its place. Not measured without the browser’s feedback.',
    showing,
  ),
  total(
    'displayTicksMissed',
    'Compositor ticks missed',
    'lower',
    'Σ(round(interval / period) − 1) over the compositor ticks of the row',
    'How often the display window was not ready for a refresh. It replaces presentation if that is not measured. It says nothing about single frames. Exact to a quarter of a second.',
    'timestamps of requestAnimationFrame in the display window',
  ),
]);

/** Figures of the display window: shown there, and in no row. Counting begins with the first picture that is delivered. */
export const displayMetrics: readonly Metric[] = [
  count(
    'display.captured',
    'Captured',
    'none',
    'distinct frame numbers that the receiver captured = shown + display-missed + left out',
    'Frames that the display window had to show.',
    'capture records of the receiver',
  ),
  count(
    'display.delivered',
    'Delivered',
    'none',
    'distinct frame numbers of pictures that came into the window',
    'Frames whose picture reached the window.',
    'number beside each picture',
  ),
  count(
    'display.uploaded',
    'Uploaded',
    'none',
    'distinct frame numbers whose texture upload and drawing had returned',
    'Frames that were handed to WebGL2 and drawn, at most one at each refresh.',
    'after texSubImage2D and the draw call',
  ),
  count(
    'display.presented',
    'Presented',
    'higher',
    'distinct frame numbers that the browser reported as given to its compositor',
    'Frames that the browser composed into the window. Not measured where the browser does not report it. When the display itself showed them is not measured.',
    'requestVideoFrameCallback: media time and presentedFrames',
  ),
  count(
    'display.missed',
    'Display-missed',
    'lower',
    'missed in delivery + in upload + in presentation',
    'Captured, but not shown in time. Shown means presented where that is measured, otherwise uploaded.',
    matched,
  ),
  count(
    'display.missedDelivery',
    'in delivery',
    'lower',
    'captured − left out − delivered',
    'The window was busy with earlier pictures. Three can be on their way and three can wait; then the oldest is dropped.',
    matched,
  ),
  count(
    'display.missedUpload',
    'in upload',
    'lower',
    'delivered − uploaded',
    'The picture reached the window, but a newer one replaced it before the next refresh, or WebGL2 was lost.',
    matched,
  ),
  count(
    'display.missedPresentation',
    'in presentation',
    'lower',
    'uploaded − presented',
    'The picture was drawn, but the browser composed another one in its place. Not measured without the browser’s feedback.',
    matched,
  ),
  count(
    'display.leftOut',
    'Left out',
    'none',
    'captured frames whose number is no multiple of ⌈rate / 60⌉',
    'Frames left out on purpose, because the stream has more than 60 a second. They do not count as missed.',
    'frame numbers',
  ),
  count(
    'display.compositorTicksMissed',
    'Compositor ticks missed',
    'lower',
    'Σ(round(interval / period) − 1) over compositor ticks; period of the display: as the system says, otherwise the shortest that a window measured there',
    'How often the display showed no new picture of the window because it was not ready. It says nothing about single frames.',
    'timestamps of requestAnimationFrame',
  ),
  {
    ...{ id: 'display.refreshHz', heading: 'Refresh, estimated', unit: 'Hz', digits: 2, direction: 'none' },
    formula: 'refreshes / time over the last 120 compositor ticks',
    description:
      'Highest rate at which the display shows new pictures. All windows on a display use the same rate.',
    source: 'timestamps of requestAnimationFrame',
  },
];
