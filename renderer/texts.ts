import { verdictWordsOf } from '../app/experiments/of-run';
import { frames } from '../app/facts/count-words';
import type { Verdict } from '../app/facts/verdict';
import type { EngineState, SharedCause, StreamView } from '../app/protocol/console';
import type { ExportKind } from '../app/protocol/shell';
import { aboutTexts } from './texts/about';
import { displayTexts } from './texts/display';
import { endTexts } from './texts/ends';
import { experimentsTexts, formsTexts } from './texts/experiments';
import { fleetTexts } from './texts/fleet';
import { heatMapTexts } from './texts/heat-map';
import { liveSourcesTexts } from './texts/live-sources';
import { nmosTexts } from './texts/nmos';
import { markingTexts, pickerTexts, profileTexts } from './texts/picker';
import { preflightTexts } from './texts/preflight';
import { lossesTexts, reportTexts } from './texts/report';
import { servedTexts } from './texts/served';
import { sessionsTexts } from './texts/sessions';
import { settingsTexts } from './texts/settings';
import { sourceViewTexts } from './texts/source-view';
import { streamsTexts } from './texts/streams';
import { timelineTexts } from './texts/timeline';

/** Every sentence and word that an operator reads, in one place. Headings of figures: the registry of metrics. */
export const texts = {
  title: 'Whiteline',

  navigation: { title: 'Screens' },

  screens: {
    streams: 'Streams',
    experiments: 'Experiments',
    sessions: 'Sessions',
    preflight: 'Preflight',
    fleet: 'Fleet',
    nmos: 'NMOS',
    settings: 'Settings',
    about: 'About',
  },

  forms: formsTexts,
  experiments: experimentsTexts,
  heatMap: heatMapTexts,
  preflight: preflightTexts,
  fleet: fleetTexts,
  nmos: nmosTexts,
  settings: settingsTexts,
  about: aboutTexts,
  served: servedTexts,

  sessions: sessionsTexts,
  picker: pickerTexts,
  liveSources: liveSourcesTexts,
  profiles: profileTexts,
  marking: markingTexts,

  actions: {
    addStream: 'Add stream',
    removeStream: 'Remove',
    startRamp: 'Start ramp',
    stop: 'Stop',
    whiteLine: 'White line',
    display: 'Display',
    export: 'Export',
    shortcuts: 'Shortcuts',
    freeze: 'Freeze',
    frozen: 'Frozen',
    showNewest: 'Show the newest',
    showWhole: 'Show the whole run',
    dismiss: 'Dismiss',
    dismissAll: (alerts: number) => `Dismiss all ${alerts}`,
    close: 'Close',
    save: 'Save',
    restartEngine: 'Restart engine',
    openFolder: 'Open the runs folder',
    removeThis: (streamId: number) => `Remove stream ${streamId}`,
    renameThis: (streamId: number) => `Rename stream ${streamId}`,
    viewSourceOf: (streamId: number) => `View the source of stream ${streamId}`,
    dismissThis: (message: string) => `Dismiss: ${message}`,
  },

  /** Why a button is disabled. */
  hindrances: {
    starting: 'The engine is starting.',
    stopped: 'The engine has stopped. Restart it first.',
    silent: 'The engine does not answer. Wait until it does.',
    making: 'A test clip is being made. Wait for it, or stop it.',
    experiment: 'A run is going on. Stop it first.',
    stopping: 'The last run is ending.',
    live: 'Streams are live. Stop them first.',
    noStream: 'There is no stream.',
    onlyLive: 'Only a stream of a live run can be renamed.',
    nothingRuns: 'Nothing is running.',
    noRun: 'There is no run yet.',
    nothingMeasured: 'The newest run ended before it measured a row.',
  },

  stopping: {
    title: 'End the run?',
    text: 'What was measured so far is kept.',
    keep: 'Keep measuring',
    end: 'End the run',
  },

  modes: {
    idle: 'Idle',
    live: 'Live',
    experiment: 'Ramp',
    stopping: 'Stopping',
  } satisfies Record<EngineState['mode'], string>,

  engine: {
    starting: 'Engine starting',
    running: 'Engine running',
    crashed: 'Engine stopped',
    silent: 'Engine does not answer',
    startingText: 'The engine is starting. This takes a second or two.',
    crashedTitle: 'The engine has stopped unexpectedly',
    crashedPane:
      'Streams and experiments need it. Charts and table keep what was measured. Recorded runs, the white line and the settings still work.',
    crashedText: (exitCode: number) =>
      `Its process ended with code ${exitCode}, and all streams ended with it. The run’s folder has every row that was closed, and events and load up to one second before; a row that was open is lost.`,
  },

  ndi: {
    loading: 'NDI loading',
    /** The runtime reports its version with platform and build time before it; the figures are at the end. */
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
    kinds: {
      'white-line': 'White line',
      noise: 'Noise',
      movie: 'Movie',
      clip: 'Test clip',
      live: 'Live NDI',
    },
    chooseMovie: 'Choose a movie…',
    movieHint: 'Or drop a movie anywhere onto this window.',
    noMovie: 'Choose a movie first.',
    noClip: 'Choose a test clip first.',
    movieFormat: 'A movie is sent at its own size and rate.',
    lengthUnknown: 'length not known',
    /** Before what is particular about how a movie is played. */
    played: 'Played',
    dropHere: 'Drop a movie to play it, or the folder of a run to import it',
    size: 'Size',
    rate: 'Frames per second',
    format: 'Format',
    formatHint: 'WIDTHxHEIGHT@RATE',
    /** `next`: of the stream that is added next. */
    name: 'NDI name',
    nextNumber: (next: number) => `next: ${next}`,
    audio: 'Send sound',
    audioHelp: 'Sends a tone burst once a second, to measure sound against picture',
    places: endTexts,
  },

  ramp: {
    title: 'Ramp',
    maxStreams: 'Streams',
    holdSeconds: 'Hold',
    warmUpSeconds: 'Warm-up',
    seconds: 's',
    explanation: 'Each row adds one stream and measures it for the hold time.',
  },

  verdict: {
    title: 'Verdict',
    none: 'No verdict',
    noneText: 'Add a stream or start the ramp to get one.',
    crashedText: 'The engine stopped before it gave one.',
    measuring: 'Measuring',
    /** Two times that are not to be mixed up: what is true at this moment, and the verdict of all that was measured. */
    now: 'Now',
    soFar: 'Since the start',
    whole: 'Whole run',
    worst: 'Worst',
    states: (of: string, state: string) => `${of}: ${state}`,
    losing: (of: string) => `${of}: losing frames`,
    /** The time counts both. */
    clean: (length: string) => `No frame lost or missed for ${length}`,
    cleanSecond: 'No frame lost in the last second',
    lossesUnknown: 'Losses are not measured yet',
    lossesLate: 'Losses of this second are not known yet',
    more: 'Full text',
    streams: (alike: number, streams: number) =>
      alike === streams ? `all ${streams} streams` : `${alike} of ${streams} streams`,
    worstOf: (name: string, alike: number) => `${name} (worst of ${alike})`,
    together: (lost: number, isEstimate: boolean) =>
      `together ${isEstimate ? '≈ ' : ''}${frames(lost)} lost or not sent`,
    row: (row: number) => `row ${row}`,
    allRows: (rows: number) => (rows === 1 ? 'the only row' : `all ${rows} rows`),
    step: (step: number, steps: number) =>
      step === 0 ? `Baseline, then ${steps === 1 ? '1 step' : `${steps} steps`}` : `Step ${step} of ${steps}`,
    wordsOf: verdictWordsOf,
    announced: (verdict: Verdict, reason: string) => `Verdict ${verdict}. ${reason}`,
  },

  streams: streamsTexts,
  timeline: timelineTexts,

  methods: { 'frame-code': 'frame code', timestamps: 'timestamps' } satisfies Record<
    StreamView['method'],
    string
  >,

  losses: lossesTexts,

  histograms: {
    legend:
      'Every frame of all streams of a row. Each bin is 4.7 % wide. The height is logarithmic, so that a single late frame shows.',
    unknown: 'Not measured: this run was recorded before Whiteline had this histogram.',
    total: (frames: string) => `${frames} frames`,
    bin: (from: string, to: string, count: string) => `${from} to ${to} ms: ${count}`,
  },

  curves: {
    note: (hasBand: boolean, hasIdeal: boolean, isWithoutSome: boolean) =>
      [
        hasBand && 'dashed: min and max',
        hasIdeal && 'dotted: ideal',
        isWithoutSome && 'INVALID rows are left out',
      ]
        .filter(Boolean)
        .join('; '),
    published: 'Published by the study',
  },

  gaps: {
    title: 'Gaps',
    unknown: 'Not measured: this run was recorded before Whiteline counted gaps.',
    more: 'A loss of the list holds up to two frames that came between lost ones. A gap holds none, so there are more gaps than losses.',
    none: (rows: number[]) => `No gap in ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}.`,
  },

  times: {
    title: 'Latency and intervals',
    jitter: 'Jitter',
    perStream: 'Single streams',
    method: 'Method',
    sentFrom: 'Sent from',
    receivedOn: 'Received on',
  },

  charts: {
    title: 'Load, latency and loss over time',
    cpu: 'CPU',
    gpu: 'GPU',
    network: 'Network',
    latency: 'Latency',
    lost: 'Lost frames',
    p50: 'p50',
    p99: 'p99',
    machine: 'Machine',
    sending: 'Sending',
    receiving: 'Receiving',
    loopback: 'Loopback',
    wireOut: 'Wire out',
    wireIn: 'Wire in',
    allStreams: 'All streams',
    percent: '%',
    mbps: 'Mb/s',
    milliseconds: 'ms',
    perSecond: '/s',
    waiting: { load: 'Waiting for the first sample', loss: 'No frame has been followed yet' },
    notMeasured: (reason: string) => `Not measured: ${reason}`,
    noReason: 'no reason was given',
    unmeasured: (chart: string, reason: string) => `${chart} not measured: ${reason}.`,
    silent: (time: string) => `Nothing was measured since ${time}`,
    /** Of two lines that are one: "Sender and Receiver, all programs". */
    both: (one: string, other: string) => {
      const [name = '', ...of] = one.split(', ');
      const [otherName = '', ...ofOther] = other.split(', ');
      const isAlike = of.join() === ofOther.join();
      return isAlike ? [`${name} and ${otherName}`, ...of].join(', ') : `${one} and ${other}`;
    },
  },

  table: {
    title: 'The study',
    caption:
      'A new row begins with each added stream or restarted sender; row 0 is the baseline with no stream',
    empty: 'Each stream of a ramp adds a row here.',
    /** In the order of the table. */
    groups: {
      step: 'Set',
      measure: 'Measured',
      spread: 'Spread',
      senderAll: 'Sender, all programs',
      receiverAll: 'Receiver, all programs',
      sender: 'Sender',
      receiver: 'Receiver',
      frames: 'Frames',
      count: 'Counted',
      lost: 'Lost',
      time: 'Time',
      judged: 'Judged',
    },
    row: 'Row',
    streams: 'Streams',
    verdict: 'Verdict',
    reason: 'Reason',
    more: (columns: number) => `${columns} more →`,
    moreLeft: (columns: number) => `← ${columns} more`,
    moreHelp: (columns: number) =>
      `${columns === 1 ? '1 more column' : `${columns} more columns`}: scroll the table sideways`,
    live: 'live',
    liveHelp: (to: string | null) =>
      `This row is still being measured${to === null ? '' : `: counted up to ${to}, updated once a second`}`,
    showDetail: (row: number) => `Row ${row}: losses, gaps and intervals`,
    facts: 'Of this row',
    absent: 'Not measured in this row',
    senderMissed: 'At the sender:',
    senderMissedHelp: 'The sender missed these frames: it never submitted them',
    notMeasured: (reason: string | undefined) => `Not measured: ${reason ?? 'no reason was given'}`,
  },

  alerts: {
    title: 'Alerts',
    severities: { error: 'Error', warning: 'Warning', info: 'Note' },
    past: 'Over',
    since: (time: string) => `since ${time}`,
    from: (begin: string, end: string) => `${begin} to ${end}`,
    details: 'Details',
    causes: {
      outage: (streams: number) => `${streams} streams: no pictures for a time`,
      'capture-log': (streams: number) => `${streams} streams: their logs of captured frames are incomplete`,
    } satisfies Record<SharedCause, (streams: number) => string>,
    reloaded: 'This window crashed and was loaded again',
    reloadedRemedy:
      'The engine went on, and so did a run: nothing that is recorded was lost. Fill in again what was not sent yet',
    exported: (path: string) => `The run was written to ${path}`,
    notOpened: (path: string) => `No program of this machine opened ${path}`,
    notOpenedRemedy:
      'Choose Show in folder, or set a default program for such files (for a report: a web browser), and open it again',
    openFile: 'Open',
    showFile: 'Show in folder',
    download: 'Download',
    engineAbsent: 'The engine is not running, so nothing was done',
    engineAbsentRemedy: 'Wait until it has started, or restart it, and try again',
    engineGone: 'The engine ended before it answered',
    engineGoneRemedy: 'Restart the engine and try again',
  },

  export: {
    title: 'Export the newest run',
    kinds: {
      html: 'Report (HTML)',
      pdf: 'Report (PDF)',
      json: 'Run (JSON)',
      csv: 'Rows (CSV)',
      junit: 'Rows (JUnit XML)',
      parquet: 'Everything (Parquet)',
    } satisfies Record<ExportKind, string>,
    help: {
      html: 'One file that opens in any browser, offline',
      pdf: 'The same report as pages, to print or to send',
      json: 'All rows, parameters and environment',
      csv: 'One line per row of the table',
      junit: 'One test case per row, for a build server',
      parquet: 'A folder of tables for DuckDB, pandas and similar tools',
    } satisfies Record<ExportKind, string>,
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    zoom: 'Drag in a chart',
    zoomText: 'Zoom in; double-click shows the newest again',
    list: [
      ['A', 'Add a stream'],
      ['Space ↵', 'In Source: on what is chosen, add a stream'],
      ['R', 'Remove the newest stream'],
      ['F2', 'Rename the stream that has the focus, or the newest'],
      ['Space', 'Start the ramp'],
      ['Esc', 'Close what is open; or end the run, after you confirm'],
      ['F', 'Show the white line in full screen'],
      ['D', 'Show every picture of the newest stream in full screen'],
      ['V', 'View the source of the newest stream'],
      ['L', 'Timeline of the stream that has the focus, or of the first'],
      ['M', 'Mark this moment in the charts and in the run'],
      ['N', 'Add a note to the newest run'],
      ['E', 'Export the newest run'],
      ['W', 'Open or close the alerts, in a small window'],
      ['P', 'Freeze the charts, or let them run again'],
      ['T', 'Dark or light; in a browser, the browser’s own setting decides'],
      ['Ctrl + −', 'Larger or smaller text and figures; Ctrl 0: the usual size'],
      ['Enter', 'On a row of the table: show its losses, gaps and intervals'],
      ['1 …', 'The screens, from top to bottom'],
      ['Ctrl ↵', 'Experiments: run this one; with Shift, the plan'],
      ['Alt ↵', 'Experiments: add this one to the plan'],
      ['/', 'Sessions: search; on a run Space marks it, S shows its session'],
      [
        'C',
        'Sessions: C compare, X change the reference; N note, R run again, B baseline, F2 rename, Del delete',
      ],
      ['↑ ↓', 'Fleet: choose a machine'],
      ['↑ ↓ ← →', 'NMOS: move over the crosspoints; Enter connects, / filters the receivers'],
      ['?', 'This sheet'],
    ] as const,
  },

  undrawn: (what: string, problem: string) =>
    `Whiteline could not draw ${what}: ${problem}. Its records are kept; please report this with them.`,
  thisScreen: 'this screen',
  report: reportTexts,

  display: displayTexts,

  whiteLine: {
    missed: 'Compositor ticks missed',
    scanOut: 'Scan-out is not measured.',
    refresh: 'Refresh, estimated',
    hertz: 'Hz',
    close: 'F or Esc closes',
    label: 'The white line',
  },

  sourceView: sourceViewTexts,

  status: {
    cpu: 'CPU',
    loopback: 'Loopback',
    wire: 'Wire',
    disk: 'Disk',
    diskHelp: {
      cached: 'How fast the movie is read, through the page cache, and how fast it has to be',
      direct: 'How fast the movie is read from its disk, past the page cache, and how fast it has to be',
    },
    diskRates: (rate: string, needed: string) => `${rate} MB/s, ${needed} needed`,
    notMeasured: 'Not measured: the engine sends nothing',
    cores: (cores: number) => (cores === 1 ? '1 core' : `${cores} cores`),
  },
} as const;
