import type { Row } from '../../app/facts/row';
import { streamsOf } from '../../app/facts/row-figures';
import type { LossesLeftOut } from '../../app/protocol/report';
import { stepTitle } from '../charts/step-series';
import { figure } from '../format';
import { GapBars, hasGap } from '../table/gap-bars';
import { LossTable } from '../table/loss-table';
import { explainedOf, lossesOf, outagesText } from '../table/losses';
import { texts } from '../texts';
import styles from './report.module.css';

interface Props {
  rows: readonly Row[];
  /** Losses that the run's folder has beside these. */
  leftOut?: readonly LossesLeftOut[];
}

/** The losses of all rows, each with its cause. */
export function Losses({ rows, leftOut = [] }: Props) {
  const losses = rows.flatMap((row) => lossesOf(row) ?? []);
  const left = leftOut.reduce((sum, row) => sum + row.losses, 0);
  return (
    <>
      {losses.length > 0 && <LossTable losses={losses} showsRow />}
      {left > 0 && <p className={styles.note}>{texts.losses.moreInFile(figure(left))}</p>}
      {notesOf(rows, leftOut).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  );
}

/** What the table of losses does not say: rows without loss, and those of which it knows not all or nothing. */
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
    if (counted === 0) return of(outages === '' ? texts.losses.none : '');
    return of(explained < counted ? texts.losses.listed(figure(explained), figure(counted)) : '');
  });
}

/** The gaps of each row that has one. */
export function Gaps({ rows }: { rows: readonly Row[] }) {
  const measured = rows.filter((row) => (streamsOf(row) ?? 0) > 0);
  const isFlawless = (row: Row): boolean => hasGap(row) === false && outagesText(row) === '';
  const flawless = measured.filter(isFlawless).map(({ index }) => index);
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
      {flawless.length > 0 && <p className={styles.note}>{texts.gaps.none(flawless)}</p>}
      {measured
        .filter((row) => outagesText(row) !== '')
        .map((row) => (
          <p key={row.index} className={styles.note}>
            {texts.losses.ofRow(row.index, outagesText(row))}
          </p>
        ))}
    </>
  );
}
