import type { Row } from '../../app/protocol/row';
import { figure } from '../format';
import { GapBars, hasGap } from '../table/gap-bars';
import { LossTable } from '../table/loss-table';
import { explainedOf, lossesOf } from '../table/losses';
import { texts } from '../texts';
import styles from './report.module.css';

/** More than this would not be read, and printed on hundreds of pages. */
const mostShown = 2000;

/** The losses of all rows, each with its cause. */
export function Losses({ rows }: { rows: readonly Row[] }) {
  const losses = rows.flatMap((row) => lossesOf(row) ?? []);
  const left = losses.length - mostShown;
  return (
    <>
      {losses.length > 0 && <LossTable losses={losses.slice(0, mostShown)} showsRow />}
      {left > 0 && <p className={styles.note}>{texts.losses.moreInFile(figure(left))}</p>}
      {notesOf(rows).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  );
}

/** What the table of losses does not say: rows without loss, and those of which it knows not all or nothing. */
function notesOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    if (row.perStream.length === 0) return [];
    const { explained, counted, reason } = explainedOf(row);
    const of = (text: string): string[] => [texts.losses.ofRow(row.row, text)];
    if (lossesOf(row) === null) return of(texts.losses.unknown);
    if (counted === null) return of(texts.table.notMeasured(reason));
    if (counted === 0) return of(texts.losses.none);
    return explained < counted ? of(texts.losses.listed(figure(explained), figure(counted))) : [];
  });
}

/** The gaps of each row that has one. */
export function Gaps({ rows }: { rows: readonly Row[] }) {
  const measured = rows.filter(({ streams }) => streams > 0);
  const flawless = measured.filter((row) => hasGap(row) === false).map(({ row }) => row);
  return (
    <>
      <div className={styles.gaps}>
        {measured
          .filter((row) => hasGap(row) !== false)
          .map((row) => (
            <figure key={row.row} className={styles.gap}>
              <figcaption>{texts.report.rowOf(row.row, row.streams)}</figcaption>
              <GapBars row={row} />
            </figure>
          ))}
      </div>
      {flawless.length > 0 && <p className={styles.note}>{texts.gaps.none(flawless)}</p>}
    </>
  );
}
