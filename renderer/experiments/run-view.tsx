import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import { declarations } from '../../app/experiments/declarations';
import type { Row } from '../../app/facts/row';
import { isOfStreams } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import type { ChartBoard } from '../charts/chart-board';
import { loadSpecs } from '../charts/chart-specs';
import { Charts } from '../charts/charts';
import { DeclaredCharts } from '../charts/declared-charts';
import { StepChart } from '../charts/step-chart';
import { stop } from '../engine/actions';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { RunHeatMap } from '../heat-map/heat-map';
import { tableGroups } from '../report/run-columns';
import { Button } from '../shell/button';
import { Fold } from '../shell/fold';
import { openSheet } from '../shell/open-sheet';
import { VerdictTile } from '../streams/verdict-tile';
import type { ColumnGroup } from '../table/columns';
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
import { type ShownChart, shownCharts } from './shown-charts';

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
        <RunResult run={run} {...{ board, rows, measured, provisional }} />
      </div>
    </div>
  );
}

interface ResultProps {
  run: Pick<Run, 'experiment'>;
  board: ChartBoard;
  /** In the order of the table. */
  rows: readonly Row[];
  measured: readonly Row[];
  provisional: number | null;
}

/** One chart and one table; all else is folded. */
function RunResult({ run: { experiment }, board, rows, measured, provisional }: ResultProps) {
  const isMap = declarations.some(({ id, heatMap }) => id === experiment && heatMap !== undefined);
  const charts = useMemo(() => shownCharts({ experiment, rows: [...rows] }), [experiment, rows]);
  const [first, ...others] = charts;
  const more = isMap ? charts : others;
  const hasSubjects = rows.some((row) => !isOfStreams(row) && row.subjects.length > 0);
  return (
    <>
      {isMap ? (
        <RunHeatMap experiment={experiment} rows={measured} />
      ) : (
        <FirstChart {...{ experiment, rows }} chart={first} />
      )}
      <RunTables {...{ experiment, rows, provisional }} />
      {more.length > 0 && (
        <Fold title={words.charts} note={words.charted(more.length)}>
          <section className={styles.charts} aria-label={words.charts}>
            <div className={styles.grid}>
              {more.map((chart) => (
                <RunChart key={chart.title} {...{ chart, rows }} />
              ))}
            </div>
          </section>
        </Fold>
      )}
      {hasSubjects && (
        <Fold title={texts.report.subjects}>
          <section className={styles.subjects} aria-label={texts.report.subjects}>
            <SubjectTables rows={rows} />
          </section>
        </Fold>
      )}
      <Fold title={words.load}>
        <RunLoad board={board} rows={rows} />
      </Fold>
    </>
  );
}

/** The first chart of the declaration that holds something; with one row there may be none yet. */
function FirstChart({ experiment, rows, chart }: RowsProps & { chart: ShownChart | undefined }) {
  const isDeclared = declarations.some(({ id, charts }) => id === experiment && charts.length > 0);
  if (!chart && !(isDeclared && rows.length === 1)) return null;
  return (
    <section className={styles.charts} aria-label={words.chart} data-testid="first-chart">
      {chart ? (
        <div className={styles.first}>
          <RunChart {...{ chart, rows }} />
        </div>
      ) : (
        <p className={styles.note}>{words.tooFew}</p>
      )}
    </section>
  );
}

function RunChart({ chart, rows }: { chart: ShownChart; rows: readonly Row[] }) {
  return chart.kind === 'steps' ? (
    <StepChart spec={chart.spec} rows={rows} />
  ) : (
    <DeclaredCharts charts={[chart.declared]} rows={rows} />
  );
}

/** What is run and how far it is; once it is over, what can be made of it. */
function RunHead({ title, run }: { title: string; run: string }) {
  const progress = useConsole((view) => view.engine?.progress ?? null);
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const hasRows = useConsole((view) => view.rows.length > 0);
  const hindrance = useHindrances();
  return (
    <section className={styles.head} aria-label={words.progress}>
      <h2 className={styles.title}>{title}</h2>
      {mode === 'idle' ? (
        <div className={styles.actions}>
          <Button
            hindrance={hasRows ? null : texts.hindrances.nothingMeasured}
            onPress={() => void openReport(run)}
          >
            {words.openReport}
          </Button>
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
  const isIdle = useConsole((view) => (view.engine?.mode ?? 'idle') === 'idle');
  const isNarrow = useIsNarrow();
  const tables = useMemo(
    () => splitColumns(tableGroups({ experiment, rows: [...rows] }), rows, isNarrow ? 'narrow' : 'wide'),
    [experiment, rows, isNarrow],
  );
  const [first, ...others] = rows.length === 0 ? [] : tables;
  function drawn(columns: readonly ColumnGroup[], index: number): ReactNode {
    return (
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
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keys that do so need a place.
    <section className={styles.tables} aria-label={words.table} tabIndex={0}>
      {rows.length === 0 && (
        <p className={styles.note}>{isIdle ? texts.hindrances.nothingMeasured : words.noRows}</p>
      )}
      {first && drawn(first, 0)}
      {others.length > 0 && (
        <Fold title={words.moreColumns}>
          <div className={styles.further}>{others.map((columns, index) => drawn(columns, index + 1))}</div>
        </Fold>
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
