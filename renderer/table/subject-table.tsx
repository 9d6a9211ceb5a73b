import { headingWithUnit, isCell, type Metric } from '../../app/facts/metrics/registry';
import { wordsOf } from '../../app/facts/reason-words';
import type { Row, Subject } from '../../app/facts/row';
import { isOfStreams, recordedMetrics } from '../../app/facts/row-figures';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './detail.module.css';
import { MetricCell, metricHelp } from './metric-cell';

interface Props {
  rows: readonly Row[];
  columns: readonly Metric[];
  /** What the subjects are. */
  heading: string;
  showsRow?: boolean;
  /** Those of other kinds are left out. */
  kind?: string;
  /** Words that follow the name, each in a column. */
  words?: readonly { heading: string; of(subject: Subject): string }[];
  testId: string;
}

/** The same figures for each subject of each row. */
export function SubjectTable({ rows, columns, heading, showsRow, kind, words = [], testId }: Props) {
  const shown = rows.map((row) => ({
    row,
    subjects: kind === undefined ? row.subjects : row.subjects.filter((subject) => subject.kind === kind),
  }));
  const isJudged = shown.some(({ subjects }) => subjects.some(({ verdict }) => verdict));
  return (
    <table className={styles.table} data-few={columns.length < 4 || undefined} data-testid={testId}>
      <thead>
        <tr>
          {showsRow && <th scope="col">{texts.losses.row}</th>}
          <th scope="col">{heading}</th>
          {words.map(({ heading: what }) => (
            <th key={what} scope="col">
              {what}
            </th>
          ))}
          {columns.map((metric) => (
            <th key={metric.id} scope="col" title={metricHelp(metric)} className={styles.number}>
              {headingWithUnit(metric)}
            </th>
          ))}
          {isJudged && <th scope="col">{texts.table.verdict}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.flatMap(({ row, subjects }) =>
          subjects.map((subject, index) => (
            <tr key={`${row.index} ${subject.id}`} data-first={index === 0 || undefined}>
              {showsRow && <th scope="row">{row.index}</th>}
              <td className={styles.name} title={subject.name}>
                {subject.name}
              </td>
              {words.map(({ heading: what, of }) => (
                <td key={what} className={styles.method} title={of(subject)}>
                  <span className={styles.word}>{of(subject)}</span>
                </td>
              ))}
              {columns.map((metric) => (
                <MetricCell
                  key={metric.id}
                  metric={metric}
                  row={subject}
                  of={row.index}
                  className={styles.number}
                />
              ))}
              {isJudged && (
                <td title={wordsOf(subject.reason ?? [])}>
                  {subject.verdict && <VerdictMark verdict={subject.verdict} />}
                </td>
              )}
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

/** A table for each kind of subject of rows that follow no streams, such as programs or cores. */
export function SubjectTables({ rows }: { rows: readonly Row[] }) {
  const others = rows.filter((row) => !isOfStreams(row));
  const subjects = others.flatMap((row) => row.subjects);
  return [...new Set(subjects.map(({ kind }) => kind))].map((kind) => (
    <SubjectTable
      key={kind}
      kind={kind}
      heading={kind.charAt(0).toUpperCase() + kind.slice(1)}
      rows={others}
      columns={recordedMetrics(subjects.filter((subject) => subject.kind === kind)).filter(isCell)}
      showsRow
      testId={`subjects-${kind}`}
    />
  ));
}
