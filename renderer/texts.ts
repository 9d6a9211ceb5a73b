import type { EngineState, RampPhase, StreamState, StreamView } from '../app/protocol/console';
import type { LossStage } from '../app/protocol/row';
import type { Run } from '../app/protocol/run';
import type { ExportKind } from '../app/protocol/shell';
import type { TextureFormat } from '../app/protocol/textures';
import type { Verdict } from '../app/protocol/verdict';
import type { NativeReason } from './source-view/shown';

/** Every sentence and word that an operator reads, in one place. Headings of figures: the registry of metrics. */
export const texts = {
  title: 'Whiteline',

  actions: {
    addStream: 'Add stream',
    removeStream: 'Remove',
    startRamp: 'Start ramp',
    stop: 'Stop',
    whiteLine: 'White line',
    export: 'Export',
    shortcuts: 'Shortcuts',
    about: 'About',
    freeze: 'Freeze',
    frozen: 'Frozen',
    showNewest: 'Show the newest',
    showWhole: 'Show the whole run',
    dismiss: 'Dismiss',
    close: 'Close',
    restartEngine: 'Restart engine',
    openFolder: 'Open the runs folder',
    removeThis: (streamId: number) => `Remove stream ${streamId}`,
    viewSourceOf: (streamId: number) => `View the source of stream ${streamId}`,
    dismissThis: (message: string) => `Dismiss: ${message}`,
  },

  modes: {
    idle: 'Idle',
    live: 'Live',
    ramp: 'Ramp',
    stopping: 'Stopping',
  } satisfies Record<EngineState['mode'], string>,

  engine: {
    starting: 'Engine starting',
    running: 'Engine running',
    crashed: 'Engine stopped',
    startingText: 'The engine is starting. This takes a second or two.',
    crashedTitle: 'The engine has stopped unexpectedly',
    crashedText: (exitCode: number) =>
      `Its process ended with code ${exitCode}. All streams have ended with it. What was recorded up to a second before is kept in the run’s folder.`,
  },

  ndi: {
    loading: 'NDI loading',
    /** The runtime tells its version with platform and build time before it; the figures are at the end. */
    version: (version: string) => `NDI ${/[\d.]+$/.exec(version)?.[0] ?? version}`,
    missing: 'NDI not found',
    missingTitle: 'The NDI runtime was not found',
    missingText:
      'Streams need it. Everything else works: the white line in full screen, and runs that were recorded before.',
    missingRemedy: 'Install the NDI runtime from ndi.video, then restart Whiteline.',
    link: 'ndi.video',
    notice: 'NDI® is a registered trademark of Vizrt NDI AB',
  },

  source: {
    title: 'Source',
    kinds: { 'white-line': 'White line', noise: 'Noise', movie: 'Movie' },
    chooseMovie: 'Choose a movie…',
    movieHint: 'Or drop a movie anywhere onto this window.',
    movieFormat: 'A movie is sent at its own size and rate.',
    dropHere: 'Drop to play this movie',
    size: 'Size',
    rate: 'Frames per second',
    format: 'Format',
    formatHint: 'WIDTHxHEIGHT@RATE',
  },

  ramp: {
    title: 'Ramp',
    maxStreams: 'Streams',
    holdSeconds: 'Hold',
    warmUpSeconds: 'Warm-up',
    seconds: 's',
    audio: 'Send sound along',
    audioHelp: 'A tone burst once a second, so that sound against picture is measured',
    explanation: 'One stream more for each row, measured for the hold time.',
    step: (streams: number, maxStreams: number) =>
      streams === 0 ? 'Baseline, no stream' : `${streams} of ${maxStreams} streams`,
    left: (duration: string) => `${duration} left`,
    phases: {
      baseline: 'Measuring the baseline',
      connecting: 'Connecting',
      'warm-up': 'Warming up',
      measuring: 'Measuring',
      draining: 'Waiting for the last frames',
    } satisfies Record<RampPhase, string>,
  },

  verdict: {
    title: 'Verdict',
    none: 'No verdict',
    noneText: 'Add a stream or start the ramp to get one.',
    measuring: 'Measuring',
    meaning: {
      PASS: 'Flawless: no frame was lost.',
      WARN: 'Acceptable: at most one frame lost in any two seconds.',
      FAIL: 'Frames were lost or a stream stood still.',
      INVALID: 'The instrument itself could not keep up: nothing is said about the thing under test.',
    } satisfies Record<Verdict, string>,
    announced: (verdict: Verdict, reason: string) => `Verdict ${verdict}. ${reason}`,
  },

  streams: {
    title: 'Streams',
    emptyTitle: 'No stream yet',
    emptyText: ['Press ', ' to add a stream and watch it, or ', ' to start the ramp and measure.'],
    baselineText: 'The baseline is being measured: the source plays, nothing is sent.',
    label: (streamId: number) => `Stream ${streamId}`,
    format: (width: number, height: number, framesPerSecond: string) =>
      `${width}×${height} @ ${framesPerSecond}`,
    preview: (streamId: number) => `Live picture of stream ${streamId}`,
    notYet: 'Not measured yet',
    states: {
      searching: 'Searching',
      connecting: 'Connecting',
      'warming-up': 'Warming up',
      receiving: 'Receiving',
      stalled: 'Stalled',
      undecodable: 'Undecodable',
      'wrong-source': 'Wrong source',
      'no-video': 'Connected, no video',
      'sender-gone': 'Sender gone',
      'stale-entry': 'Stale entry',
      removing: 'Removing',
    } satisfies Record<StreamState, string>,
    lostNow: 'Lost now',
    lostNowHelp: 'Frames dropped or undecodable in the newest full second',
    lostTotal: 'Lost in total',
    lostTotalHelp: 'Frames dropped or undecodable since the end of the warm-up',
    deliveredFps: 'Delivered',
    deliveredFpsHelp: 'New frames received in the newest full second',
    framesPerSecond: 'fps',
    recovered: 'Recovered after',
    recoveredHelp: 'How long the newest interruption lasted until video came back',
    plusMinus: (milliseconds: string) => `± ${milliseconds}`,
    notOfForeign: 'Not measured: the sender carries no frame code and tells no records',
    byTimestamps: (heading: string) => `${heading} (timestamps)`,
    lastLoss: 'Last loss',
    verdict: (verdict: Verdict) => `${verdict}:`,
  },

  methods: { 'frame-code': 'frame code', timestamps: 'timestamps' } satisfies Record<
    StreamView['method'],
    string
  >,

  losses: {
    title: 'Losses and their causes',
    stages: {
      sender: 'Sender',
      'receiver-queue': 'Receiver’s queue',
      transport: 'Transport',
      undecodable: 'Undecodable',
      missing: 'Not told where',
    } satisfies Record<LossStage, string>,
    row: 'Row',
    stream: 'Stream',
    time: 'Time',
    frames: 'Frames',
    stage: 'Where',
    text: 'What happened',
    streams: 'Streams',
    together: (streams: number) => `on ${streams} streams at once`,
    alone: 'on this one alone',
    none: 'No frame lost',
    ofRow: (row: number, text: string) => `Row ${row}: ${text}`,
    unknown: 'Not measured: the run was recorded before losses were explained.',
    listed: (listed: string, counted: string) =>
      `The list explains ${listed} of ${counted} lost frames: it ends after the first losses of a stream.`,
    more: (losses: string) => `${losses} more losses are in the report and in the run’s rows.jsonl.`,
    moreInFile: (losses: string) => `${losses} more losses are in the run’s rows.jsonl.`,
  },

  gaps: {
    title: 'Gaps',
    unknown: 'Not measured: the run was recorded before gaps were counted.',
    none: (rows: number[]) => `No gap in ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}.`,
  },

  times: {
    title: 'Latency and intervals',
    jitter: 'Jitter',
    perStream: 'Single streams',
    method: 'Method',
  },

  charts: {
    title: 'Load and loss over time',
    cpu: 'CPU',
    gpu: 'GPU',
    network: 'Network',
    lost: 'Lost frames',
    machine: 'Machine',
    sending: 'Sending',
    receiving: 'Receiving',
    loopback: 'Loopback',
    wireOut: 'Wire out',
    wireIn: 'Wire in',
    allStreams: 'All streams',
    percent: '%',
    mbps: 'Mb/s',
    perSecond: '/s',
    waiting: { load: 'Waiting for the first sample', loss: 'No frame has been followed yet' },
    notMeasured: (reason: string) => `Not measured: ${reason}`,
    noReason: 'no reason was given',
  },

  table: {
    title: 'The study',
    caption: 'One row per added stream; row 0 is the baseline with no stream',
    empty: 'The table grows by one row with each stream of a ramp.',
    groups: { sender: 'Sender', receiver: 'Receiver', frames: 'Frames', lost: 'Lost', time: 'Time' },
    streams: 'Streams',
    verdict: 'Verdict',
    reason: 'Reason',
    live: 'live',
    liveHelp: 'This row is still being measured',
    showDetail: (row: number) => `Row ${row}: losses, gaps and intervals`,
    facts: 'Of this row',
    senderMissed: 'Sender missed',
    senderMissedHelp: 'The sender itself missed frames: the machine that sends is at its limit',
    notMeasured: (reason: string | undefined) => `Not measured: ${reason ?? 'no reason was given'}`,
  },

  alerts: {
    title: 'Alerts',
    severities: { error: 'Error', warning: 'Warning', info: 'Note' },
    exported: (path: string) => `The run was written to ${path}`,
    engineGone: 'The engine ended before it answered',
    engineGoneRemedy: 'Restart the engine and try again',
  },

  export: {
    title: 'Export the newest run',
    kinds: {
      html: 'Report (HTML)',
      json: 'Run (JSON)',
      csv: 'Rows (CSV)',
    } satisfies Record<ExportKind, string>,
    help: {
      html: 'One file that opens in any browser, offline',
      json: 'All rows, parameters and environment',
      csv: 'One line per row of the table',
    } satisfies Record<ExportKind, string>,
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    zoom: 'Drag in a chart',
    zoomText: 'Zoom in; double-click shows the newest again',
    list: [
      ['A', 'Add a stream'],
      ['R', 'Remove the newest stream'],
      ['Space', 'Start the ramp'],
      ['Esc', 'Stop; close what is open'],
      ['F', 'White line in full screen, on and off'],
      ['V', 'View the source of the newest stream, on and off'],
      ['E', 'Export the newest run'],
      ['P', 'Freeze the charts, and let them go'],
      ['T', 'Dark or light'],
      ['Enter', 'On a row of the table: its losses, gaps and intervals'],
      ['?', 'This sheet'],
    ] as const,
  },

  about: {
    title: 'About Whiteline',
    text: 'Puts video streams on a network one by one, follows every frame, and says what each stream costs.',
    licence: 'Whiteline is licensed under the Apache License 2.0.',
    ndi: 'NDI® is a registered trademark of Vizrt NDI AB. More about NDI:',
    runtime: (version: string, path: string) => `NDI runtime ${version}, loaded from ${path}`,
    others:
      'Made with Electron, React, uPlot, zustand, zod and bcdec (MIT), Snappy (BSD) and yaml (ISC). Movies that are not Hap are read with FFmpeg where it is installed.',
  },

  report: {
    title: 'Whiteline report',
    empty: 'This report holds no run.',
    noVerdict: 'The run has no verdict.',
    states: {
      running: 'not ended yet',
      finished: 'finished',
      aborted: 'stopped by the operator',
      failed: 'failed',
      interrupted: 'interrupted: the process that measured is gone',
    } satisfies Record<Run['state'], string>,
    started: 'Started',
    lasted: 'Lasted',
    state: 'State',
    study: 'The study',
    charts: 'Load and loss over time',
    streamFrames: 'Single streams: frames',
    streamPictures: 'Single streams: pictures and pauses',
    streamTimes: 'Single streams: times and sound',
    rowOf: (row: number, streams: number) =>
      `Row ${row}, ${streams === 1 ? '1 stream' : `${streams} streams`}`,
    repeat: 'To repeat this run',
    parameters: 'Parameters',
    environment: 'Environment',
    thresholds: 'Thresholds',
    definitions: 'How each figure was measured',
    figure: 'Figure',
    meaning: 'Meaning',
    formula: 'Formula',
    source: 'Taken from',
    verdicts: 'Verdicts',
    notGiven: 'not given',
    lostLegend:
      'A dash is a figure that was not measured; the reason stands behind it as a tooltip and below.',
    notMeasured: 'Not measured',
    missing: (rows: number[], figures: string[]) =>
      `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}: ${figures.join(', ')}`,
  },

  whiteLine: {
    missed: 'Compositor ticks missed',
    scanOut: 'Scan-out is not measured.',
    refresh: 'Refresh, estimated',
    hertz: 'Hz',
    close: 'F or Esc closes',
    label: 'The white line',
  },

  sourceView: {
    title: (name: string) => `${name}: the source`,
    received: (name: string) => `${name}: as received`,
    close: 'V or Esc closes',
    blocksFigures: (frame: number, frames: number, size: string, picturesPerSecond: string) =>
      `Frame ${frame} (0 to ${frames - 1}) · ${size} · ${picturesPerSecond} pictures/s`,
    previewFigures: (frame: string, size: string, previewSize: string) =>
      `Frame ${frame} of the stream · ${size === previewSize ? size : `${size}, reduced to ${previewSize}`}`,
    blocks: 'Compressed blocks on the GPU',
    blocksBySoftware: 'Compressed blocks, drawn by the processor and seldom, for want of a GPU',
    blocksText:
      'The movie’s own picture, without line and code. It is read once more for this view, which costs the sending process a little.',
    formats: {
      'bc1-rgb': 'BC1',
      'bc3-rgba': 'BC3 with alpha, over the grid',
      'bc3-scaled-ycocg': 'BC3, scaled YCoCg',
      'bc4-alpha': 'BC4',
      'bc7-rgba': 'BC7',
      'bc6h-unsigned': 'BC6H',
      'bc6h-signed': 'BC6H, signed',
    } satisfies Record<TextureFormat, string>,
    andAlpha: ', and BC4 alpha over the grid',
    native: 'Native preview',
    nativeText: 'The picture as it was received, with line and code.',
    reason: (why: NativeReason) => {
      switch (why.reason) {
        case 'not-hap':
          return 'only a Hap movie has compressed blocks to show';
        case 'no-webgl2':
          return 'this window has no WebGL2';
        case 'extension':
          return `the GPU lacks ${why.extension}`;
        case 'size':
          return `the GPU takes at most ${why.largestTexture} pixels a side`;
        case 'context-lost':
          return 'the GPU was lost, and is waited for';
        case 'webgl-failed':
          return 'WebGL2 refused the picture';
        case 'unreadable':
          return why.message;
      }
    },
    damaged: 'Not every frame can be shown.',
    waiting: 'Waiting for the first picture',
    waitingText: 'The sending process reads it from the movie.',
    nothingReceived: 'No picture received yet',
    nothingReceivedText: 'The stream’s next picture is waited for.',
    ended: (name: string) => `${name} has ended`,
    endedText: 'Its source is no longer sent.',
  },

  status: {
    cpu: 'CPU',
    loopback: 'Loopback',
    wire: 'Wire',
    disk: 'Disk',
    diskHelp: 'How fast the movie is read, and how fast it has to be',
    diskRates: (rate: string, needed: string) => `${rate} of ${needed} MB/s`,
    cores: (cores: number) => (cores === 1 ? '1 core' : `${cores} cores`),
  },
} as const;
