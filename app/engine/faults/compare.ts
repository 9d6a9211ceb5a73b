import { frameNumbers } from '../../facts/figure';
import { type SpoiltFigure, spoiltFigureOf, spoiltKinds } from '../../facts/spoilt';
import type { StreamFigures } from '../../facts/stream-row';
import type { CertificateCheck, VerbLine } from '../../protocol/certificate';
import type { Rate } from '../../protocol/format';
import { type Fault, type FaultVerb, faultVerbs } from '../../protocol/records';
import type { LogCount } from './captured-log';
import { expectedFrames, isSpoiling, kindOfVerb, leastMissed, lostRange } from './expected-counts';

/** What of a stream's row is compared. */
export type ComparedFigures = Pick<
  StreamFigures,
  | 'missedFrames'
  | 'droppedFrames'
  | 'framesSenderMissed'
  | 'framesDropped'
  | 'framesReceived'
  | 'picturesCaptured'
  | 'framesDuplicated'
  | 'framesReordered'
  | SpoiltFigure
  | 'framesUndecodable'
  | 'framesUndecodableUnmatched'
  | 'stalls'
  | 'conserved'
>;

/** What a row says, held against what was put in and against the receiver's own log of the same frames. */
export interface Comparison {
  verbs: VerbLine[];
  checks: CertificateCheck[];
  /** Numbers that the machine itself lost: the log lacks them, and no fault was on them. */
  machineMissed: number[];
  machineDropped: number[];
}

/**
 * Compares sets of numbers: the expected loss is what was put in, and what the log lacks besides. Faults must have passed
 * `checkFaults` and carry the row's own numbers. Pure.
 */
export function compare(
  row: ComparedFigures,
  log: LogCount,
  faults: readonly Fault[],
  rate: Rate,
): Comparison {
  const numbers = new Numbers(row, log);
  const { derived } = expectedFrames(faults, rate);
  const verbs = faultVerbs
    .map((verb) => ({ verb, ofVerb: faults.filter((fault) => fault.verb === verb) }))
    .filter(({ ofVerb }) => ofVerb.length > 0)
    .map(({ verb, ofVerb }) => lineOf(verb, ofVerb, rate, numbers));
  const putIn = new Set(faults.filter(({ verb }) => isLossOf(verb)).flatMap(framesOf));
  const ranges = derived.filter((fault) => isApplied(fault, numbers)).map((fault) => lostRange(fault, rate));
  const isOwn = (frame: number): boolean =>
    !putIn.has(frame) && !ranges.some(({ first, last }) => frame >= first && frame <= last);
  return {
    verbs,
    checks: checksOf(row, log, faults, rate, numbers),
    machineMissed: [...numbers.missed].filter(isOwn),
    machineDropped: [...numbers.dropped].filter(isOwn),
  };
}

/** The sets of one row. */
class Numbers {
  readonly lacking: Set<number>;
  readonly missed: Set<number>;
  readonly dropped: Set<number>;
  /** The log lacks them, and the row reports them neither missed nor dropped: they came undecodable. */
  readonly undecodable: number[];

  constructor(
    row: ComparedFigures,
    readonly log: LogCount,
  ) {
    this.lacking = new Set(log.lacking);
    this.missed = new Set(frameNumbers(row.missedFrames));
    this.dropped = new Set(frameNumbers(row.droppedFrames));
    this.undecodable = log.lacking.filter((frame) => !this.missed.has(frame) && !this.dropped.has(frame));
  }
}

function lineOf(verb: FaultVerb, faults: Fault[], rate: Rate, numbers: Numbers): VerbLine {
  const { log, lacking, missed, dropped } = numbers;
  const frames = faults.flatMap(framesOf);
  /** Each of the frames shows in the log unless it was lost by the machine. */
  const shown = (
    figure: VerbLine['figure'],
    inLog: number[],
    counted: number,
    machine: number[],
  ): VerbLine => {
    const own = new Set(machine);
    const expected = frames.filter((frame) => !own.has(frame));
    return {
      ...{ verb, faults: faults.length, figure, expected: expected.length, machine: own.size, counted },
      equal: counted === expected.length && expected.every((frame) => inLog.includes(frame)),
    };
  };
  const lost = frames.filter((frame) => lacking.has(frame));
  const among = (numbersShown: number[]): number[] => numbersShown.filter((frame) => frames.includes(frame));
  switch (verb) {
    case 'miss':
      return shown('framesSenderMissed', [...missed], frames.filter((frame) => missed.has(frame)).length, []);
    case 'skip': {
      const machine = frames.filter((frame) => missed.has(frame));
      const counted = frames.filter((frame) => dropped.has(frame)).length;
      return shown('framesDropped', [...dropped], counted, machine);
    }
    case 'repeat':
      return shown('framesDuplicated', log.duplicated, among(log.duplicated).length, lost);
    case 'swap': {
      // Without any frame to be overtaken by, the first one is in order.
      const alone = faults.filter((fault) =>
        framesOf({ ...fault, verb: 'skip' })
          .slice(1)
          .every((frame) => lacking.has(frame)),
      );
      const machine = [...lost, ...alone.map(({ first }) => first)];
      return shown('framesReordered', log.reordered, among(log.reordered).length, machine);
    }
    case 'black': {
      const machine = frames.filter((frame) => missed.has(frame) || dropped.has(frame));
      return shown('framesUndecodable', numbers.undecodable, among(numbers.undecodable).length, machine);
    }
    case 'delay':
      return derivedLine('delay', 'framesSenderMissed', faults, rate, numbers);
    case 'stall':
      return derivedLine('stall', 'framesDropped', faults, rate, numbers);
    default: {
      const kind = kindOfVerb[verb];
      const inLog = log.spoilt[kind];
      return shown(spoiltFigureOf[kind], inLog, among(inLog).length, lost);
    }
  }
}

/** What the log lacks around the faults must be reported, missed for a delay and dropped for a stall. */
function derivedLine(
  verb: FaultVerb,
  figure: VerbLine['figure'],
  faults: Fault[],
  rate: Rate,
  numbers: Numbers,
): VerbLine {
  const { lacking, missed, dropped } = numbers;
  const [reported, other] = verb === 'delay' ? [missed, dropped] : [dropped, missed];
  const line = { verb, faults: faults.length, figure, expected: 0, machine: 0, counted: 0, equal: true };
  for (const fault of faults) {
    const { first, last } = lostRange(fault, rate);
    if (!isApplied(fault, numbers)) {
      for (let frame = first; frame <= last; frame++) if (lacking.has(frame)) line.machine += 1;
      continue;
    }
    let counted = 0;
    for (let frame = first; frame <= last; frame++) {
      if (reported.has(frame)) counted += 1;
      if (!lacking.has(frame)) continue;
      if (other.has(frame)) line.machine += 1;
      else line.expected += 1;
    }
    line.counted += counted;
    if (verb === 'delay' && counted < leastMissed(fault, rate)) line.equal = false;
  }
  return { ...line, equal: line.equal && line.counted === line.expected };
}

/** A frame that the machine itself missed was never submitted, and so delayed nothing. */
function isApplied(fault: Fault, { missed }: Numbers): boolean {
  return fault.verb !== 'delay' || framesOf(fault).some((frame) => !missed.has(frame));
}

function checksOf(
  row: ComparedFigures,
  log: LogCount,
  faults: readonly Fault[],
  rate: Rate,
  { undecodable, missed, dropped }: Numbers,
): CertificateCheck[] {
  const check = (name: string, expected: number, counted: number | null): CertificateCheck => ({
    ...{ name, expected, counted: counted ?? 0 },
    equal: expected === counted,
  });
  const reported = [...missed, ...dropped];
  const absent = new Set(log.lacking);
  const { stalls } = expectedFrames(faults, rate);
  const putIn = (...verbs: FaultVerb[]): Set<number> =>
    new Set(faults.filter(({ verb }) => verbs.includes(verb)).flatMap(framesOf));
  const besides = (inLog: number[], frames: Set<number>): number =>
    inLog.filter((frame) => !frames.has(frame)).length;
  const spoiltByNobody =
    besides(log.duplicated, putIn('repeat')) +
    besides(log.reordered, putIn('swap')) +
    spoiltKinds.reduce((sum, kind) => {
      const verbs = faultVerbs.filter((verb) => isSpoiling(verb) && kindOfVerb[verb] === kind);
      return sum + besides(log.spoilt[kind], putIn(...verbs));
    }, 0);
  return [
    check('numbers seen', log.seen.size, (row.framesReceived ?? 0) - (row.framesUndecodable ?? 0)),
    check('pictures', log.pictures + log.undecodable, row.picturesCaptured),
    // Sets: what is reported lost is what the log lacks, each number once.
    check(
      'lost numbers that the log lacks',
      reported.length,
      reported.filter((frame) => absent.delete(frame)).length,
    ),
    check('undecodable', undecodable.length, row.framesUndecodable),
    check(
      'undecodable pictures',
      log.undecodable,
      sum(row.framesUndecodable, row.framesUndecodableUnmatched),
    ),
    check('missed', missed.size, row.framesSenderMissed),
    check('dropped', dropped.size, row.framesDropped),
    check('duplicated', log.duplicated.length, row.framesDuplicated),
    check('reordered', log.reordered.length, row.framesReordered),
    ...spoiltKinds.map((kind) => check(kind, log.spoilt[kind].length, row[spoiltFigureOf[kind]])),
    {
      // A machine that stands still itself adds stalls; the log shows each as a silence.
      ...{ name: 'stalls', expected: stalls, counted: row.stalls ?? 0 },
      equal: (row.stalls ?? -1) >= stalls && (row.stalls ?? 0) <= log.silences,
    },
    check('sums that hold', 1, Number(row.conserved === true)),
    check('spoilt, doubled or reordered by no fault', 0, spoiltByNobody),
  ];
}

/** Numbers that a fault itself moves; of a swap the one that is held back. */
function framesOf({ verb, first, last }: Fault): number[] {
  const count = verb === 'swap' ? 1 : last - first + 1;
  return Array.from({ length: count }, (_, index) => first + index);
}

function isLossOf(verb: FaultVerb): boolean {
  return verb === 'miss' || verb === 'skip' || verb === 'black';
}

function sum(...counts: (number | null)[]): number | null {
  return counts.reduce(
    (total, count) => (total === null || count === null ? null : total + count),
    0 as number | null,
  );
}
