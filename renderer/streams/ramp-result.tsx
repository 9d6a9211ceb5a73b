import { useMemo } from 'react';
import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { isOfStreams, streamsOf } from '../../app/facts/row-figures';
import { countedRows } from '../../app/facts/row-labels';
import type { EngineState } from '../../app/protocol/console';
import { lostChart } from '../charts/lost-chart';
import { StepChart } from '../charts/step-chart';
import type { StepChartSpec } from '../charts/step-series';
import { openReport, showInSessions } from '../experiments/experiment-actions';
import { measuredCharts } from '../report/run-columns';
import { Button } from '../shell/button';
import { VerdictMark } from '../shell/verdict-mark';
import { isRedRow } from '../table/red-row';
import { texts } from '../texts';
import { Causes } from './causes';
import styles from './ramp-result.module.css';
import { saidParts } from './said-parts';

const words = texts.streams.result;

interface Props {
  run: NonNullable<EngineState['run']>;
  rows: readonly Row[];
  /** Where the archive finds the run. */
  place: string;
}

/** What a ramp found, from its end until something else starts: its sentence, loss and cost over the streams. */
export function RampResult({ run, rows: measured, place }: Props) {
  const rows = useMemo(() => countedRows(measured).filter(isOfStreams), [measured]);
  const charts = useMemo(() => chartsOf(rows, run.experiment), [rows, run.experiment]);
  const red = rows.find(isRedRow);
  const { sentence, causes, toDo } = saidParts(run.reason);
  const ofRed = saidParts(red ? wordsOf(red.reason) : '');
  return (
    <div className={styles.result} data-testid="ramp-result">
      <div className={styles.head}>
        <h2 className={styles.title}>
          {words.title} {run.verdict && <VerdictMark verdict={run.verdict} />}
        </h2>
        <div className={styles.actions}>
          <Button size="small" isPrimary onPress={() => void openReport(place)}>
            {words.openReport}
          </Button>
          <Button size="small" onPress={() => showInSessions(place)}>
            {words.openRun}
          </Button>
        </div>
      </div>
      <div className={styles.said}>
        <p className={styles.sentence}>{sentence}</p>
        <Causes causes={causes} />
        {toDo !== '' && <p className={styles.sentence}>{toDo}</p>}
        {red && (
          <div className={styles.red} data-testid="red-row">
            <b>▲ {words.firstMissed(streamsOf(red) ?? 0)}</b>
            <Causes causes={[ofRed.sentence, ...ofRed.causes]} />
          </div>
        )}
      </div>
      {charts.map((spec) => (
        <div key={spec.title} className={styles.chart}>
          <StepChart spec={spec} rows={rows} />
        </div>
      ))}
    </div>
  );
}

const shownCharts = 2;

/** What was lost of each kind, if anything, then what it cost. */
function chartsOf(rows: readonly Row[], experiment: string): StepChartSpec[] {
  if (rows.length < 2) return [];
  const lost = lostChart(rows);
  return [...(lost ? [lost] : []), ...measuredCharts({ experiment, rows: [...rows] }, 2)].slice(
    0,
    shownCharts,
  );
}
