import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';
import { figure, metricFigure } from '../format';
import { texts } from '../texts';
import { absentOf } from './absent';
import { studyColumnsOf, timeTables } from './columns';
import styles from './detail.module.css';
import { GapBars } from './gap-bars';
import { LossTable } from './loss-table';
import { explainedOf, lossesOf, outagesText } from './losses';
import { figureMarks, metricHelp } from './metric-cell';
import { shownColumns, wasShown } from './shown-columns';
import { StreamTable } from './stream-table';
import { TimesTable, timeFigures } from './times-table';

/** How many are drawn in the window, where a row may still grow every second. */
const mostShown = 100;

const facts: readonly Metric[] = [
  'worstSecondLost',
  'worstWindowLost',
  'longestGapMs',
  'picturesWrongSource',
  'latencyUncertaintyMs',
  'clockOffsetMs',
  'audioOffsetMs',
  'audioDriftMs',
  'audioBlocksMissing',
  'framesDisplayMissed',
].map(metricOf);

/** The details of a row of the study: each loss and its cause, the gaps, the times. */
export function RowDetail({ row }: { row: Row }) {
  const reason = wordsOf(row.reason);
  return (
    <div className={styles.detail} data-testid="row-detail">
      {reason !== '' && <p className={styles.lead}>{reason}</p>}
      <section className={styles.wide}>
        <h3 className={styles.heading}>{texts.losses.title}</h3>
        <Losses row={row} />
      </section>
      <section>
        <h3 className={styles.heading}>{texts.times.title}</h3>
        <TimesTable rows={[row]} />
      </section>
      <section>
        <h3 className={styles.heading}>{texts.gaps.title}</h3>
        <GapBars row={row} />
      </section>
      <section>
        <h3 className={styles.heading}>{texts.table.facts}</h3>
        <dl className={styles.facts}>
          {facts.map((metric) => {
            const value = numberOf(row, metric.id);
            const help =
              value === null ? texts.table.notMeasured(row.notMeasured[metric.id]) : metricHelp(metric);
            return (
              <div key={metric.id} title={help}>
                <dt>{metric.heading}</dt>
                <dd {...figureMarks(metric, row)}>
                  {metricFigure(value, metric)} {value !== null && metric.unit}
                </dd>
              </div>
            );
          })}
        </dl>
      </section>
      <section className={styles.wide}>
        <h3 className={styles.heading}>{texts.times.perStream}</h3>
        {timeTables.map((columns) => (
          <StreamTable key={columns[0]?.id} rows={[row]} columns={columns} />
        ))}
      </section>
      <NotMeasured row={row} />
      {wasShown(row) && (
        <section className={styles.wide}>
          <h3 className={styles.heading}>{texts.display.shown}</h3>
          <StreamTable rows={[row]} columns={shownColumns} />
        </section>
      )}
    </div>
  );
}

/** A dash has its reason where the pointer is; here it can be read and searched. */
function NotMeasured({ row }: { row: Row }) {
  const columns = studyColumnsOf([row]).flatMap((group) => group.columns.map(({ metric }) => metric));
  const absent = absentOf(row, [...columns, ...timeFigures, ...facts]);
  if (absent.length === 0) return null;
  return (
    <section className={styles.wide} data-testid="row-not-measured">
      <h3 className={styles.heading}>{texts.table.absent}</h3>
      {absent.map(({ headings, reason }) => (
        <p key={reason} className={styles.note}>
          <b>{headings.join(', ')}:</b> {reason}
        </p>
      ))}
    </section>
  );
}

function Losses({ row }: { row: Row }) {
  const losses = lossesOf(row);
  const { explained, counted, reason } = explainedOf(row);
  if (losses === null) return <p className={styles.note}>{texts.losses.unknown}</p>;
  if (counted === null) {
    return <p className={styles.note}>{texts.table.notMeasured(reason)}</p>;
  }
  if (counted === 0) return <p className={styles.note}>{outagesText(row) || texts.losses.none}</p>;
  const left = losses.length - mostShown;
  return (
    <>
      <LossTable losses={losses.slice(0, mostShown)} />
      {left > 0 && <p className={styles.note}>{texts.losses.more(figure(left))}</p>}
      {explained < counted && (
        <p className={styles.note}>{texts.losses.listed(figure(explained), figure(counted))}</p>
      )}
    </>
  );
}
