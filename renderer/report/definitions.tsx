import { headingWithUnit, type Metric } from '../../app/facts/metrics/registry';
import { texts } from '../texts';
import styles from './definitions.module.css';

/** What the registry of metrics says of the figures of this report, for readers who want to check one. */
export function Definitions({ metrics }: { metrics: readonly Metric[] }) {
  return (
    <dl className={styles.definitions} data-testid="definitions">
      {definitionsOf(metrics).map(({ ids, heading, description, formula, source }) => (
        <div key={ids.join()}>
          <dt>
            {heading}{' '}
            {ids.map((id, index) => (
              <code key={id} data-definition={id}>
                {index === 0 ? id : id.slice(id.lastIndexOf('.'))}
              </code>
            ))}
          </dt>
          <dd>{texts.report.definition(description, formula, source)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Definition {
  ids: string[];
  heading: string;
  description: string;
  formula: string;
  source: string;
}

/** One for each figure; smallest, percentiles and largest of the same have one together, and only the first id in full. */
export function definitionsOf(metrics: readonly Metric[]): Definition[] {
  const definitions = new Map<string, Definition>();
  for (const metric of metrics) {
    const { id, unit, source, distribution } = metric;
    const key = distribution ? distribution.heading : id;
    const known = definitions.get(key);
    if (known) known.ids.push(id);
    else if (distribution) {
      const { heading, formula, description } = distribution;
      const definition = { heading: headingWithUnit({ heading, unit }), formula, source };
      definitions.set(key, { ...definition, ids: [id], description: `${description}.` });
    } else {
      const { description, formula } = metric;
      definitions.set(key, { ids: [id], heading: headingWithUnit(metric), description, formula, source });
    }
  }
  return [...definitions.values()];
}
