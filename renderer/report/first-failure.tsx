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

/** Where a run, or the first of several, did not pass for the first time, and why, as far as the sentence of the run does not say it. */
export function FirstFailure({ runs }: { runs: readonly Failing[] }) {
  const first = firstOfRuns(runs);
  if (!first) return null;
  const { row, number, data } = first;
  const reason = wordsOf(row.reason);
  const own = data.causes.filter(({ row: index }) => index === row.index);
  // What else was lost may not even have been judged.
  const isOutage = row.reason[0]?.code === 'outage';
  const cause = own.find(({ stage }) => isOutage === (stage === 'outage'));
  return (
    <div className={styles.failure} data-testid="first-failure">
      <h2 className={styles.heading}>{words.title}</h2>
      <p>
        <b>
          {number !== undefined && `${texts.report.ofSession.runOf(number)}, `}
          {`${stepTitle(row)}, ${clockTime(row.from)} ${timeZone}`}
        </b>
        {!data.run.reason.includes(reason) && `: ${reason}`}
      </p>
      {cause && <p>{causeText(cause)}</p>}
    </div>
  );
}

function causeText({ stage, end, cause, frames }: LossCause): string {
  if (stage === 'outage' || frames === null) return words.outage(cause, frames);
  return words.cause(lossPlace(stage, end), cause, frames);
}

/** The first row in time that is FAIL or INVALID; where there is none, the first that is WARN. */
function firstOfRuns(runs: readonly Failing[]): (Failing & { row: Row }) | undefined {
  const rows = runs
    .flatMap((each) => countedRows(each.data.run.rows).map((row) => ({ ...each, row })))
    .sort((one, other) => Date.parse(one.row.from) - Date.parse(other.row.from));
  return (
    rows.find(({ row: { verdict } }) => verdict === 'FAIL' || verdict === 'INVALID') ??
    rows.find(({ row: { verdict } }) => verdict === 'WARN')
  );
}
