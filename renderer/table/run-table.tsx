import { Fragment, type ReactNode, useRef } from 'react';
import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { isOfStreams, streamsOf } from '../../app/facts/row-figures';
import { momentText } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import type { ColumnGroup } from './columns';
import { machinesOf } from './machines';
import { MetricCell, metricHelp } from './metric-cell';
import { isRedRow } from './red-row';
import styles from './study-table.module.css';
import { useCovers } from './use-covers';

interface Props {
  rows: readonly Row[];
  columns: readonly ColumnGroup[];
  /** Heading of the first column, which says what a row is. */
  lead: string;
  caption: string;
  /** Index of the row that is still open. */
  provisional?: number | null;
  /** Opens the details of a row, in the window. */
  onOpen?: (row: number) => void;
  /** False if another part of the same table has them. */
  showsReason?: boolean;
  /** Of rows of several runs beside each other: what stands in the first column instead of their own names. */
  places?: readonly RowOfRun[];
}

export interface RowOfRun {
  /** What was set, in the first row of it; null in the others. */
  step: string | null;
  /** Which run it is of. */
  run: string;
}

/** The one table of all experiments: a row for each step, columns by their groups, the verdict last. */
export function RunTable(props: Props) {
  const { rows, columns, lead, caption, provisional, onOpen, showsReason = true, places } = props;
  const table = useRef<HTMLTableElement>(null);
  const { moreLeft, moreRight } = useCovers(table, onOpen !== undefined);
  // The other tables and charts of a run name a row by its number, whatever else it is called here.
  const showsNumber = !places && rows.some(isOfStreams);
  const nameStyle = (row: Row | undefined): string | undefined =>
    row && isOfStreams(row) && !places ? styles.streams : styles.step;
  return (
    <table
      ref={table}
      className={styles.table}
      data-opens={onOpen ? true : undefined}
      data-more={moreRight > 0 || undefined}
      data-more-left={moreLeft > 0 || undefined}
      data-testid="study-table"
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {showsNumber && (
            <th scope="col" rowSpan={2} className={styles.number} data-stays="number">
              {texts.table.row}
            </th>
          )}
          <th scope="col" rowSpan={2} className={nameStyle(rows.find(isOfStreams))} data-stays="lead">
            {moreLeft > 0 && (
              <span
                className={`${styles.more} ${styles.moreLeft}`}
                title={texts.table.moreHelp(moreLeft)}
                data-testid="more-columns-left"
              >
                {texts.table.moreLeft(moreLeft)}
              </span>
            )}
            {lead}
          </th>
          {columns.map((group) => (
            <th key={group.heading} scope="colgroup" colSpan={group.columns.length} className={styles.group}>
              <span data-group>{group.heading}</span>
              <Machines rows={rows} group={group.heading} />
            </th>
          ))}
          <th scope="col" rowSpan={2} className={styles.verdict} data-stays="verdict">
            {moreRight > 0 && (
              <span
                className={styles.more}
                title={texts.table.moreHelp(moreRight)}
                data-testid="more-columns"
              >
                {texts.table.more(moreRight)}
              </span>
            )}
            {texts.table.verdict}
          </th>
          {showsReason && (
            <th scope="col" rowSpan={2} className={styles.reason} data-stays="reason">
              {texts.table.reason}
            </th>
          )}
        </tr>
        <tr>
          {columns.map((group) => (
            <Fragment key={group.heading}>
              {group.columns.map(({ metric, heading }, index) => (
                <th
                  key={metric.id}
                  scope="col"
                  className={metric.shape === 'words' ? styles.words : undefined}
                  data-column
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
          <TableLine
            key={`${row.index} ${row.from} ${places?.[index]?.run}`}
            row={row}
            place={places?.[index]}
            nameStyle={nameStyle(row)}
            showsNumber={showsNumber}
            columns={columns}
            isProvisional={index === provisional}
            showsReason={showsReason}
            onOpen={
              onOpen && isOfStreams(row) && row.subjects.length > 0 ? () => onOpen(row.index) : undefined
            }
          />
        ))}
      </tbody>
    </table>
  );
}

/** Which machines the columns of an end of the streams are of, where that is not only this one. */
function Machines({ rows, group }: { rows: readonly Row[]; group: string }) {
  const { sender, senderAll, receiver, receiverAll } = texts.table.groups;
  const isOf = (...headings: string[]): boolean => headings.includes(group);
  const end = isOf(sender, senderAll) ? 'sender' : isOf(receiver, receiverAll) ? 'receiver' : null;
  const names = end ? machinesOf(rows, end).join(', ') : '';
  if (names === '') return null;
  return (
    <span className={styles.machines} title={names} data-testid="group-machines">
      {names}
    </span>
  );
}

interface LineProps {
  row: Row;
  place: RowOfRun | undefined;
  nameStyle: string | undefined;
  showsNumber: boolean;
  columns: readonly ColumnGroup[];
  isProvisional: boolean;
  showsReason: boolean;
  /** Absent if there is nothing to open. */
  onOpen?: () => void;
}

function TableLine(props: LineProps) {
  const { row, place, nameStyle, showsNumber, columns, isProvisional, showsReason, onOpen } = props;
  /** A row is as good a target as its button, except while a figure is marked to copy it. */
  function onClick(): void {
    if (getSelection()?.isCollapsed !== false) onOpen?.();
  }

  // Of an INVALID row nothing is said, so neither is that the sender is at its limit.
  const senderMissed = isRedRow(row);
  const reason = wordsOf(row.reason);
  return (
    <tr
      data-row={row.index}
      data-begins={place && place.step !== null ? true : undefined}
      data-sender-missed={senderMissed || undefined}
      data-provisional={isProvisional || undefined}
      data-verdict={row.verdict ?? undefined}
      onClick={onOpen && onClick}
    >
      {showsNumber && <td className={styles.number}>{row.index}</td>}
      <th scope="row" className={nameStyle}>
        {onOpen ? (
          <button
            type="button"
            className={styles.open}
            aria-haspopup="dialog"
            aria-label={texts.table.showDetail(row.index)}
            title={texts.table.showDetail(row.index)}
          >
            <svg className={styles.chevron} viewBox="0 0 16 16" aria-hidden="true">
              <path d="M5 3l6 5-6 5" />
            </svg>
            {nameOf(row, showsNumber)}
          </button>
        ) : (
          (place && <PlaceName place={place} />) || nameOf(row, showsNumber)
        )}
      </th>
      {columns.map((group) => (
        <Fragment key={group.heading}>
          {group.columns.map(({ metric, spread }, index) => (
            <MetricCell
              key={metric.id}
              metric={metric}
              spread={spread}
              row={row}
              className={[index === 0 && styles.first, metric.shape === 'words' && styles.words]
                .filter(Boolean)
                .join(' ')}
            />
          ))}
        </Fragment>
      ))}
      <td className={styles.verdict}>
        {isProvisional || row.verdict === null ? (
          <span className={styles.live} title={texts.table.liveHelp(row.to && momentText(row.to))}>
            {texts.table.live}
          </span>
        ) : (
          <VerdictMark verdict={row.verdict} />
        )}
      </td>
      {showsReason && (
        <td className={styles.reason} title={reason}>
          <span className={styles.sentence}>
            {senderMissed && (
              <b className={styles.red} title={texts.table.senderMissedHelp}>
                ▲ {texts.table.senderMissed}
              </b>
            )}{' '}
            {reason}
          </span>
        </td>
      )}
    </tr>
  );
}

function PlaceName({ place: { step, run } }: { place: RowOfRun }) {
  return (
    <>
      {step !== null && <span className={styles.begins}>{step}</span>}
      <span className={styles.label}>{run}</span>
    </>
  );
}

/** The number of streams, and what else was set; of a row without streams what was set, after its number where that has no column. */
function nameOf(row: Row, showsNumber: boolean): ReactNode {
  const label = row.label !== '' && <span className={styles.label}> {row.label}</span>;
  const streams = streamsOf(row);
  if (streams === null) {
    return (
      <>
        {!showsNumber && row.index}
        {label}
      </>
    );
  }
  return (
    <>
      <span data-metric="streams" data-row={row.index}>
        {streams}
      </span>
      {label}
    </>
  );
}
