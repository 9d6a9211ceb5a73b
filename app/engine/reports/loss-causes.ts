import { causesText, kindOfCauses } from '../../facts/cause-words';
import type { Loss } from '../../facts/loss';
import { metricFor } from '../../facts/metrics/registry';
import type { Row, Subject } from '../../facts/row';
import type { LossCause, LossesLeftOut } from '../../protocol/report';

/** Losses of one row, stage and kind of causes. */
interface Group {
  counts: Omit<LossCause, 'cause'>;
  losses: Loss[];
}

/** Frames lost by row, stage and cause, most frames first in each row. Where numbers of one cause differ, it has their range. */
export function lossCauses(rows: readonly Row[]): LossCause[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    for (const loss of lossesOf(row)) {
      const { stage, frames, causes } = loss;
      const key = JSON.stringify([row.index, stage, causes ? kindOfCauses(causes) : loss.cause]);
      const fresh = { row: row.index, stage, losses: 0, frames: 0 };
      const group = groups.get(key) ?? { counts: fresh, losses: [] };
      groups.set(key, group);
      group.counts.losses += 1;
      group.counts.frames += frames;
      group.losses.push(loss);
    }
  }
  return [...groups.values()]
    .map(({ counts, losses }) => ({ ...counts, cause: causeOf(losses) }))
    .sort((one, other) => one.row - other.row || other.frames - one.frames);
}

/** The causes of losses of one group, in words; a run of an older version has but those. */
function causeOf(losses: readonly Loss[]): string {
  const known = losses.flatMap(({ causes }) => (causes ? [causes] : []));
  return known.length > 0 ? causesText(known) : (losses[0]?.cause ?? 'no cause was recorded');
}

/**
 * The rows with no more than `most` losses together, the first of each by time, and how many each row has beyond them.
 * Rows that need less than an even share leave the rest of theirs to others.
 */
export function withFirstLosses(rows: readonly Row[], most: number) {
  const shares = sharesOf(
    rows.map((row) => lossesOf(row).length),
    most,
  );
  const leftOut: LossesLeftOut[] = [];
  const shortened = rows.map((row, index): Row => {
    const losses = lossesOf(row);
    const kept = new Set([...losses].sort(byTime).slice(0, shares[index]));
    const left = losses.filter((loss) => !kept.has(loss));
    if (left.length > 0) {
      const frames = left.reduce((sum, loss) => sum + loss.frames, 0);
      leftOut.push({ row: row.index, losses: left.length, frames });
    }
    const subjects = row.subjects.map((subject) => ({
      ...subject,
      figures: withoutFrames(subject.figures),
      losses: subject.losses?.filter((loss) => kept.has(loss)),
    }));
    return { ...row, subjects };
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

/** The lists of single frames are long, and no page shows them. */
function withoutFrames(figures: Subject['figures']): Subject['figures'] {
  return Object.fromEntries(Object.entries(figures).filter(([id]) => metricFor(id).shape !== 'frames'));
}

/** Runs of an older version have none. */
function lossesOf(row: Row): Loss[] {
  return row.subjects.flatMap(({ losses = [] }) => losses);
}
