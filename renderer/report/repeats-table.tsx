import type { Repeats, SessionReportData } from '../../app/protocol/report';
import { filledColumns, splitColumns } from '../table/declared-columns';
import { type RowOfRun, RunTable } from '../table/run-table';
import { texts } from '../texts';
import { ChangedSettings } from './changed-settings';
import styles from './report.module.css';
import { tableGroups } from './run-columns';

const words = texts.report.ofSession;

interface Props {
  repeats: Repeats;
  runs: SessionReportData['runs'];
}

/** Runs of one experiment beside each other: the columns of its table, and for each step a row of every run. */
export function RepeatsTable({ repeats: { experiment, steps, differences, runs: own }, runs }: Props) {
  const lines = steps.flatMap(({ label, rows }) =>
    rows.flatMap(({ run, row }, index) => {
      const recorded = runs[run]?.run.rows[row];
      if (!recorded) return [];
      const name = `${words.runOf(run + 1)}, ${texts.losses.row.toLowerCase()} ${recorded.index}`;
      const place: RowOfRun = { step: index === 0 ? label : null, run: name };
      return [{ row: recorded, place }];
    }),
  );
  const rows = lines.map(({ row }) => row);
  return (
    <>
      <div className={styles.above}>
        {differences.length === 0 ? (
          <p>{words.sameParameters}</p>
        ) : (
          <ChangedSettings differences={differences} numbers={own.map((run) => run + 1)} />
        )}
      </div>
      <div className={styles.tables} data-testid="repeats">
        {splitColumns(filledColumns(tableGroups({ experiment, rows }), rows), rows).map((columns) => (
          <RunTable
            key={columns[0]?.columns[0]?.metric.id}
            rows={rows}
            columns={columns}
            lead={words.stepAndRun}
            caption={words.repeats(experiment)}
            showsReason={false}
            places={lines.map(({ place }) => place)}
          />
        ))}
      </div>
    </>
  );
}
