import { type ReactNode, useState } from 'react';
import { declarations } from '../../app/experiments/declarations';
import type { Metric } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { isOfStreams, streamsOf } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import type { ReportData } from '../../app/protocol/report';
import { ChartBoard } from '../charts/chart-board';
import { type ChartSpec, chartSpecs, loadSpecs, machineSpecs } from '../charts/chart-specs';
import { Charts } from '../charts/charts';
import { PublishedCurves } from '../charts/curves';
import { DeclaredCharts } from '../charts/declared-charts';
import { StepChart } from '../charts/step-chart';
import charts from '../charts/step-chart.module.css';
import { TimeHistograms } from '../charts/time-histograms';
import { RunHeatMap } from '../heat-map/heat-map';
import { countTables, timeTables } from '../table/columns';
import { filledColumns, splitColumns } from '../table/declared-columns';
import { RunTable } from '../table/run-table';
import { shownColumns, wasShown } from '../table/shown-columns';
import { inShownOrder } from '../table/shown-order';
import { StreamTable } from '../table/stream-table';
import { SubjectTables } from '../table/subject-table';
import { TimesTable } from '../table/times-table';
import { texts } from '../texts';
import { Environment } from './environment';
import { LossCauses } from './loss-causes';
import { Gaps, Losses } from './losses';
import { MarginalCosts } from './marginal-costs';
import styles from './report.module.css';
import { historyOf, missingFigures } from './report-data';
import { chartsOfRun, otherChartsOfRun, tableGroups } from './run-columns';
import { Values, ValueTree } from './value-tree';

/** The parts of a run that the report and the window show alike. */

/**
 * The table of the run; what does not fit beside one another stands in further tables below. In the window a row opens.
 */
export function Results({ run, onOpen }: { run: Run; onOpen?: (row: number) => void }) {
  const rows = inShownOrder(run.experiment, run.rows);
  const tables = splitColumns(filledColumns(tableGroups(run), rows), rows);
  const lead = run.rows.some(isOfStreams) ? texts.table.streams : texts.report.row;
  return (
    <div className={styles.tables}>
      <RunHeatMap experiment={run.experiment} rows={run.rows} />
      {tables.map((columns, index) => (
        <RunTable
          key={columns[0]?.columns[0]?.metric.id}
          rows={rows}
          columns={columns}
          lead={lead}
          caption={texts.table.title}
          showsReason={index === 0}
          onOpen={index === 0 ? onOpen : undefined}
        />
      ))}
      <p className={styles.note}>{texts.report.lostLegend}</p>
    </div>
  );
}

/** What was measured over time, by step, and for each stream that was added. */
export function ChartSections({ data }: { data: ReportData }) {
  const { run, load } = data;
  const specs = chartsOfRun(run);
  const stepCharts = specs.filter(({ isOfCosts }) => !isOfCosts);
  const costs = specs.filter(({ isOfCosts }) => isOfCosts);
  const others = otherChartsOfRun(run);
  const published = declarations.find(({ id }) => id === run.experiment)?.published;
  return (
    <>
      {load.wallMs.length > 0 && (
        <Section title={texts.report.charts}>
          <LoadCharts data={data} />
        </Section>
      )}
      {(others.length > 0 || (stepCharts.length > 0 && run.rows.length > 1)) && (
        <Section title={texts.report.measures}>
          <div className={charts.charts}>
            <DeclaredCharts charts={others} rows={run.rows} />
            {published && 'over' in published.columns && (
              <PublishedCurves rows={published.rows} steps={published.columns} />
            )}
            {(run.rows.length > 1 ? stepCharts : []).map((spec) => (
              <StepChart
                key={spec.series.map(({ metric }) => metric.id).join(' ')}
                spec={spec}
                rows={inShownOrder(run.experiment, run.rows)}
              />
            ))}
          </div>
        </Section>
      )}
      {costs.length > 0 && (
        <Section title={texts.report.costs}>
          <MarginalCosts rows={run.rows} specs={costs} />
        </Section>
      )}
    </>
  );
}

/** Of the machine that recorded the run, and of each other one on which its streams ran. */
function LoadCharts({ data }: { data: ReportData }) {
  const { machines = [] } = data;
  if (machines.length === 0) return <ChartsOfMachine data={data} />;
  return (
    <>
      <h3 className={styles.hostName}>{texts.report.console}</h3>
      <ChartsOfMachine data={data} />
      {machines.map(({ name, load }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two machines may have one name, and they never change their order
        <section key={index} data-testid="machine-charts">
          <h3 className={styles.hostName}>{name}</h3>
          <ChartsOfMachine data={{ ...data, load }} specs={machineSpecs} />
        </section>
      ))}
    </>
  );
}

interface MachineProps {
  data: ReportData;
  /** By default those of the machine that recorded the run. */
  specs?: readonly ChartSpec[];
}

function ChartsOfMachine({ data, specs: given }: MachineProps) {
  const [board] = useState(() => new ChartBoard(historyOf(data), true));
  const [specs] = useState(() => given ?? (hasFollowed(data) ? chartSpecs : loadSpecs));
  return (
    <>
      <Charts board={board} specs={specs} />
      {data.load.samplesPerPoint > 1 && (
        <p className={styles.note}>{texts.report.thinned(data.load.samplesPerPoint)}</p>
      )}
    </>
  );
}

/** A run without streams has no frames to wait for or to lose. */
function hasFollowed({ load }: ReportData): boolean {
  return load.columns.at(-1)?.some((lost) => lost !== null) ?? false;
}

/** Rows with streams: the baseline has no times. */
export function measuredRowsOf(rows: readonly Row[]): Row[] {
  return rows.filter((row) => (streamsOf(row) ?? 0) > 0);
}

/** What rows of streams report beyond the figures of the table. */
export function StreamSections({ data }: { data: ReportData }) {
  const rows = data.run.rows.filter(isOfStreams);
  const measured = measuredRowsOf(rows);
  if (measured.length === 0) return null;
  const shown = measured.filter(wasShown);
  return (
    <>
      <Section title={texts.report.causes}>
        <LossCauses causes={data.causes} />
        <Losses rows={rows} leftOut={data.leftOut} />
      </Section>
      <Section title={texts.gaps.title}>
        <Gaps rows={rows} />
      </Section>
      <Section title={texts.report.histograms}>
        <TimeHistograms rows={measured} />
      </Section>
      <Section title={texts.times.title}>
        <div className={styles.times}>
          <TimesTable rows={measured} showsRow />
        </div>
      </Section>
      <StreamTables title={texts.report.streamCounts} rows={rows} tables={countTables} />
      <StreamTables title={texts.report.streamTimes} rows={rows} tables={timeTables} />
      {shown.length > 0 && (
        <Section title={texts.display.shown}>
          <StreamTable rows={shown} columns={shownColumns} showsRow />
        </Section>
      )}
    </>
  );
}

/** What rows without streams are about, each by itself. */
export function SubjectSection({ rows }: { rows: readonly Row[] }) {
  if (!rows.some((row) => !isOfStreams(row) && row.subjects.length > 0)) return null;
  return (
    <Section title={texts.report.subjects}>
      <div className={styles.tables}>
        <SubjectTables rows={rows} />
      </div>
    </Section>
  );
}

interface StreamTablesProps {
  title: string;
  rows: readonly Row[];
  tables: readonly (readonly Metric[])[];
}

function StreamTables({ title, rows, tables }: StreamTablesProps) {
  return (
    <Section title={title}>
      <div className={styles.tables}>
        {tables.map((columns) => (
          <StreamTable key={columns[0]?.id} rows={rows} columns={columns} showsRow />
        ))}
      </div>
    </Section>
  );
}

/** How the run came about, and what it has no figure of: what a reader needs to repeat it. */
export function ConditionSections({ run }: { run: Run }) {
  return (
    <>
      <CommandSection run={run} />
      {isDeclared(run.experiment) && (
        <Section title={texts.report.method}>
          <Method experiment={run.experiment} />
        </Section>
      )}
      <ParameterSection run={run} />
      <Section title={texts.report.thresholds}>
        <Thresholds run={run} />
      </Section>
      <Section title={texts.report.environment}>
        <Environment environment={run.environment} />
      </Section>
      <NotMeasuredSection run={run} />
    </>
  );
}

export function CommandSection({ run }: { run: Run }) {
  return (
    <Section title={texts.report.repeat}>
      <pre className={styles.command}>{inClone(run.command)}</pre>
      <p className={styles.note}>{texts.report.repeatWith}</p>
    </Section>
  );
}

/** A clone has no `whiteline` in PATH; a package has. */
function inClone(command: string): string {
  return command.replace(/^whiteline /, 'npm run whiteline -- ');
}

export function ParameterSection({ run }: { run: Run }) {
  return (
    <Section title={texts.report.parameters}>
      <ValueTree tree={run.parameters} />
    </Section>
  );
}

export function Thresholds({ run }: { run: Run }) {
  return (
    <>
      {run.thresholdProfile && <p>{texts.report.profile(run.thresholdProfile)}</p>}
      <ValueTree tree={run.thresholds} />
    </>
  );
}

export function NotMeasuredSection({ run }: { run: Run }) {
  return (
    <Section title={texts.report.notMeasured}>
      <Values
        values={missingFigures(run).map(({ reason, rows, figures }) => [
          reason,
          texts.report.missing(rows, figures),
        ])}
      />
    </Section>
  );
}

/** A run that watched senders or was steered by hand is of no experiment. */
export function isDeclared(experiment: string): boolean {
  return declarations.some(({ id }) => id === experiment);
}

export function Method({ experiment }: { experiment: string }) {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) return null;
  const { purpose, study, id } = declaration;
  return (
    <Values
      values={[
        [texts.report.purpose, purpose],
        [texts.report.follows, study],
        [texts.report.guide, texts.report.guideOf(id)],
      ]}
    />
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}
