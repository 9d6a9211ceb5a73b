import { Fragment } from 'react';
import type { Row } from '../../app/protocol/row';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { type ColumnGroup, studyColumnsOf } from './columns';
import { MetricCell, metricHelp } from './metric-cell';
import styles from './study-table.module.css';

interface Props {
  rows: readonly Row[];
  /** Index of the row that is still open. */
  provisional: number | null;
  /** Opens what stands behind a row, in the window. */
  onOpen?: (row: number) => void;
}

/** The table of the study: what each added stream cost and what was lost. */
export function StudyTable({ rows, provisional, onOpen }: Props) {
  const studyColumns = studyColumnsOf(rows);
  return (
    <table className={styles.table} data-opens={onOpen ? true : undefined} data-testid="study-table">
      <caption className="visually-hidden">{texts.table.caption}</caption>
      <thead>
        <tr>
          <th scope="col" rowSpan={2} className={styles.streams}>
            {texts.table.streams}
          </th>
          {studyColumns.map(({ heading, columns }) => (
            <th key={heading} scope="colgroup" colSpan={columns.length} className={styles.group}>
              {heading}
            </th>
          ))}
          <th scope="col" rowSpan={2} className={styles.verdict}>
            {texts.table.verdict}
          </th>
          <th scope="col" rowSpan={2} className={styles.reason}>
            {texts.table.reason}
          </th>
        </tr>
        <tr>
          {studyColumns.map((group) => (
            <Fragment key={group.heading}>
              {group.columns.map(({ metric, heading }, index) => (
                <th
                  key={metric.id}
                  scope="col"
                  data-first={index === 0 || undefined}
                  title={metricHelp(metric)}
                >
                  {heading}
                  {metric.unit && <span className={styles.unit}> {metric.unit}</span>}
                </th>
              ))}
            </Fragment>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <StudyRow
            key={row.row}
            row={row}
            columns={studyColumns}
            isProvisional={index === provisional}
            onOpen={onOpen && row.perStream.length > 0 ? () => onOpen(row.row) : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  row: Row;
  columns: readonly ColumnGroup[];
  isProvisional: boolean;
  /** Absent where there is nothing to open. */
  onOpen?: () => void;
}

function StudyRow({ row, columns: studyColumns, isProvisional, onOpen }: RowProps) {
  /** A row is as good a target as its button, except for whoever marks a figure to copy it. */
  function onClick(): void {
    if (getSelection()?.isCollapsed !== false) onOpen?.();
  }

  return (
    <tr
      data-row={row.row}
      data-sender-missed={row.senderMissed || undefined}
      data-provisional={isProvisional || undefined}
      data-verdict={row.verdict}
      onClick={onOpen && onClick}
    >
      <th scope="row" className={styles.streams}>
        {onOpen ? (
          <button
            type="button"
            className={styles.open}
            aria-haspopup="dialog"
            aria-label={texts.table.showDetail(row.row)}
            title={texts.table.showDetail(row.row)}
          >
            <svg className={styles.chevron} viewBox="0 0 16 16" aria-hidden="true">
              <path d="M5 3l6 5-6 5" />
            </svg>
            {row.streams}
          </button>
        ) : (
          row.streams
        )}
      </th>
      {studyColumns.map((group) => (
        <Fragment key={group.heading}>
          {group.columns.map(({ metric }, index) => (
            <MetricCell
              key={metric.id}
              metric={metric}
              row={row}
              className={index === 0 ? styles.first : undefined}
            />
          ))}
        </Fragment>
      ))}
      <td className={styles.verdict}>
        {isProvisional ? (
          <span className={styles.live} title={texts.table.liveHelp}>
            {texts.table.live}
          </span>
        ) : (
          <VerdictMark verdict={row.verdict} />
        )}
      </td>
      <td className={styles.reason} title={row.reason}>
        <span className={styles.sentence}>
          {row.senderMissed && (
            <b className={styles.red} title={texts.table.senderMissedHelp}>
              ▲ {texts.table.senderMissed}{' '}
            </b>
          )}
          {row.reason}
        </span>
      </td>
    </tr>
  );
}
