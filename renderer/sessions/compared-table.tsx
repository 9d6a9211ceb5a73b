import { Fragment, useState } from 'react';
import { metricOf } from '../../app/facts/metrics/registry';
import {
  type ComparedFigure,
  type ComparedStep,
  type ComparedValue,
  type Comparison,
  changeDigits,
  rateDigitsOf,
  type Standing,
} from '../../app/protocol/history';
import { figure, valueFigure } from '../format';
import { Choice } from '../shell/choice';
import { VerdictMark } from '../shell/verdict-mark';
import { metricHelp } from '../table/metric-cell';
import { texts } from '../texts';
import { isChange } from './compared-series';
import styles from './compared-table.module.css';
import { lookOf } from './run-looks';

const { sessions } = texts;
const choices = [
  ['changes', sessions.changes],
  ['all', sessions.allFigures],
] as const;

/** Red and green belong to verdicts: how a figure stands is shown by a shape and a word. */
const shapes: Record<Standing, string> = {
  ...{ same: '=', unmeasured: '–', noise: '≈', tolerance: '≈', unjudged: '≠', better: '▲' },
  ...{ worse: '▼', different: '≠', unlike: '?', unknown: '?' },
};

/** Each figure of each step in all runs, and how the others stand beside the first. */
export function ComparedTable({ comparison }: { comparison: Comparison }) {
  const [shown, setShown] = useState<'changes' | 'all'>('changes');
  const steps = comparison.steps.map((step) => ({
    step,
    figures: shown === 'all' ? step.figures : step.figures.filter(isChange),
  }));
  const hasChange = steps.some(({ step }) => step.figures.some(isChange));
  const hasNoise = steps.some(({ step }) =>
    step.figures.some(({ runs }) => runs.some(({ noise }) => noise !== null)),
  );
  return (
    <>
      <div className={styles.choice}>
        <Choice label={sessions.shown} options={choices} value={shown} columns={2} onChange={setShown} />
      </div>
      {!hasChange && <p className={styles.none}>{sessions.noChange}</p>}
      {!hasNoise && <p className={styles.hint}>{sessions.noRepeats}</p>}
      <table
        className={styles.table}
        data-many={comparison.runs.length > 2 || undefined}
        data-testid="compared-table"
      >
        <caption className="visually-hidden">{sessions.comparison}</caption>
        <thead>
          <tr>
            <th scope="col">{sessions.figure}</th>
            {comparison.runs.map((_, run) => {
              const { letter } = lookOf(run);
              return (
                <Fragment key={letter}>
                  <th scope="col" className={styles.figure}>
                    {letter}
                  </th>
                  {run > 0 && <th scope="col">{sessions.beside(letter)}</th>}
                </Fragment>
              );
            })}
          </tr>
        </thead>
        {steps.map(({ step, figures }) => (
          <tbody key={step.label}>
            <StepLine step={step} />
            {figures.map((compared) => (
              <FigureLine key={compared.metric} compared={compared} />
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

function StepLine({ step: { label, verdicts, standings } }: { step: ComparedStep }) {
  return (
    <tr className={styles.step}>
      <th scope="rowgroup">{label}</th>
      {verdicts.map((verdict, run) => (
        <Fragment key={lookOf(run).letter}>
          <td className={styles.figure}>{verdict ? <VerdictMark verdict={verdict} /> : sessions.notInRun}</td>
          {run > 0 && <VerdictStanding standing={standings[run] ?? 'unknown'} />}
        </Fragment>
      ))}
    </tr>
  );
}

/** Better or worse; that a verdict is the same, both marks show. */
function VerdictStanding({ standing }: { standing: Standing }) {
  const isSaid = standing === 'better' || standing === 'worse';
  return (
    <td className={styles.standing} data-standing={standing}>
      {isSaid && <StandingWord standing={standing} />}
    </td>
  );
}

function StandingWord({ standing }: { standing: Standing }) {
  return (
    <span className={styles.word}>
      <span aria-hidden="true">{shapes[standing]}</span> {sessions.standings[standing]}
    </span>
  );
}

function FigureLine({ compared: { metric: id, runs } }: { compared: ComparedFigure }) {
  const metric = metricOf(id);
  return (
    <tr data-metric={id}>
      <th scope="row" title={metricHelp(metric)}>
        {metric.heading}
        {metric.unit && <span className={styles.unit}> {metric.unit}</span>}
      </th>
      {runs.map((compared, run) => (
        <Fragment key={lookOf(run).letter}>
          <td className={typeof compared.value === 'string' ? styles.text : styles.figure}>
            {valueFigure(compared.value, metric)}
            {compared.perSecond !== null && (
              <span className={styles.unit}>
                {' '}
                {sessions.perSecond(figure(compared.perSecond, rateDigitsOf(compared.perSecond)))}
              </span>
            )}
          </td>
          {run > 0 && <StandingCell compared={compared} digits={metric.digits} />}
        </Fragment>
      ))}
    </tr>
  );
}

/** How a figure stands beside the first run's, in a word, and how far it changed, in its own direction. */
function StandingCell({ compared, digits }: { compared: ComparedValue; digits: number }) {
  const { standing, changePercent, noise, perSecond } = compared;
  const band = (range: number): string =>
    perSecond === null ? figure(range, digits) : sessions.perSecond(figure(range, rateDigitsOf(range)));
  return (
    <td className={styles.standing} data-standing={standing}>
      <StandingWord standing={standing} />
      {changePercent !== null && ` ${sessions.change(signed(changePercent))}`}{' '}
      {noise !== null && standing !== 'unknown' && (
        <span className={styles.noise} title={sessions.noiseHelp}>
          {sessions.noise(band(noise))}
        </span>
      )}
    </td>
  );
}

function signed(percent: number): string {
  const text = figure(Math.abs(percent), changeDigits);
  if (percent === 0) return text;
  return `${percent > 0 ? '+' : '−'}${text}`;
}
