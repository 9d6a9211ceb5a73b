import { useEffect, useRef } from 'react';
import { useConsole } from '../engine/console-store';
import { texts } from '../texts';
import styles from './study-pane.module.css';
import { StudyTable } from './study-table';

/** The table in the window: follows its newest row. */
export function StudyPane() {
  const rows = useConsole((view) => view.rows);
  const provisional = useConsole((view) => view.provisional);
  const pane = useRef<HTMLElement>(null);

  useEffect(() => {
    if (rows.length > 0) pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [rows.length]);

  return (
    <section ref={pane} className={styles.pane} aria-label={texts.table.title}>
      {rows.length === 0 ? (
        <p className={styles.empty}>{texts.table.empty}</p>
      ) : (
        <StudyTable rows={rows} provisional={provisional} />
      )}
    </section>
  );
}
