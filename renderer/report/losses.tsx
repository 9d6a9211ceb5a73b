import { outageText } from '../../app/facts/loss-words';
import { type LostBetweenRows, SumBetweenRows } from '../../app/facts/lost-between-rows';
import type { Row } from '../../app/facts/row';
import { streamsOf } from '../../app/facts/row-figures';
import type { LossesLeftOut } from '../../app/protocol/report';
import { stepTitle } from '../charts/step-series';
import { figure } from '../format';
import { GapBars, hasGap } from '../table/gap-bars';
import { LossTable } from '../table/loss-table';
import { explainedOf, lossesBetween, lossesOf, outagesText } from '../table/losses';
import { texts } from '../texts';
import styles from './report.module.css';

interface Props {
  rows: readonly Row[];
  /** Losses that the run's folder has beside these. */
  leftOut?: readonly LossesLeftOut[];
  /** Beside the rows. */
  between?: readonly LostBetweenRows[];
  /** What the receiver counted stands in another run of the report. */
  hasReceiver?: boolean;
}

/** The losses of all rows and between them, each with its cause. */
export function Losses(props: Props) {
  const { losses, left, flawless, notes } = saidOf(props);
  return (
    <>
      {losses.length > 0 && <LossTable losses={losses} showsRow />}
      {left > 0 && <p className={styles.note}>{texts.losses.moreInFile(figure(left))}</p>}
      {flawless.length > 0 && <p className={styles.note}>{texts.losses.noneIn(flawless)}</p>}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  );
}

/** Whether there is a word to say: a sender that missed nothing has no losses, and what was lost after it stands with its receiver. */
export function hasLosses(props: Props): boolean {
  const { losses, left, flawless, notes } = saidOf(props);
  return losses.length + left + flawless.length + notes.length > 0;
}

function saidOf({ rows, leftOut = [], between = [], hasReceiver = false }: Props) {
  return {
    losses: [...rows.flatMap((row) => lossesOf(row) ?? []), ...lossesBetween(between)],
    left: leftOut.reduce((sum, row) => sum + row.losses, 0),
    flawless: rows.filter(isFlawless).map(({ index }) => index),
    notes: [...notesOf(hasReceiver ? rows.filter(isCounted) : rows, leftOut), ...notesBetween(between)],
  };
}

function isCounted(row: Row): boolean {
  return explainedOf(row).counted !== null;
}

function isFlawless(row: Row): boolean {
  if (row.subjects.length === 0 || lossesOf(row) === null) return false;
  return explainedOf(row).counted === 0 && outagesText(row) === '';
}

/** What the table of losses does not say: those rows of which it knows not all or nothing. */
function notesOf(rows: readonly Row[], leftOut: readonly LossesLeftOut[]): string[] {
  return rows.flatMap((row) => {
    if (row.subjects.length === 0) return [];
    const { explained: shown, counted, reason } = explainedOf(row);
    const explained = shown + (leftOut.find((left) => left.row === row.index)?.frames ?? 0);
    const outages = outagesText(row);
    const of = (found: string): string[] =>
      [outages, found].filter(Boolean).map((text) => texts.losses.ofRow(row.index, text));
    if (lossesOf(row) === null) return of(texts.losses.unknown);
    if (counted === null) return of(texts.table.notMeasured(reason));
    // Rows without any loss stand together.
    if (counted === 0) return of('');
    return of(explained < counted ? texts.losses.listed(figure(explained), figure(counted)) : '');
  });
}

/** How many frames no row has, which of them the list lacks, and outages. */
function notesBetween(between: readonly LostBetweenRows[]): string[] {
  const lost = between.reduce((sum, { frames }) => sum + frames, 0);
  const listed = lossesBetween(between).reduce((sum, { frames }) => sum + frames, 0);
  const outages = between.flatMap(({ stream, outages }) =>
    outages.map((outage) => `${stream}, ${texts.losses.betweenRows}: ${outageText(outage)}`),
  );
  return [
    ...(lost > 0 ? [texts.losses.lostBetween(SumBetweenRows.of(between).text)] : []),
    ...(listed < lost ? [texts.losses.listed(figure(listed), figure(lost))] : []),
    ...outages,
  ];
}

/** The gaps of each row that has one; an outage stands among the losses. Where no frame was lost, nothing more is said. */
export function Gaps({ rows }: { rows: readonly Row[] }) {
  const measured = rows.filter((row) => (streamsOf(row) ?? 0) > 0);
  const isGapless = (row: Row): boolean =>
    hasGap(row) === false && outagesText(row) === '' && !isFlawless(row);
  const flawless = measured.filter(isGapless).map(({ index }) => index);
  return (
    <>
      <div className={styles.gaps}>
        {measured
          .filter((row) => hasGap(row) !== false)
          .map((row) => (
            <figure key={row.index} className={styles.gap}>
              <figcaption>{stepTitle(row)}</figcaption>
              <GapBars row={row} />
            </figure>
          ))}
      </div>
      {measured.some(isParted) && <p className={styles.note}>{texts.gaps.more}</p>}
      {flawless.length > 0 && <p className={styles.note}>{texts.gaps.none(flawless)}</p>}
    </>
  );
}

/** Frames came in the middle of a loss: the list has it as one, and the gaps as several. */
function isParted(row: Row): boolean {
  return (lossesOf(row) ?? []).some(
    ({ firstFrame, lastFrame, frames }) => frames < lastFrame - firstFrame + 1,
  );
}
