import type { Row } from '../../app/facts/row';
import { clockTime } from '../format';
import { texts } from '../texts';
import styles from './report.module.css';

/** When each row began and how long it lasted: the table has no room for two more columns. */
export function RowTimes({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <p className={styles.note} data-testid="row-times">
      {texts.report.rowTimes(
        rows.map(({ index, from, to }) => [index, clockTime(from), secondsOf(from, to)]),
      )}
    </p>
  );
}

function secondsOf(from: string, to: string | null): number | null {
  return to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;
}
