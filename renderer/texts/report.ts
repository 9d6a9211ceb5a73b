import type { StoppedEarly } from '../../app/experiments/declaration';
import type { End } from '../../app/facts/leading-cause';
import type { Run } from '../../app/facts/run';
import type { LossPlace } from '../../app/protocol/report';
import type { SessionRun } from '../../app/protocol/session';

/** The report, and what the window shows of a recorded run in the same way. */
export const reportTexts = {
  title: 'Whiteline report',
  empty: 'This report holds no run.',
  thisReport: 'this report',
  thisRun: 'this run',
  noVerdict: 'The run has no verdict.',
  states: {
    running: 'still running',
    finished: 'finished',
    aborted: 'stopped before its end',
    failed: 'failed',
    interrupted: 'interrupted: the measuring process ended',
  } satisfies Record<Run['state'], string>,
  started: 'Started',
  lasted: 'Lasted',
  rowTimes: (rows: readonly (readonly [row: number, began: string, seconds: number | null])[]) => {
    const each = rows.map(([row, began, seconds]) => {
      const length = seconds === null ? 'still open' : `${seconds.toFixed(1)} s`;
      return `row ${row} at ${began} UTC, ${length}`;
    });
    return `Start and length: ${each.join('; ')}.`;
  },
  state: 'State',
  charts: 'Load, latency and loss over time',
  load: {
    allPrograms: 'All programs on the machine',
    sending: 'Whiteline sending',
    receiving: 'Whiteline receiving',
    network: 'Network, all programs',
    lostOrNotSent: 'Frames lost or not sent, over time',
  },
  singleStreams: 'Single streams',
  subjects: 'Within the rows',
  rowOf: (row: number, streams: number) => `Row ${row}, ${streams === 1 ? '1 stream' : `${streams} streams`}`,
  repeat: 'To repeat this run',
  repeatWith:
    'Type this in a clone of Whiteline. Where its package is installed, begin with whiteline alone.',
  parameters: 'Parameters',
  environment: 'Environment',
  thresholds: 'Thresholds',
  definitions: 'How each figure was measured',
  notDefined:
    'No row proves anything, so this list of figures is not printed. The page on screen and docs/metrics.md define each.',
  definition: (description: string, formula: string, source: string) =>
    `${description} = ${formula} (${source})`,
  /** Of a figure that is defined like one beside it. */
  definedAs: (heading: string, but: string) => `As ${heading}, ${but}`,
  /** Before the names of figures that are 0 in every stream. */
  zero: '0 in every stream, each defined in docs/metrics.md: ',
  verdicts: 'Verdicts',
  notGiven: 'not given',
  lostLegend:
    '— means not measured; point at it to read why. The list “Not measured” also has the reasons, and the columns that are empty in every row.',
  notMeasured: 'Not measured',
  /** Of things in a table. */
  notKnown: (reasons: readonly string[]) => `Not known: ${reasons.join('. ')}.`,
  missing: (rows: number[], figures: string[]) =>
    `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}: ${figures.join(', ')}`,
  /** Of rows without a stream: they lack all that a stream has. */
  ofStreams: (rows: number[], figures: number) =>
    `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}: ${figures} figures that only streams have`,
  none: 'None.',
  results: 'Results',
  noRow: 'No row was measured.',
  measures: 'Measures by step',
  causes: 'Losses',
  histograms: 'Latency and intervals',
  notes: 'Notes and incidents',
  /** "host-died" as words. */
  kindOf: (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace(/-/g, ' ')}`,
  pictures: 'Pictures',
  pictureLeftOut: (name: string, reason: string) =>
    `${name} is in the run’s folder, but not in this report: ${reason}.`,
  host: (name: string) => `Host ${name}`,
  /** Above its charts, where other machines have some too. */
  console: 'This console’s machine',
  thresholdsNote: (profile: string) =>
    `${profile === '' ? '' : `Profile ${profile}. `}A YAML file with lines such as these, given as --thresholds, sets its own.`,
  method: 'Method',
  purpose: 'Question',
  how: 'How',
  follows: 'Method after',
  guide: 'In full',
  guideOf: (id: string) => `docs/experiments/${id}.md`,
  outages: 'Shaded: a stream brought no picture (outage).',
  thinned: (samples: number) => `Each point is the highest of ${samples} consecutive samples.`,
  row: 'Row',
  session: 'Session',
  /** Of a run of a session. */
  runOf: (order: number, session: string) => `Run ${order} of ${session}`,
  rows: (rows: readonly number[]) => `${rows.length === 1 ? 'Row' : 'Rows'} ${rows.join(', ')}`,
  /** Of a row's reason that the sentence of the run has. */
  asPageOne: 'see the sentence of the verdict on page one',
  /** On page one. */
  facts: {
    question: 'Question',
    machines: 'Machines',
    topology: 'Set-up',
    ndi: 'NDI runtime',
    whiteline: 'Whiteline',
    source: 'Source',
    format: 'Format',
    senders: 'Senders',
    sentBy: 'Sending machines',
    hold: 'Each row',
    injected: 'Put in on purpose',
    rules: 'Rules',
    failOnWarn: 'WARN is FAIL',
    duplicated: 'duplicated',
    reordered: 'out of order',
    most: (frames: string, what: string) =>
      `at most ${frames} ${frames === '1' ? 'frame' : 'frames'} ${what}`,
    streams: 'Streams',
    upTo: (streams: number) => (streams === 1 ? '1' : `up to ${streams} at once`),
    stoppedEarly: ({ reached, maxStreams, why }: StoppedEarly) =>
      `up to ${reached} of ${maxStreams}${why === '' ? '' : `: the ramp stopped early, because ${why}`}`,
    thresholds: 'Thresholds',
    allowed: (frames: number, seconds: number) =>
      `at most ${frames === 1 ? '1 frame' : `${frames} frames`} lost in any ${seconds} s`,
    cores: (cores: string) => `${cores} cores`,
  },
  firstFailure: {
    title: 'First row that did not pass',
    cause: (stage: string, cause: string, frames: number) =>
      `${framesText(frames)}, ${stage.toLowerCase()}: ${cause}`,
    outage: (cause: string, frames: number | null) =>
      `${frames === null ? 'Frames not known' : `About ${framesText(frames)} (an estimate)`}, outage: ${cause}`,
  },
  firstPage: {
    ...{ placeAndDate: 'Place and date', name: 'Name', signature: 'Signature' },
    ...{ project: 'Project', client: 'Client', operator: 'Operator', logo: 'Logo' },
  },
  sides: {
    ...{ sent: 'Sender', received: 'Receiver' },
    title: (tested: string) => `Sender and receiver${tested === '' ? '' : `: ${tested}`}`,
    repeat: 'To repeat this test',
    order: (senders: readonly number[], receivers: readonly number[]) => {
      const named = (side: string, runs: readonly number[]) =>
        runs.length === 1 ? `the ${side} (run ${runs})` : `the ${side}s (runs ${runs.join(', ')})`;
      return `Start ${named('sender', senders)} first, then ${named('receiver', receivers)} on its machine: it waits 10 s for the streams. All write into one session, which whiteline report reads; of several machines, give their runs to whiteline report.`;
    },
    firstFault: (frame: number, seconds: string) =>
      `The first fault is put into frame ${frame}, ${seconds} s after the sender is ready: a receiver that starts to count later does not see it.`,
    sentBy: (run: number) => `These streams were sent by run ${run}.`,
    receivedBy: (run: number) => `These streams were received by run ${run}.`,
    onOneMachine: (machine: string) => `sender and receiver on one machine, ${machine}`,
    onMachines: (sender: string, receiver: string) => `sender on ${sender}, receiver on ${receiver}`,
    time: (seconds: number, from: string, to: string | null) =>
      `${seconds.toFixed(1)} s, from ${from} ${to === null ? 'on' : `to ${to}`} UTC`,
    otherTimes:
      'Sender and receiver did not measure over exactly the same time, so their counts can differ without a loss. What was lost is counted by the receiver, over its own time.',
  },
  ofSession: {
    title: 'Whiteline report of several runs',
    twoSides: 'Whiteline report of one test: sender and receiver',
    runs: 'Runs',
    run: 'Run',
    runOf: (number: number) => `Run ${number}`,
    runTitle: (number: number, name: string) => `Run ${number}: ${name}`,
    pair: (sender: number, receiver: number) => `Sent by run ${sender}, received by run ${receiver}`,
    runsOf: (numbers: readonly number[]) => `${numbers.length === 1 ? 'run' : 'runs'} ${numbers.join(', ')}`,
    states: {
      waiting: 'not run',
      unreadable: 'cannot be read',
      running: 'still running',
      finished: 'finished',
      aborted: 'stopped before its end',
      failed: 'failed',
      interrupted: 'interrupted',
    } satisfies Record<SessionRun['state'], string>,
    tested: 'What was set',
    usual: 'what is usual',
    sentence: 'What it came to',
    notes: 'For',
    changes: 'What changed between the runs',
    noChange: 'Nothing: all runs recorded the same machines and used the same thresholds.',
    onlyParameters: 'Only parameters, which stand below with the runs of the same experiment.',
    setting: 'Setting',
    value: 'Value',
    in: 'In',
    repeats: (experiment: string) => `${experiment}: the runs side by side`,
    sameParameters: 'All of these runs have the same parameters.',
    stepAndRun: 'Step, run',
    log: 'Notes and incidents of all runs',
    pictures: 'Pictures of all runs',
    shared: 'Machines, and what is the same in all runs',
    thresholdsOf: (numbers: readonly number[]) =>
      `Thresholds of ${numbers.length === 1 ? 'run' : 'runs'} ${numbers.join(', ')}`,
    short: (folder: string) =>
      `This page is full. For rows, charts, losses, notes and pictures of this run, make its own report: whiteline report ${folder}`,
  },
} as const;

/** Lost frames, where and why: in the report, and in a row’s detail. */
export const lossesTexts = {
  title: 'Losses and their causes',
  stages: {
    sender: 'Sender',
    'receiver-queue': 'Receiver’s queue',
    transport: 'Transport',
    'transport-or-queue': 'Transport or queue',
    undecodable: 'Undecodable',
    missing: 'Not known where',
    'wrong-size': 'Wrong size',
    torn: 'Torn',
    stale: 'Stale rows',
    damaged: 'Damaged',
    discoloured: 'Discoloured',
    dimmed: 'Dimmed',
    mislabelled: 'Mislabelled',
    outage: 'Outage',
  } satisfies Record<LossPlace, string>,
  /** Where the cause says at which end of the way it was. */
  ends: { sender: 'Sender’s end', receiver: 'Receiver’s end' } satisfies Record<End, string>,
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
  noneIn: (rows: readonly number[]) =>
    `No frame lost in ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}.`,
  betweenRows: 'between rows',
  lostBetween: (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}. No row counts that.`,
  ofRow: (row: number, text: string) => `Row ${row}: ${text}`,
  unknown: 'Not measured: the version that recorded the run had no such list.',
  cause: 'Cause',
  times: 'Times',
  about: (frames: string) => `≈${frames}`,
  listed: (listed: string, counted: string) =>
    `The list explains ${listed} of ${counted} lost frames: it has only the first losses of each stream.`,
  more: (losses: string) => `${losses} more losses are in the report and in the run’s rows.jsonl.`,
  moreInFile: (losses: string) => `${losses} more losses are in the run’s rows.jsonl.`,
} as const;

function framesText(frames: number): string {
  return frames === 1 ? '1 frame' : `${frames.toLocaleString('en')} frames`;
}
