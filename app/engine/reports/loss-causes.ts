import type { LossCause, LossesLeftOut } from '../../protocol/report';
import { isStreamRow, type Loss, type RunRow } from '../../protocol/row';

/** Frames lost by row, stage and cause, most frames first in each row. */
export function lossCauses(rows: readonly RunRow[]): LossCause[] {
  const causes = new Map<string, LossCause>();
  for (const row of rows) {
    for (const loss of lossesOf(row)) {
      const cause = causeOf(loss);
      const key = `${row.row} ${loss.stage} ${cause}`;
      const known = causes.get(key) ?? { row: row.row, stage: loss.stage, cause, losses: 0, frames: 0 };
      known.losses += 1;
      known.frames += loss.frames;
      causes.set(key, known);
    }
  }
  return [...causes.values()].sort((one, other) => one.row - other.row || other.frames - one.frames);
}

/**
 * The part of a loss's sentence that tells its cause ("what happened; cause; which streams"), with a sign in the place of
 * each number, so that equal causes are one.
 */
export function causeOf({ text }: Pick<Loss, 'text'>): string {
  const [, cause = 'no cause was told'] = text.split('; ');
  return cause.replace(/\d+(?:[.,]\d+)*/g, '…');
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
