import { headingWithUnit, type Metric } from '../../app/facts/metrics/registry';
import { texts } from '../texts';
import styles from './definitions.module.css';

/** What the registry of metrics says of the figures of this report, for readers who want to check one. */
export function Definitions({ metrics }: { metrics: readonly Metric[] }) {
  return (
    <dl className={styles.definitions} data-testid="definitions">
      {definitionsOf(metrics).map(({ ids, heading, text }) => (
        <div key={ids.join()}>
          <dt>
            {heading}{' '}
            {ids.map((id, index) => (
              <code key={id} data-definition={id}>
                {index === 0 ? id : id.slice(id.lastIndexOf('.'))}
              </code>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Definition {
  ids: string[];
  heading: string;
  text: string;
}

/**
 * One for each figure; smallest, percentiles and largest of the same have one together, and only the first id in full. Of a figure that is
 * defined like another one here, what is different.
 */
export function definitionsOf(metrics: readonly Metric[]): Definition[] {
  const { definition, definedAs } = texts.report;
  const definitions = new Map<string, Definition>();
  for (const metric of metrics) {
    const { id, unit, source, distribution, description, formula } = metric;
    const key = distribution ? distribution.heading : id;
    const like = metrics.find((other) => other.id === metric.definedAs?.id);
    const known = definitions.get(key);
    if (known) known.ids.push(id);
    else if (distribution) {
      const heading = headingWithUnit({ heading: distribution.heading, unit });
      const text = definition(`${distribution.description}.`, distribution.formula, source);
      definitions.set(key, { ids: [id], heading, text });
    } else {
      const text =
        like && metric.definedAs
          ? definedAs(like.heading, metric.definedAs.but)
          : definition(description, formula, source);
      definitions.set(key, { ids: [id], heading: headingWithUnit(metric), text });
    }
  }
  return [...definitions.values()];
}
