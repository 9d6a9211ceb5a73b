import type { Verdict } from '../../app/facts/verdict';
import type { AddingPhase, StreamState, StreamView } from '../../app/protocol/console';
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
    `Stopped. ${to === null ? '' : `The figures are those counted to ${to}. `}The table has the final ones.`,
  endedState: 'Stopped',
  result: {
    title: 'Result of the ramp',
    lostChart: {
      title: 'Frames lost or not sent',
      figures: [
        { metric: 'framesDropped', label: 'Dropped' },
        { metric: 'framesUndecodable', label: 'Undecodable' },
        { metric: 'framesSenderMissed', label: 'Missed by the sender' },
      ],
    },
    firstMissed: (streams: number) =>
      `The sender missed frames with ${streams === 1 ? '1 stream' : `${streams} streams`}:`,
    openRun: 'Open run',
    openReport: 'Report',
  },
  silent: 'Nothing comes from the engine: these figures are the last that came.',
  addingTitle: 'Adding a stream',
  adding: {
    opening: 'This machine is read, and the source is opened.',
    baseline: 'Row 0 comes first: this machine is measured without a stream, for 2\u00a0s.',
    connecting: 'The stream is being connected.',
  } satisfies Record<AddingPhase, string>,
  emptyText: ['Press ', ' to add a stream and watch it, or ', ' to start the ramp and measure.'],
  /** The run that the first stream began goes on without any. */
  liveEmptyText: ['The live run goes on. Press ', ' to add a stream, or ', ' to end the run.'],
  baselineText: 'The baseline is being measured: the source plays, nothing is sent.',
  label: (streamId: number) => `Stream ${streamId}`,
  /** A sender that is not found yet has no size. */
  format: (width: number, height: number, framesPerSecond: string) =>
    width === 0 ? '–' : `${width}×${height} @ ${framesPerSecond}`,
  preview: (streamId: number) => `Live picture of stream ${streamId}`,
  elsewhere: elsewhereTexts,
  notYet: 'Not measured yet',
  notMeasured: (reason: string) => `Not measured: ${reason}`,
  notAllMeasured: (reason: string) => `Not measured all the time: ${reason}`,
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
  lostNowHelp: 'Frames dropped, undecodable or spoilt in the newest full second',
  lostTotal: 'Lost in total',
  lostTotalHelp: 'Frames dropped, undecodable or spoilt since the end of the warm-up',
  deliveredFps: 'Delivered',
  deliveredFpsHelp: 'New frames received in the newest full second',
  framesPerSecond: 'fps',
  inOutages: 'Lost in outages',
  inOutagesHelp:
    'Frames that were due by the rate while no new picture came: an estimate, beside the frames that were counted as lost',
  about: (count: string) => `≈ ${count}`,
  withEstimate: (counted: string, estimated: string) =>
    `Counted: ${counted}; while no new picture came, by the rate: about ${estimated}`,
  recovered: 'Recovered after',
  recoveredHelp: 'How long the newest interruption lasted until video came back',
  plusMinus: (milliseconds: string) => `± ${milliseconds}`,
  notOfForeign: 'Not measured: the sender carries no frame code and reports no records',
  followed: {
    'frame-code': 'Live, by frame code',
    timestamps: 'Live, by timestamps',
  } satisfies Record<StreamView['method'], string>,
  followedHelp: {
    'frame-code':
      'The sender is not this console’s. Each of its frames is known by the code in its picture; where the sender reports its records too, losses are separated by place.',
    timestamps:
      'The sender is not this console’s and its pictures carry no frame code: what is missing is detected by the timestamps that NDI gives each frame, and where it was lost cannot be known.',
  } satisfies Record<StreamView['method'], string>,
  lastLoss: 'Last loss',
  lastMiss: 'Last miss',
  verdict: (verdict: Verdict) => `${verdict}:`,
} as const;
