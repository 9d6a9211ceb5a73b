import type { LossCause, LossesLeftOut } from '../../protocol/report';
import { isStreamRow, type Loss, type RunRow } from '../../protocol/row';

/** Losses whose causes differ only in their numbers, and those numbers in their order. */
interface Group {
  cause: LossCause;
  pattern: string;
  numbers: string[][];
}

/** A number of its own, and none of a name such as eth0. */
const numberIn = /(?<![\p{L}\d.])\d+(?:\.\d+)?/gu;
const hole = '\u0000';

/** Frames lost by row, stage and cause, most frames first in each row. Where numbers of one cause differ, it has their range. */
export function lossCauses(rows: readonly RunRow[]): LossCause[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    for (const loss of lossesOf(row)) {
      const { stage, frames } = loss;
      const told = causeOf(loss);
      const pattern = told.replace(numberIn, hole);
      const key = `${row.row} ${stage} ${pattern}`;
      const fresh = { row: row.row, stage, cause: '', losses: 0, frames: 0 };
      const group = groups.get(key) ?? { cause: fresh, pattern, numbers: [] };
      groups.set(key, group);
      group.cause.losses += 1;
      group.cause.frames += frames;
      group.numbers.push(told.match(numberIn) ?? []);
    }
  }
  return [...groups.values()]
    .map(({ cause, pattern, numbers }) => ({ ...cause, cause: withRanges(pattern, numbers) }))
    .sort((one, other) => one.row - other.row || other.frames - one.frames);
}

function withRanges(pattern: string, numbers: readonly string[][]): string {
  let place = 0;
  return pattern.replaceAll(hole, () => {
    const told = numbers.map((row) => row[place] ?? '').sort((a, b) => Number(a) - Number(b));
    place += 1;
    const [least, most] = [told[0], told[told.length - 1]];
    return least === most ? `${least}` : `${least}–${most}`;
  });
}

/** The cause of a loss; a run of an older version has it in its sentence alone: "what happened; cause; which streams". */
export function causeOf({ cause, stage, text }: Pick<Loss, 'cause' | 'stage' | 'text'>): string {
  // What happened to a missing frame takes two parts of the sentence.
  return cause ?? text.split('; ')[stage === 'missing' ? 2 : 1] ?? 'no cause was recorded';
}

/**
 * The rows with no more than `most` losses together, the first of each by time, and how many each row has beyond them.
 * Rows that need less than an even share leave the rest of theirs to others.
 */
export function withFirstLosses(rows: readonly RunRow[], most: number) {
  const shares = sharesOf(
    rows.map((row) => lossesOf(row).length),
    most,
  );
  const leftOut: LossesLeftOut[] = [];
  const shortened = rows.map((row, index): RunRow => {
    if (!isStreamRow(row)) return row;
    const losses = lossesOf(row);
    const kept = new Set([...losses].sort(byTime).slice(0, shares[index]));
    const left = losses.filter((loss) => !kept.has(loss));
    if (left.length > 0) {
      const frames = left.reduce((sum, loss) => sum + loss.frames, 0);
      leftOut.push({ row: row.row, losses: left.length, frames });
    }
    const perStream = row.perStream.map((stream) => ({
      ...stream,
      droppedFrames: [],
      missedFrames: [],
      losses: stream.losses?.filter((loss) => kept.has(loss)),
    }));
    return { ...row, perStream };
  });
  return { rows: shortened, leftOut };
}

function sharesOf(wanted: readonly number[], most: number): number[] {
  const shares = wanted.map(() => 0);
  let room = most;
  const order = wanted
    .map((_, index) => index)
    .sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  for (const [place, index] of order.entries()) {
    const share = Math.min(wanted[index] ?? 0, Math.floor(room / (order.length - place)));
    shares[index] = share;
    room -= share;
  }
  return shares;
}

function byTime(one: Loss, other: Loss): number {
  return Date.parse(one.startedAt) - Date.parse(other.startedAt);
}

/** Runs of an older version have none. */
function lossesOf(row: RunRow): Loss[] {
  return isStreamRow(row) ? row.perStream.flatMap(({ losses = [] }) => losses) : [];
}
