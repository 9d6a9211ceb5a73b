import type { Verdict } from '../../app/facts/verdict';
import type { AddingPhase, StreamState, StreamView } from '../../app/protocol/console';
import type { FrameFormat } from '../../app/protocol/records';
import { elsewhereTexts } from './elsewhere';

export const streamsTexts = {
  title: 'Streams',
  emptyTitle: 'No stream yet',
  first: {
    title: 'How many streams does this PC carry?',
    lines: [
      'Whiteline sends NDI streams, receives them again, and counts every frame that is lost on the way.',
      'A ramp adds one stream after the other and measures each step, until this PC is at its limit.',
    ],
    inside: (machine: string) =>
      `Streams that start here stay inside ${machine} and use no network card. To test a network, choose two machines of the fleet, or run “whiteline watch” on the other PC.`,
    between: (from: string, to: string) => `Streams go from ${from} to ${to}, over the network.`,
    here: 'this machine',
    tryIt: 'Try it on this machine',
    tryItHelp: 'About 30 s: two small streams, a result, a report',
  },
  ended: (to: string | null) =>
    `Stopped. ${to === null ? '' : `The figures are those counted to ${to}. `}The table has the final ones; where it has none, the row’s details say why.`,
  endingTitle: 'The run is ending',
  endingText: 'Its streams are closed and its files are written.',
  endedState: 'Stopped',
  result: {
    title: 'Result of the ramp',
    lostChart: {
      title: 'Frames lost or not sent',
      figures: [
        { metric: 'framesDropped', label: 'Dropped' },
        { metric: 'framesUndecodable', label: 'Undecodable' },
        { metric: 'framesSpoilt', label: 'Spoilt' },
        { metric: 'framesSenderMissed', label: 'Missed by the sender' },
        { metric: 'framesInOutages', label: 'In outages (estimate)' },
      ],
    },
    firstMissed: (streams: number) =>
      `The sender missed frames with ${streams === 1 ? '1 stream' : `${streams} streams`}:`,
    moreCauses: (causes: number) => `${causes} more`,
    openRun: 'Open run',
    openReport: 'Report',
  },
  silent: 'The engine sends nothing: these are its last figures.',
  addingTitle: 'Adding a stream',
  adding: {
    opening: 'Whiteline reads this machine’s properties and opens the source.',
    baseline: 'Row 0 comes first: this machine is measured without a stream, for 2\u00a0s.',
    connecting: 'The stream is being connected.',
  } satisfies Record<AddingPhase, string>,
  emptyText: ['Press ', ' to add a stream and watch it, or ', ' to start the ramp and measure.'],
  /** The run that the first stream began goes on without any. */
  liveEmptyText: ['The live run goes on. Press ', ' to add a stream, or ', ' to end the run.'],
  baselineText: 'The baseline is being measured: the source plays, nothing is sent.',
  label: (streamId: number) => `Stream ${streamId}`,
  /** A sender that is not found yet has no size; a field has half the lines of its frame. */
  format: (
    width: number,
    height: number,
    framesPerSecond: string,
    frameFormat: FrameFormat | null = null,
  ) => {
    if (width === 0) return '–';
    const lines = frameFormat === 'fields' ? 2 * height : height;
    const scan = frameFormat === 'fields' || frameFormat === 'interleaved' ? 'i' : '';
    return `${width}×${lines}${scan} @ ${framesPerSecond}`;
  },
  preview: (streamId: number) => `Live picture of stream ${streamId}`,
  elsewhere: elsewhereTexts,
  notYet: 'Not measured yet',
  notMeasured: (reason: string) => `Not measured: ${reason}`,
  notAllMeasured: (reason: string) => `Not measured for part of the time: ${reason}`,
  states: {
    searching: 'Searching',
    connecting: 'Connecting',
    'warming-up': 'Warming up',
    receiving: 'Receiving',
    stalled: 'Stalled',
    undecodable: 'Undecodable',
    'wrong-source': 'Wrong source',
    'no-video': 'No video',
    'sender-gone': 'Not connected',
    'stale-entry': 'Stale entry',
    removing: 'Removing',
  } satisfies Record<StreamState, string>,
  countedTo: (to: string) => `Counted from the end of the warm-up to ${to}`,
  lostNow: 'Lost now',
  lostNowHelp: 'Frames dropped, undecodable or spoilt in the last full second',
  now: (count: string) => `now ${count}`,
  lostTotal: 'Lost',
  lostTotalHelp:
    'Frames that did not arrive whole (dropped, undecodable or spoilt) since the end of the warm-up',
  notSent: 'Not sent',
  notSentHelp:
    'Frames that were due and that the sender did not send. The cause lies at the sender or its source, not on the network. They do not count as lost.',
  notSentShort: (count: string) => `${count} not sent`,
  outageShort: (length: string) => `outage ${length}`,
  noSenderRecords: 'Not measured: the sender does not report what it sent',
  /** Of frames that were sent with an older picture: their own came too late, or is damaged in its file. */
  late: (late: string) => `${late} late`,
  damaged: (damaged: string) => `${damaged} damaged`,
  bitrateHelp:
    'What the sender’s sockets sent in the last second, with sound and resent data. For a sender of another machine: what arrived here. Measured only while this is the only stream.',
  deliveredFps: 'Received',
  deliveredFpsHelp: 'New frames received in the last full second',
  framesPerSecond: 'fps',
  inOutages: 'Lost in outages',
  inOutagesHelp:
    'An estimate: the frames that were due at this rate while no new picture arrived. Lost does not include them.',
  about: (count: string) => `≈ ${count}`,
  withEstimate: (counted: string, estimated: string) =>
    `Counted: ${counted}. Estimated from the frame rate while no new picture arrived: about ${estimated}`,
  recovered: 'Recovered after',
  recoveredHelp: 'How long the last interruption lasted, until video came back',
  views: {
    label: 'How the streams are shown',
    options: [
      ['auto', 'Auto'],
      ['strips', 'Strips'],
      ['rows', 'Rows'],
      ['grid', 'Grid'],
      ['pictures', 'Pictures'],
    ],
  },
  /** Where the name that NDI lists is another one. */
  ndiName: (name: string) => `NDI: ${name}`,
  rename: {
    title: (name: string) => `Rename ${name}`,
    label: 'Name in this console and its reports',
    help: (ndiName: string) =>
      `From the next row on. On the network it stays ${ndiName}: receivers find it by that name.`,
  },
  details: 'Details',
  lossLine: (frames: number) => `Lost in the last 60 s: ${frames}`,
  lossLineUnknown: 'Lost in the last 60 s: not measured',
  noSound: 'no sound',
  dbfs: (level: string) => `${level.replace('-', '−')} dBFS`,
  audioLevel: (dbfs: string) => `Peak of the sound in the last 250 ms: ${dbfs}`,
  columns: { name: 'Stream', state: 'State' },
  plusMinus: (milliseconds: string) => `± ${milliseconds}`,
  notOfForeign: 'Not measured: the sender carries no frame code and reports no records',
  followed: {
    'frame-code': 'Live, by frame code',
    timestamps: 'Live, by timestamps',
  } satisfies Record<StreamView['method'], string>,
  followedText: {
    'frame-code': 'another program sends it.',
    timestamps: 'the pictures carry no frame code, so where a frame was lost cannot be known.',
  } satisfies Record<StreamView['method'], string>,
  followedHelp: {
    'frame-code':
      'This console does not send it. Each frame is identified by the code in its picture. If the sender also reports its records, each loss has its stage.',
    timestamps:
      'This console does not send it, and its pictures carry no frame code. Missing frames are detected by the timestamps that NDI gives each frame. Where they were lost cannot be known.',
  } satisfies Record<StreamView['method'], string>,
  interlaced: {
    fields: {
      lead: 'Interlaced',
      text: 'each field arrives as a separate picture and counts as a frame: two in each frame period.',
    },
    interleaved: {
      lead: 'Interlaced',
      text: 'both fields arrive in one picture, which counts as one frame.',
    },
  } satisfies Record<Exclude<FrameFormat, 'progressive'>, { lead: string; text: string }>,
  notCounted: 'These pictures are not counted.',
  notCountedYet: 'Nothing is counted until it can be read.',
  countedUndecodable: 'These pictures count as undecodable, and so as lost.',
  lastLoss: 'Last loss',
  lastMiss: 'Last miss',
  lastOutage: 'Last outage',
  verdict: (verdict: Verdict) => `${verdict} since its start:`,
} as const;
