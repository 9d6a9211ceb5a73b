import type { Metric } from '../../app/facts/metrics/registry';
import { streamsOf } from '../../app/facts/row-figures';
import { countedRows } from '../../app/facts/row-labels';
import type { Run } from '../../app/facts/run';
import { texts } from '../texts';
import { Definitions } from './definitions';
import styles from './report.module.css';
import { Section } from './sections';

/** What each figure means; on the screen alone where the runs prove nothing that somebody would check. */
export function DefinitionSection({ runs, metrics }: { runs: readonly Run[]; metrics: readonly Metric[] }) {
  if (metrics.length === 0) return null;
  return (
    <div className={provesNothing(runs) ? styles.onScreen : undefined}>
      <Section title={texts.report.definitions}>
        <Definitions metrics={metrics} />
      </Section>
    </div>
  );
}

/** On paper, in place of the definitions. */
export function NotDefined() {
  return <p className={`${styles.note} ${styles.onPaper}`}>{texts.report.notDefined}</p>;
}

/** Nothing was measured but rows that are INVALID. */
export function provesNothing(runs: readonly Run[]): boolean {
  const measured = runs.flatMap(({ rows }) => countedRows(rows).filter((row) => streamsOf(row) !== 0));
  return measured.length > 0 && measured.every(({ verdict }) => verdict === 'INVALID');
}
