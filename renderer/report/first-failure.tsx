import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { countedRows } from '../../app/facts/row-labels';
import type { LossCause, ReportData } from '../../app/protocol/report';
import { stepTitle } from '../charts/step-series';
import { clockTime, timeZone } from '../format';
import { lossPlace } from '../table/loss-place';
import { texts } from '../texts';
import styles from './first-page.module.css';

const words = texts.report.firstFailure;

/** A run whose rows may be the first one; `number`: which of several it is. */
export interface Failing {
  data: Pick<ReportData, 'run' | 'causes'>;
  number?: number;
}

/** Where a run, or the first of several, did not pass for the first time, its verdict, and why. */
export function FirstFailure({ runs }: { runs: readonly Failing[] }) {
  const first = firstOfRuns(runs);
  if (!first) return null;
  const { row, number, data } = first;
  const reason = wordsOf(row.reason);
  const own = data.causes.filter(({ row: index }) => index === row.index);
  // What else was lost may not even have been judged.
  const isOutage = row.reason[0]?.code === 'outage';
  const cause = own.find(({ stage }) => isOutage === (stage === 'outage'));
  // The sentence of the run may have the reason: below the row it is left out where the cause of its losses says why.
  const isSaid = cause !== undefined && data.run.reason.includes(reason);
  return (
    <div className={styles.failure} data-testid="first-failure">
      <h2 className={styles.heading}>{words.title}</h2>
      <p>
        <b>
          {number !== undefined && `${texts.report.ofSession.runOf(number)}, `}
          {`${stepTitle(row)}, ${clockTime(row.from)} ${timeZone}: ${row.verdict}`}
        </b>
        {!isSaid && `, ${reason}`}
      </p>
      {cause && <p>{causeText(cause)}</p>}
    </div>
  );
}

function causeText({ stage, end, cause, frames }: LossCause): string {
  if (stage === 'outage' || frames === null) return words.outage(cause, frames);
  return words.cause(lossPlace(stage, end), cause, frames);
}

/** The first row in time whose verdict is not PASS; one that is still open has none. */
function firstOfRuns(runs: readonly Failing[]): (Failing & { row: Row }) | undefined {
  return runs
    .flatMap((each) => countedRows(each.data.run.rows).map((row) => ({ ...each, row })))
    .filter(({ row: { verdict } }) => verdict !== null && verdict !== 'PASS')
    .sort((one, other) => Date.parse(one.row.from) - Date.parse(other.row.from))[0];
}
