import { causesText, kindOfCauses } from '../../facts/cause-words';
import type { Fact } from '../../facts/fact';
import { endOfLoss } from '../../facts/leading-cause';
import type { Loss } from '../../facts/loss';
import { metricFor } from '../../facts/metrics/registry';
import type { Row, Subject } from '../../facts/row';
import type { LossCause, LossesLeftOut, LossPlace } from '../../protocol/report';

/** A loss, or an outage. */
interface Found {
  stage: LossPlace;
  frames: number | null;
  causes?: readonly Fact[];
  cause?: string;
}

/** What was found in one row, at one place and with one kind of causes. */
interface Group {
  counts: Omit<LossCause, 'cause'>;
  found: Found[];
}

/**
 * Frames lost by row, stage and cause, most frames first in each row, outages too. Where numbers of one cause differ, it has their
 * range.
 */
export function lossCauses(rows: readonly Row[]): LossCause[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    for (const one of [...lossesOf(row), ...outagesOf(row)]) {
      const { stage, frames, causes, cause } = one;
      const key = JSON.stringify([row.index, stage, causes ? kindOfCauses(causes) : cause]);
      const end = stage === 'outage' ? null : endOfLoss(stage, causes);
      const group = groups.get(key) ?? {
        counts: { row: row.index, stage, end, losses: 0, frames: 0 },
        found: [],
      };
      groups.set(key, group);
      const { counts } = group;
      counts.losses += 1;
      counts.frames = counts.frames === null || frames === null ? null : counts.frames + frames;
      group.found.push(one);
    }
  }
  return [...groups.values()]
    .map(({ counts, found }) => ({ ...counts, cause: causeOf(found) }))
    .sort((one, other) => one.row - other.row || (other.frames ?? 0) - (one.frames ?? 0));
}

/** The causes of one group, in words; a run of an older version has but those. */
function causeOf(found: readonly Found[]): string {
  const known = found.flatMap(({ causes }) => (causes ? [causes] : []));
  return known.length > 0 ? causesText(known) : (found[0]?.cause ?? 'no cause was recorded');
}

/** What was seen beside an outage is what is known of its cause. */
function outagesOf(row: Row): Found[] {
  return row.subjects.flatMap(({ outages = [] }) =>
    outages.map(({ framesEstimated: frames, fact, text }) => {
      const seen = fact?.seen ?? [];
      if (seen.length > 0) return { stage: 'outage', frames, causes: seen };
      return { stage: 'outage', frames, cause: text ?? 'nothing was seen beside it' };
    }),
  );
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
