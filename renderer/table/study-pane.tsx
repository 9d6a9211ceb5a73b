import { useEffect, useMemo, useRef, useState } from 'react';
import { isOfStreams } from '../../app/facts/row-figures';
import { useConsole } from '../engine/console-store';
import { texts } from '../texts';
import { RowSheet } from './row-sheet';
import styles from './study-pane.module.css';
import { StudyTable } from './study-table';

/** The table in the window: follows its newest row; the details of a row open as a sheet. */
export function StudyPane() {
  const allRows = useConsole((view) => view.rows);
  const rows = useMemo(() => allRows.filter(isOfStreams), [allRows]);
  const provisional = useConsole((view) => view.provisional);
  const pane = useRef<HTMLElement>(null);
  const [chosenRow, setChosenRow] = useState<number | null>(null);
  // A new run has other rows: one that is gone is no longer open.
  const openRow = rows.find(({ index }) => index === chosenRow);

  useEffect(() => {
    if (rows.length > 0) pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [rows.length]);

  return (
    <section ref={pane} className={styles.pane} aria-label={texts.table.title}>
      {rows.length === 0 ? (
        <p className={styles.empty}>{texts.table.empty}</p>
      ) : (
        <StudyTable rows={rows} provisional={provisional} onOpen={setChosenRow} />
      )}
      {openRow && <RowSheet row={openRow} onClose={() => setChosenRow(null)} />}
    </section>
  );
}
