import { Fragment } from 'react';
import type { Row } from '../../app/protocol/row';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { studyColumns } from './columns';
import { MetricCell, metricHelp } from './metric-cell';
import styles from './study-table.module.css';

interface Props {
  rows: readonly Row[];
  /** Index of the row that is still open. */
  provisional: number | null;
}

/** The table of the study: what each added stream cost and what was lost. */
export function StudyTable({ rows, provisional }: Props) {
  return (
    <table className={styles.table} data-testid="study-table">
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
          <StudyRow key={row.row} row={row} isProvisional={index === provisional} />
        ))}
      </tbody>
    </table>
  );
}

function StudyRow({ row, isProvisional }: { row: Row; isProvisional: boolean }) {
  return (
    <tr
      data-row={row.row}
      data-sender-missed={row.senderMissed || undefined}
      data-provisional={isProvisional || undefined}
      data-verdict={row.verdict}
    >
      <th scope="row" className={styles.streams}>
        {row.streams}
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
        {row.senderMissed && (
          <b className={styles.red} title={texts.table.senderMissedHelp}>
            ▲ {texts.table.senderMissed}{' '}
          </b>
        )}
        {row.reason}
      </td>
    </tr>
  );
}
