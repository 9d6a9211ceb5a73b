import { experimentReasons } from '../experiments/facts';
import { type DataOf, type Of, oneDigit, type ReasonWords } from './alike-facts';
import { causesText } from './cause-words';
import { countText, frames, lengthText, pictures, rateText, speedText, stepText } from './count-words';
import type { Fact, FactData } from './fact';
import { type DataOfCode, kindOfFacts } from './fact-kind';
import { atMachine, machineText } from './machine-words';
import { isUnjudged } from './precedence';
import { endWords } from './process-end';
import { saidOnce } from './said-once';
import { type SpoiltKind, spoiltKinds } from './spoilt';
import { stolenText } from './steal-limit';

export const spoiltWords: Record<SpoiltKind, string> = {
  'wrong-size': 'received in a different size than sent',
  torn: 'torn',
  stale: 'mixed with lines of another frame',
  damaged: 'damaged',
  discoloured: 'discoloured',
  dimmed: 'dimmed',
  mislabelled: 'labelled as another frame',
};

/** Earlier versions recorded one `cause` for all frames, and not that of each. */
type MissedData = {
  frames: number;
  injected?: number;
  saidInjected?: number;
  sendBlocked?: number;
  ownPacing?: number;
  whileStopped?: number;
  isSourceLate?: boolean;
  cause?: string;
  loadPercent?: number | null;
  machine?: string;
  othersPercent?: number | null;
  isGpu?: boolean;
};

/** Where a transport does not count what its receiver's queue drops, losses of the way and of the queue are one number. */
type LostPlaces =
  | { transport: number; receiverQueue: number; isAttributed?: boolean; unplaced?: never }
  | { transport?: never; receiverQueue?: never; isAttributed?: never; unplaced: number };

/** Earlier versions recorded fewer kinds of spoilt frames, and not what was injected. */
type LostData = Partial<Record<SpoiltKind, number>> &
  LostPlaces & {
    undecodable: number;
    submitted: number;
    injected?: number;
  };

type LostName = SpoiltKind | 'transport' | 'receiverQueue' | 'unplaced' | 'undecodable';

/** Earlier versions recorded no `reads`, `damaged` or `ffmpeg`. */
type LateData = {
  disk: number;
  decode: number;
  damaged?: number;
  ffmpeg?: number;
  unknown: number;
  rateMBps: number | null;
  neededMBps: number | null;
  reads?: string | null;
};

type OutageData = {
  seconds: number;
  /** Of one that began before. */
  allSeconds?: number;
  isOver: boolean;
  inClosedRow?: boolean;
  /** It is of the time between two rows. */
  isBetween?: boolean;
  /** Null: not known. */
  frames: number | null;
  framesPerSecond: number;
};

/** Which kinds of pictures came. */
type UncountedData = { black: boolean; placeholder: boolean; other: boolean };

/** Rows of an earlier version do not say how long. */
type StandstillData = {
  role?: string;
  sender?: string;
  tool?: string;
  machine?: string;
  seconds?: number;
  limitSeconds?: number;
};

/** Rows of an earlier version do not say which process died, nor how. */
type DeathData = {
  role?: string;
  number?: number;
  machine?: string;
  why?: string;
  exitCode?: number | null;
  signal?: string | null;
};

/** `to`: it was reachable again, by then at the latest; in rows of an earlier version it was given up then. */
type UnreachableData = { machine: string; from: string; to?: string; givenUpAt?: string };

/** Why a row and its streams have their verdicts: each finding in words, by its code. */
const words = {
  // Rows without a fault.
  'no-frame-lost': () => 'no frame lost',
  'no-frame-missed': () => 'no frame missed',
  'no-frame-missing': (of: Of<{ method: string }>) => `no frame missing, by ${of.word('method')}`,
  baseline: (of: Of<{ isSenderRemote?: boolean; interfaceMbps?: number | null }>) => {
    const plays = of.is('isSenderRemote') ? '' : 'the source plays, ';
    const before = of.number('interfaceMbps', oneDigit);
    return `baseline: ${plays}no stream${before === '' ? '' : `; the interface carried ${before} Mb/s`}`;
  },

  // What was lost.
  'frames-missed': (of: Of<MissedData>) => `the sender missed ${frames(of.count('frames'))}${missCause(of)}`,
  stalls: (of: Of<{ stalls: number; longestGapMs: number }>) => {
    const stalls = of.count('stalls');
    return `stood still ${stalls === 1 ? 'once' : `${stalls} times`}, longest gap ${of.number('longestGapMs')} ms`;
  },
  'frames-lost': (of: Of<LostData>) => {
    const inTransport = of.is('isAttributed') ? 'dropped in transport' : 'missing';
    const places: [LostName, string][] = [
      ['transport', inTransport],
      ['receiverQueue', 'dropped in the receiver’s queue'],
      ['unplaced', 'dropped in transport or in the receiver’s queue'],
      ['undecodable', 'undecodable'],
      ...spoiltKinds.map((kind): [SpoiltKind, string] => [kind, spoiltWords[kind]]),
    ];
    return lostText(of, places);
  },
  'frames-unreported': (of: Of<{ frames: number }>) =>
    `${frames(of.count('frames'))} did not arrive, nor did the sender’s records of them`,
  'other-source': (of: Of<{ seconds: number; pictures: number }>) =>
    `another of our sources was shown for ${of.number('seconds', lengthText)}, ${pictures(of.count('pictures'))}`,
  'frames-missing': (of: Of<{ frames: number; method: string; isAtLeast?: boolean }>) => {
    const least = of.is('isAtLeast') ? 'at least ' : '';
    return `${least}${frames(of.count('frames'))} missing, by ${of.word('method')}`;
  },
  'pictures-late': (of: Of<LateData>) =>
    partsOf(of, pictures, [
      [
        'disk',
        `came late from the disk${speedText(of.numbers('rateMBps'), of.numbers('neededMBps'), of.word('reads'))}`,
      ],
      ['decode', 'came late, decoding took too long'],
      ['damaged', 'could not be read or decoded, the movie is damaged'],
      ['ffmpeg', 'came late from ffmpeg, its disk or its decoding'],
      ['unknown', 'came late'],
    ]),
  outage: (of: Of<OutageData>) => {
    const isOver = of.is('isOver');
    const [seconds, all] = [of.number('seconds', lengthText), of.number('allSeconds', lengthText)];
    if (isOver && all !== '')
      return `no new picture for ${all}, ${seconds} of it ${of.is('isBetween') ? 'between rows' : 'in this row'}: ${outageCost(of)}`;
    const whole = all === '' ? '' : ` (${all} since it began)`;
    const end = isOver
      ? ''
      : `, not over${of.is('inClosedRow') ? ` at the end of ${of.is('isBetween') ? 'that time' : 'the row'}` : ''}`;
    return `no new picture for ${seconds}${whole}${end}: ${outageCost(of)}`;
  },
  'no-first-frame': (of: Of<{ seconds: number; added: string }>) =>
    `no frame within ${of.number('seconds', String)} s of adding ${of.word('added')}`,
  'streams-not-passed': (
    of: Of<{ failed: number; streams: number; missed?: number; lost?: number; stalls?: number }>,
  ) => {
    const which = `${of.number('failed')} of ${of.number('streams')} streams did not pass`;
    const totals = [
      ...(of.count('missed') > 0 ? [`${frames(of.count('missed'))} missed by the sender`] : []),
      ...(of.count('lost') > 0 ? [`${frames(of.count('lost'))} lost`] : []),
      ...(of.count('stalls') > 0 ? [countText(of.numbers('stalls'), 'stall')] : []),
    ];
    return totals.length > 0 ? `${which}: ${totals.join(', ')}` : which;
  },

  // What is not known of the frames.
  'losses-not-measured': (of: Of<{ why?: string }>) => {
    const why = of.word('why', '');
    return why === '' ? 'losses were not measured meanwhile' : `losses were not measured: ${why}`;
  },
  'sender-silent': (of: Of<{ times: number; longestSeconds: number }>) => {
    const times = of.count('times') === 1 ? '' : ` ${of.number('times')} times,`;
    const longest = of.number('longestSeconds', lengthText);
    return `the sender was connected, but no new frame arrived${times} for ${times && 'up to '}${longest}: it may send only when its picture changes, so losses in that time were not measured`;
  },
  'sender-changed': (of: Of<{ times: number }>) => {
    const times = of.count('times') === 1 ? 'once' : `${of.number('times')} times`;
    return `the sender’s clock, format or rate changed ${times}: how many frames were lost meanwhile is unknown`;
  },
  placeholders: (of: Of<{ pictures: number }>) =>
    `${pictures(of.count('pictures'))} were the SDK’s placeholder for what it cannot decode`,
  'green-pictures': (of: Of<{ pictures: number }>) =>
    `${pictures(of.count('pictures'))} were solid green, which happens if a codec is missing`,

  // How the row was measured.
  'busy-baseline': (of: Of<{ percent: number; limitPercent: number; machine?: string }>) =>
    `${machineText(of, 'the machine')} was busy before the first stream: other programs took ${of.number('percent')} % of its CPU (limit ${of.number('limitPercent', String)} %)`,
  'others-busy': (
    of: Of<{ percent: number; limitPercent: number; isGpu?: boolean; isSenders?: boolean; machine?: string }>,
  ) =>
    `other programs took ${of.number('percent', oneDigit)} % of the ${of.is('isGpu') ? 'GPU' : 'CPU'}${atMachine(of, 'of') || (of.is('isSenders') ? ' of the sender’s machine' : '')} (limit ${of.number('limitPercent', String)} %)`,
  'sender-ended': (of: Of<{ name: string; at: string }>) =>
    `the sender of ${of.word('name')} ended as asked at ${of.word('at').slice(11, 19)} UTC`,
  'streams-added': (of: Of<{ streams: number }>) =>
    `${of.number('streams')} streams were added since the row before`,
  'ended-early': (of: Of<{ measuredSeconds: number; holdSeconds: number }>) =>
    `ended after ${of.number('measuredSeconds', oneDigit)} of ${of.number('holdSeconds', String)} s`,
  'ended-late': (of: Of<{ measuredSeconds: number; holdSeconds: number; stopAfterSeconds: number }>) =>
    `ended after ${of.number('measuredSeconds', oneDigit)} of ${of.number('holdSeconds', String)} s: for ${of.number('stopAfterSeconds', String)} s frames came more than a second late, and none was lost`,
  'cut-short': (of: Of<{ measuredSeconds: number; holdSeconds: number; by?: string }>) =>
    `${of.word('by', 'stopped')} after ${of.number('measuredSeconds', oneDigit)} of ${of.number('holdSeconds', String)} s`,
  /** It is shown, and in no folder. */
  'not-recorded': (of: Of<{ why: string }>) => `this row was not recorded: ${of.word('why')}`,

  ...experimentReasons,

  // Nothing was measured.
  'no-slot': () => 'no frame of the stream was due in the row',
  'no-picture': () => 'no picture arrived in the row',
  'pictures-uncounted': (of: Of<UncountedData>) => uncountedText(of),

  // Guards of the instrument: while one is violated, a loss makes the row INVALID.
  'not-checked': (of: Of<{ what: string; why: string; machine?: string }>) =>
    `${of.word('what')}${atMachine(of)} could not be checked: ${of.word('why')}`,
  'cuts-unclear': (of: Of<{ cuts: number }>) =>
    `pictures around ${countText(of.numbers('cuts'), 'cut')} of the mixer arrived too irregularly to count the missing frames`,
  'records-missing': (of: Of<{ frames: number }>) =>
    `the sender left no record of ${frames(of.count('frames'))}`,
  'sums-disagree': () => 'the counts of the stages do not add up',
  contradiction: (of: Of<{ what: string; one: string; other: string }>) =>
    `the figures contradict each other (${of.word('what')}): ${of.word('one')}, ${of.word('other')}`,
  'not-as-asked': (of: Of<{ tool: string; what: string; reported: string; asked: string }>) =>
    `${of.word('tool')} did not measure what was asked for (${of.word('what')}): ${of.word('reported')} reported, ${of.word('asked')} asked for`,
  'pacing-late': (of: Of<{ frames: number; machine?: string }>) => {
    const late = of.count('frames') === 0 ? 'late' : `late for ${frames(of.count('frames'))}`;
    return `our own pacing was ${late} while neither ${machineText(of, 'the sender’s machine')} nor its disk was at its limit`;
  },
  'fetched-late': (of: Of<{ frames: number; machine?: string }>) => {
    const count = of.count('frames');
    return count === 0
      ? `we fetched too late, or pictures arrived all at once, while ${machineText(of, 'the receiver’s machine')} was not at its limit`
      : `the receiver’s queue dropped ${frames(count)} while ${machineText(of, 'its machine')} was not at its limit: we fetched too late, or they arrived all at once`;
  },
  'display-late': (of: Of<{ frames: number }>) =>
    `${frames(of.count('frames'))} reached the display window too late while this machine was not at its limit`,
  'no-load-sample': (of: Of<{ seconds: number; machine?: string }>) =>
    `no load sample${atMachine(of, 'of')} for ${of.number('seconds', oneDigit)} s`,
  'cpu-stolen': (of: Of<{ percent: number; limitPercent: number; machine?: string }>) => {
    const limitPercent = of.count('limitPercent');
    const taken = `${stolenText(of.count('percent'), limitPercent, atMachine(of, 'of'))} (limit ${limitPercent} %)`;
    return `${taken}: give this virtual machine cores of its own, or measure when its host is less busy`;
  },
  'row-late': (of: Of<{ seconds: number }>) => `the row was written ${of.number('seconds', oneDigit)} s late`,
  'helper-died': (of: Of<{ helper: string; how?: string }>) => {
    const helper = of.word('helper');
    // One of several has its number for an article. Rows of an earlier version do not say how.
    const name = /\d$/.test(helper) ? helper : `the ${helper}`;
    return `${name} ${of.word('how', 'died during the row')}`;
  },
  'process-died': deathText,
  'faults-not-put-in': (of: Of<{ name: string; faults: string }>) =>
    `faults of ${of.word('name')} were still due and were not put in (${of.word('faults')})`,
  'process-stopped': (of: Of<StandstillData>) => `${processText(of)} was stopped${standstillText(of)}`,
  'process-starved': (of: Of<StandstillData>) =>
    `${processText(of)} waited for a processor${standstillText(of)}`,
  'process-lost': (of: Of<DeathData>) =>
    `${deathText(of)}${of.word('why', '') === '' ? '' : ','} and could not be started again`,
  'machine-ended': (of: Of<{ machine: string; why: string }>) =>
    `the measurement of ${of.word('machine')} did not finish: ${of.word('why')}`,
  'pass-without-figures': (of: Of<{ machine: string }>) =>
    `${of.word('machine')} reports PASS for a row without a figure`,
  'verdict-unlike-figures': (of: Of<{ machine: string; verdict: string; best: string }>) =>
    `${of.word('machine')} reports ${of.word('verdict')} for a row that is ${of.word('best')} by its figures`,
  'machine-unreachable': unreachableText,
  'source-failed': (of: Of<{ source: string; message: string }>) =>
    `${of.word('source')} no longer plays, so its last picture is repeated: ${of.word('message')}`,
  suspended: (of: Of<{ seconds: number; machine?: string }>) =>
    `${machineText(of, 'the machine')} was suspended for ${of.number('seconds', oneDigit)} s`,
  'wall-clock-step': (of: Of<{ byMs: number; machine?: string }>) =>
    `${machineText(of, 'this machine')}’s wall clock was set ${stepText(of.count('byMs'))}`,
  'sender-clock-step': (of: Of<{ sender: string; byMs: number; machine?: string }>) =>
    `the clock of ${machineText(of, `the sender of ${of.word('sender')}`)} jumped ${stepText(of.count('byMs'))} relative to ours`,
  'records-overflowed': (of: Of<{ records: number; stage: string; whose: string }>) =>
    `${of.number('records')} records of stage ${of.word('stage')} of ${of.word('whose')} were lost`,
} satisfies ReasonWords;

export type ReasonCode = keyof typeof words;

/** Guards of a row of streams; one of them in its reason says that the instrument was disturbed, whatever the verdict is. */
export const guardCodes: ReadonlySet<string> = new Set<ReasonCode>([
  ...([
    'no-load-sample',
    'not-checked',
    'others-busy',
    'cpu-stolen',
    'row-late',
    'suspended',
    'records-overflowed',
  ] as const),
  ...([
    'display-late',
    'process-died',
    'process-lost',
    'machine-unreachable',
    'process-stopped',
    'process-starved',
    'wall-clock-step',
    'sender-clock-step',
  ] as const),
]);

/** A rule that was broken. */
const rules = {
  'no-miss': () => 'the sender misses no frame',
  'no-stall': () => 'no stall',
  'no-loss': () => 'no frame lost',
  'most-lost': (of: Of<{ mostFrames: number; windowSeconds: number }>) =>
    `at most ${frames(of.count('mostFrames'))} lost in any ${of.number('windowSeconds', String)} s`,
  'no-outage': () => 'no outage',
  'first-frame': (of: Of<{ windowSeconds: number }>) =>
    `a frame within ${of.number('windowSeconds', String)} s`,
  'most-lost-on-end': (of: Of<{ mostFrames: number; windowSeconds: number; stopAfterSeconds: number }>) =>
    `at most ${frames(of.count('mostFrames'))} lost in ${of.number('windowSeconds', String)} s, more only for less than ${of.number('stopAfterSeconds', String)} s at a time`,
  'cpu-below': (of: Of<{ mostPercent: number; stopAfterSeconds: number; machine?: string }>) =>
    `the CPU${atMachine(of, 'of')} below ${of.number('mostPercent', String)} %, above it only for less than ${of.number('stopAfterSeconds', String)} s at a time`,
} satisfies ReasonWords;

export type RuleCode = keyof typeof rules;

/** What the time is that stands beside a broken rule, where it is not all the time of what the reason has said already. */
const brokenTimes: Partial<Record<RuleCode, string>> = {
  'no-loss': 'the worst time was',
  'most-lost': 'the worst time was',
  'most-lost-on-end': 'more were lost',
  'cpu-below': 'the CPU was above it',
};

const ruleWords = kindOfFacts<typeof rules>(rules);
const brokenTimesByCode = new Map(Object.entries(brokenTimes));

/** A rule with its limits. */
export type Rule<Code extends RuleCode = RuleCode> = Code extends RuleCode
  ? DataOf<(typeof rules)[Code]> & { rule: Code }
  : never;

/** What a FAIL adds to its reason: the rule that was broken, and when. */
export type BrokenRule = Rule & { brokenFrom?: string; brokenTo?: string };

/** What any finding may have beside its own data; `wordsOf` says what each is. */
type SharedData = {
  stream?: string;
  judged?: number;
  measuredFrom?: string;
  measuredTo?: string;
};

/** The data of a finding of a code. */
export type ReasonData<Code extends ReasonCode> = DataOfCode<typeof words, Code>;

const reasons = kindOfFacts<typeof words, SharedData & (BrokenRule | { rule?: undefined })>(words);

export const reasonOf = reasons.factOf;
export const reasonCodes = reasons.codes;

/**
 * Findings in words; one that only a newer version knows is its code, and some of an earlier version are a sentence (`text`). Any may say of which stream it is (`stream`), which rule it broke (`rule`, `brokenFrom`, `brokenTo`), how much of it is judged (`judged`) and when it was
 * measured (`measuredFrom`, `measuredTo`).
 */
export function wordsOf(reason: readonly Fact[]): string {
  const facts = saidOnce(reason);
  const waited = lastWaited(facts);
  return facts
    .map((fact, index) => {
      const { stream } = fact.data;
      const isNamed = typeof stream === 'string' && stream !== facts[index - 1]?.data.stream;
      // What explains several findings of a stream is said once.
      const seen = seenBeside(fact);
      const isKnown = facts
        .slice(0, index)
        .some((other) => other.data.stream === stream && seenBeside(other) === seen);
      const counts = fact === waited ? `; ${wholeText}` : '';
      const text = `${isNamed ? `${stream}: ` : ''}${textOf(fact, isKnown ? '' : seen)}${counts}`;
      return `${text}${joinText(fact, facts[index + 1])}`;
    })
    .join('');
}

/** What stands between two facts of a reason. What was found and is not judged is followed by why it is not. */
function joinText(fact: Fact, next: Fact | undefined): string {
  if (isUnjudged(fact) && !(next && isUnjudged(next))) return next ? ', not judged: ' : ', not judged';
  return next ? '; ' : '';
}

/** A process waited, and the row counts all the same: the last fact that says so; undefined where frames were lost, or none waited. */
function lastWaited([first, ...others]: readonly Fact[]): Fact | undefined {
  const isWhole = first?.code === 'no-frame-lost' || first?.code === 'no-frame-missed';
  return isWhole ? [...others].reverse().find(({ code }) => code === 'process-starved') : undefined;
}

const wholeText = 'no frame was missed by it, so the row counts';

function textOf({ code, data }: Fact, beside: string): string {
  const text = reasons.textOf(code, [data]) ?? String(data.text ?? code);
  const measured = timeText('measured', data.measuredFrom, data.measuredTo, ' (', ')');
  // A rule is broken by what is judged.
  if (isUnjudged({ code, data })) return `${text}${beside && ` (seen beside it: ${beside})`}${measured}`;
  const seen = beside && `; seen beside it: ${beside}`;
  return `${text}${seen}${ruleText(data)}${measured}${judgedText(data.judged)}`;
}

/** What arrived from a sender whose frames could not be counted. */
function uncountedText(of: Of<UncountedData>): string {
  const kinds = [
    ...(of.is('black') ? ['black pictures'] : []),
    ...(of.is('placeholder') ? ['the SDK’s placeholder for what it cannot decode'] : []),
  ];
  if (of.is('other') || kinds.length === 0)
    return 'too few pictures arrived to tell whether they carry a frame code, so no frame was counted';
  return `only ${kinds.join(' and ')} arrived: they carry no frame code, so no frame was counted`;
}

function ruleText(data: FactData): string {
  if (typeof data.rule !== 'string') return '';
  const rule = ruleWords.textOf(data.rule, [data]) ?? data.rule;
  const broken = brokenTimesByCode.get(data.rule) ?? '';
  return ` (rule: ${rule}${timeText(broken, data.brokenFrom, data.brokenTo, '; ')})`;
}

/** What was seen beside a loss, in words, as earlier versions recorded it; empty: nothing. */
function seenBeside({ code, data, seen }: Fact): string {
  if (seen) return causesText([seen]);
  const words = code === 'outage' ? data.seen : data.seenBeside;
  return typeof words === 'string' ? words : '';
}

/** What excuses the others stands after it in the reason. */
function judgedText(judged: unknown): string {
  return typeof judged === 'number'
    ? `; ${judged} of them judged, what follows may have caused the rest`
    : '';
}

/** Times are given in UTC, everywhere. */
function timeText(what: string, from: unknown, to: unknown, before: string, after = ''): string {
  if (typeof from !== 'string' || typeof to !== 'string') return '';
  return `${before}${what === '' ? '' : `${what} `}from ${timeOfDay(from)} to ${timeOfDay(to)} UTC${after}`;
}

function timeOfDay(iso: string): string {
  return iso.slice(11, 23);
}

function partsOf<Name>(
  of: { count(name: Name): number },
  count: (count: number) => string,
  parts: readonly [name: Name, text: string][],
): string {
  return parts
    .filter(([name]) => of.count(name) > 0)
    .map(([name, text]) => `${count(of.count(name))} ${text}`)
    .join(', ');
}

/** How many frames of how many were lost where, and which of them on purpose. */
function lostText(of: Of<LostData>, places: readonly [LostName, string][]): string {
  const parts = places.filter(([name]) => of.count(name) > 0);
  const [lost, injected] = [parts.reduce((sum, [name]) => sum + of.count(name), 0), of.count('injected')];
  const which = `${lost} of ${countText(of.numbers('submitted'), 'frame')} ${lost === 1 ? 'was' : 'were'}`;
  const [only, ...more] = parts;
  const where = parts.map(([name, place]) => `${of.count(name)} ${place}`).join(', ');
  const all = lost === 1 ? 'injected on purpose' : 'all injected on purpose';
  const onPurpose = injected >= lost ? all : `${injected} of them injected on purpose`;
  const text = only && more.length === 0 ? `${which} ${only[1]}` : `${which} lost: ${where}`;
  return injected > 0 ? `${text}, ${onPurpose}` : text;
}

/** After how many frames were missed: each cause, with its frames where there are several. */
function missCause(of: Of<MissedData>): string {
  const only = of.word('cause');
  const isOnly = {
    injected: only === 'injected',
    blocked: only === 'sdk-send-blocked',
    source: only === 'source',
  };
  const ownPacing =
    of.is('isSourceLate') || isOnly.source ? 'its disk or its decoding was late' : loadText(of);
  const causes = [
    { frames: of.count('injected'), isOnly: isOnly.injected, text: 'injected on purpose', link: '' },
    { frames: of.count('saidInjected'), isOnly: false, text: reportsInjected, link: 'where ' },
    { frames: of.count('sendBlocked'), isOnly: isOnly.blocked, text: notReturned, link: 'while ' },
    { frames: of.count('whileStopped'), isOnly: false, text: 'its process was stopped', link: 'while ' },
    {
      ...{ frames: of.count('ownPacing') - of.count('whileStopped'), isOnly: false },
      ...{ text: ownPacing, link: 'while ' },
    },
  ];
  const known = causes.filter(({ frames, isOnly }) => frames > 0 || isOnly);
  const [first] = known;
  if (known.length > 1)
    return `: ${known.map(({ frames, text, link }) => `${frames} ${link}${text}`).join(', ')}`;
  // The reason says that the process was stopped.
  if (of.count('whileStopped') > 0) return '';
  const { text, link } = first ?? { text: ownPacing, link: 'while ' };
  return link === 'while ' ? ` while ${text}` : `: ${text}`;
}

const reportsInjected = 'the sender reports an injected fault';
const notReturned = 'the transport’s send call had not returned (sdk-send-blocked)';

function loadText(of: Of<MissedData>): string {
  const load = of.number('loadPercent');
  if (load === '') return 'the sender’s load was not measured';
  const machine = machineText(of, 'the sender’s machine');
  const what = `the ${of.is('isGpu') ? 'GPU' : 'CPU'} of ${machine}`;
  return `${what} was at ${load} %${othersPart(of)}`;
}

/** A machine that is full of other work proves nothing about what the streams cost. */
function othersPart(of: Of<MissedData>): string {
  const isLarge = of.count('othersPercent') > of.count('loadPercent') / 2;
  return isLarge ? `, other programs took ${of.number('othersPercent')} % on average` : '';
}

function outageCost(of: Of<OutageData>): string {
  const [lost] = of.numbers('frames');
  if (lost === undefined) return 'how many frames it cost is not known';
  if (lost === 0) return 'its frames are counted';
  return `about ${frames(lost)} at ${of.number('framesPerSecond', rateText)} fps (an estimate)`;
}

/** A process of ours by its role, which may run with a sender elsewhere; a program of others by its name. */
function processText(of: Of<StandstillData>): string {
  const tool = of.word('tool', '');
  if (tool !== '') return tool;
  const sender = of.word('sender', '');
  return sender === ''
    ? `our ${of.word('role')} process${atMachine(of)}`
    : `the sending process of ${sender}`;
}

function deathText(of: Of<DeathData>): string {
  const [role, machine, why] = [of.word('role', ''), of.word('machine', ''), of.word('why', '')];
  if (role === '' && machine === '') return 'a stream process died';
  const whose = machine === '' ? 'our' : 'the';
  const process = role === '' ? 'a stream process' : `${whose} ${role} process`;
  const number = of.count('number') > 1 ? ` ${of.number('number')}` : '';
  const name = `${process}${number}${machine === '' ? '' : ` on ${machine}`}`;
  if (why !== '') return `${name} ${why}`;
  const [exitCode = null] = of.numbers('exitCode');
  return exitCode === null
    ? `${name} died`
    : `${name} ${endWords({ exitCode, signal: of.word('signal', '') || null })}`;
}

function unreachableText(of: Of<UnreachableData>): string {
  const [machine, from, to] = [of.word('machine'), of.word('from'), of.word('to', '')];
  const times =
    to === ''
      ? ` from ${timeOfDay(from)} UTC on, and was given up at ${timeOfDay(of.word('givenUpAt'))} UTC`
      : timeText('', from, to, ' ');
  return `${machine} was not reachable${times}`;
}

function standstillText(of: Of<StandstillData>): string {
  // Rounded up, so that what is beyond the limit reads so.
  const seconds = of.number('seconds', (value) => String(Math.ceil(value * 1000 - 1e-3) / 1000));
  return seconds === '' ? '' : ` for ${seconds} s (limit ${of.number('limitSeconds', String)} s)`;
}
