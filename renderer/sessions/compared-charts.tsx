import type { ComparedRuns } from '../../app/protocol/archive';
import charts from '../charts/step-chart.module.css';
import { Section } from '../report/sections';
import { texts } from '../texts';
import styles from './compared-charts.module.css';
import { comparedLoadOf, comparedSeriesOf } from './compared-series';
import { ComparedStepChart } from './compared-step-chart';
import { ComparedTimeChart } from './compared-time-chart';
import { lookOf } from './run-looks';

const { sessions } = texts;

/** All runs in the same charts: by step, and over the time since each began. */
export function ComparedCharts({ compared: { comparison, runs } }: { compared: ComparedRuns }) {
  const series = comparedSeriesOf(comparison);
  const load = comparedLoadOf(runs.map((run) => run.load));
  if (series.length === 0 && load.length === 0) return <p>{sessions.noCharts}</p>;
  return (
    <>
      <p className={styles.legend}>
        {runs.map(({ summary }, index) => {
          const { letter, colour, dash, mark } = lookOf(index);
          return (
            <span key={summary.folder} className={styles.key}>
              <svg className={styles.sample} viewBox="0 0 40 10" aria-hidden="true">
                <line
                  x1="0"
                  y1="5"
                  x2="40"
                  y2="5"
                  strokeWidth="2.5"
                  stroke={`var(${colour})`}
                  strokeDasharray={dash?.join(' ')}
                />
                <path d={mark} transform="translate(20 5)" fill={`var(${colour})`} />
              </svg>
              {sessions.sinceStart(letter, summary.title)}
            </span>
          );
        })}
      </p>
      {series.length > 0 && (
        <Section title={sessions.chartsBySteps}>
          <div className={charts.charts}>
            {series.map((measure) => (
              <ComparedStepChart key={measure.metric.id} series={measure} steps={comparison.steps} />
            ))}
          </div>
        </Section>
      )}
      {load.length > 0 && (
        <Section title={sessions.chartsOverTime}>
          <div className={charts.charts}>
            {load.map((figure) => (
              <ComparedTimeChart key={figure.figure} series={figure} />
            ))}
          </div>
          <p className={styles.hint}>{sessions.zoomHint}</p>
        </Section>
      )}
    </>
  );
}
