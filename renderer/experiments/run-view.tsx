import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Row } from '../../app/facts/row';
import { isOfStreams } from '../../app/facts/row-figures';
import type { ChartBoard } from '../charts/chart-board';
import { loadSpecs } from '../charts/chart-specs';
import { Charts } from '../charts/charts';
import { DeclaredCharts } from '../charts/declared-charts';
import { StepChart } from '../charts/step-chart';
import { stop } from '../engine/actions';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { RunHeatMap } from '../heat-map/heat-map';
import { chartsOfRun, otherChartsOfRun, tableGroups } from '../report/run-columns';
import { Button } from '../shell/button';
import { openSheet } from '../shell/open-sheet';
import { VerdictTile } from '../streams/verdict-tile';
import { splitColumns } from '../table/declared-columns';
import { RowSheet } from '../table/row-sheet';
import { RunTable } from '../table/run-table';
import { inShownOrder } from '../table/shown-order';
import { SubjectTables } from '../table/subject-table';
import { texts } from '../texts';
import { openReport } from './experiment-actions';
import { placeOf } from './run-place';
import { RunProgress } from './run-progress';
import styles from './run-view.module.css';

const words = texts.experiments.results;

/** The newest run of an experiment: how far it is, its verdict, its table as it grows, its charts. */
export function RunView({ board }: { board: ChartBoard }) {
  const run = useConsole((view) => view.engine?.run ?? null);
  const session = useConsole((view) => view.engine?.session ?? null);
  const measured = useConsole((view) => view.rows);
  const rows = useMemo(() => inShownOrder(run?.experiment ?? '', measured), [run?.experiment, measured]);
  const provisional = useConsole((view) => view.provisional);
  // A live run belongs to the streams screen.
  if (!run || run.experiment === 'live') {
    return (
      <section className={styles.empty} aria-label={texts.experiments.views.run}>
        <h2 className={styles.title}>{words.none}</h2>
        <p>{words.noneText}</p>
      </section>
    );
  }
  return (
    <div className={styles.run} data-testid="run-view">
      <div className={styles.top}>
        <RunHead title={run.title} run={placeOf(run.folder, session).run} />
        <VerdictTile run={run} />
      </div>
      <div className={styles.scroll}>
        <RunHeatMap experiment={run.experiment} rows={measured} />
        <RunTables experiment={run.experiment} rows={rows} provisional={provisional} />
        <RunCharts experiment={run.experiment} rows={rows} />
        <RunLoad board={board} rows={rows} />
        <RunSubjects rows={rows} />
      </div>
    </div>
  );
}

/** What is run and how far it is; once it is over, what can be made of it. */
function RunHead({ title, run }: { title: string; run: string }) {
  const progress = useConsole((view) => view.engine?.progress ?? null);
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const hindrance = useHindrances();
  return (
    <section className={styles.head} aria-label={words.progress}>
      <h2 className={styles.title}>{title}</h2>
      {mode === 'idle' ? (
        <div className={styles.actions}>
          <Button onPress={() => void openReport(run)}>{words.openReport}</Button>
          <Button keys="E" hindrance={hindrance.export} onPress={() => openSheet('export')}>
            {words.export}
          </Button>
        </div>
      ) : (
        <>
          <RunProgress progress={progress} />
          <div className={styles.actions}>
            <Button keys="Escape" keyLabel="Esc" size="small" hindrance={hindrance.stop} onPress={stop}>
              {texts.actions.stop}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface RowsProps {
  experiment: string;
  rows: readonly Row[];
}

function RunTables({ experiment, rows, provisional }: RowsProps & { provisional: number | null }) {
  const [chosenRow, setChosenRow] = useState<number | null>(null);
  // A new run has other rows: one that is gone is no longer open.
  const openRow = rows.filter(isOfStreams).find(({ index }) => index === chosenRow);
  const isNarrow = useIsNarrow();
  const tables = useMemo(
    () => splitColumns(tableGroups({ experiment, rows: [...rows] }), rows, isNarrow ? 'narrow' : 'wide'),
    [experiment, rows, isNarrow],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keys that do so need a place.
    <section className={styles.tables} aria-label={words.table} tabIndex={0}>
      {rows.length === 0 ? (
        <p className={styles.note}>{words.noRows}</p>
      ) : (
        tables.map((columns, index) => (
          <RunTable
            key={columns[0]?.columns[0]?.metric.id}
            rows={rows}
            columns={columns}
            lead={rows.some(isOfStreams) ? texts.table.streams : texts.report.row}
            caption={words.table}
            provisional={provisional}
            onOpen={setChosenRow}
            showsReason={index === 0}
          />
        ))
      )}
      {openRow && <RowSheet row={openRow} onClose={() => setChosenRow(null)} />}
    </section>
  );
}

/** Without streams there are no frames to wait for or to lose, and no pictures to draw. */
const machineSpecs = loadSpecs.filter(({ id }) => id !== 'gpu');

/** What the run costs this machine, as it goes on. */
function RunLoad({ board, rows }: { board: ChartBoard; rows: readonly Row[] }) {
  if (rows.some(isOfStreams)) return <Charts board={board} />;
  return (
    <div className={styles.load}>
      <Charts board={board} specs={machineSpecs} />
    </div>
  );
}

/** What rows without streams are about, each by itself. */
function RunSubjects({ rows }: { rows: readonly Row[] }) {
  if (!rows.some((row) => !isOfStreams(row) && row.subjects.length > 0)) return null;
  return (
    <section className={styles.subjects} aria-label={texts.report.subjects}>
      <SubjectTables rows={rows} />
    </section>
  );
}

/** Each measure over the rows so far. */
function RunCharts({ experiment, rows }: RowsProps) {
  const specs = useMemo(() => chartsOfRun({ experiment, rows: [...rows] }), [experiment, rows]);
  const others = useMemo(() => otherChartsOfRun({ experiment, rows: [...rows] }), [experiment, rows]);
  if (rows.length === 0 || (specs.length + others.length === 0 && rows.length > 1)) return null;
  return (
    <section className={styles.charts} aria-label={words.charts}>
      {rows.length === 1 && others.length === 0 ? (
        <p className={styles.note}>{words.tooFew}</p>
      ) : (
        <div className={styles.grid}>
          <DeclaredCharts charts={others} rows={rows} />
          {(rows.length > 1 ? specs : []).map((spec) => (
            <StepChart key={spec.series.map(({ metric }) => metric.id).join(' ')} spec={spec} rows={rows} />
          ))}
        </div>
      )}
    </section>
  );
}

const narrow = '(max-width: 1599px)';

/** Whether the window has room for fewer columns than a page. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
