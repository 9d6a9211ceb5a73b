import { Fragment, type ReactNode } from 'react';
import { declarations } from '../../app/experiments/declarations';
import { parameterName } from '../../app/experiments/setting-name';
import { wordsOf as reasonText } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { figureOf, isOfStreams, scalarOf, streamsOf } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import { onlyReceiverKnows } from '../../app/facts/two-sides';
import type { ReportData } from '../../app/protocol/report';
import { PublishedCurves } from '../charts/curves';
import { DeclaredCharts } from '../charts/declared-charts';
import { StepChart } from '../charts/step-chart';
import charts from '../charts/step-chart.module.css';
import { TimeHistograms } from '../charts/time-histograms';
import { valueFigure } from '../format';
import { RunHeatMap } from '../heat-map/heat-map';
import { filledColumns, splitColumns } from '../table/declared-columns';
import { everyStreamMarks } from '../table/metric-cell';
import { RunTable } from '../table/run-table';
import { shownColumns, wasShown } from '../table/shown-columns';
import { inShownOrder } from '../table/shown-order';
import { streamColumnsOf } from '../table/stream-columns';
import { StreamTable } from '../table/stream-table';
import { SubjectTables } from '../table/subject-table';
import { TimesTable } from '../table/times-table';
import { texts } from '../texts';
import { Environment } from './environment';
import { LoadCharts } from './load-charts';
import { heldSpecs } from './load-specs';
import { LossCauses } from './loss-causes';
import { Gaps, hasLosses, Losses } from './losses';
import { Reasons } from './reasons';
import styles from './report.module.css';
import { missingFigures, missingText, parametersBeside } from './report-data';
import { RowTimes } from './row-times';
import { chartsOfRun, otherChartsOfRun, tableGroups } from './run-columns';
import { known, questionOf } from './run-facts';
import { hasValues, Values, valueText, wordsOf } from './value-tree';

/** The parts of a run that the report and the window show alike. */

/** Rows of a long run that the window shows at a time; what is said of all rows stays. */
export interface RowsPage {
  offset: number;
  pageSize: number;
}

function onPage<Kind>(rows: readonly Kind[], page: RowsPage | undefined): readonly Kind[] {
  return page ? rows.slice(page.offset, page.offset + page.pageSize) : rows;
}

interface ResultsProps {
  run: Run;
  onOpen?: (row: number) => void;
  page?: RowsPage;
}

/**
 * The table of the run; what does not fit beside one another stands in further tables below. In the window a row opens.
 */
export function Results({ run, onOpen, page }: ResultsProps) {
  const rows = inShownOrder(run.experiment, run.rows);
  const groups = tableGroups(run);
  const hasStreams = run.rows.some(isOfStreams);
  // In the window the tables of all runs of streams have the same columns: an operator looks for a figure where it always is.
  const tables = splitColumns(onOpen && hasStreams ? groups : filledColumns(groups, rows), rows);
  const shown = tables.flatMap((all) => all.flatMap(({ columns }) => columns.map(({ metric }) => metric.id)));
  const hasDash = rows.some((row) => shown.some((id) => figureOf(row, id) === null));
  // What a check found stands in the table.
  const isSaid = (row: Row): boolean => shown.some((id) => scalarOf(row, id) === reasonText(row.reason));
  const lead = hasStreams ? texts.table.streams : texts.report.row;
  if (rows.length === 0) return <p className={styles.note}>{texts.report.noRow}</p>;
  return (
    <div className={styles.tables}>
      <RunHeatMap experiment={run.experiment} rows={run.rows} />
      {tables.map((columns, index) => (
        <RunTable
          key={columns[0]?.columns[0]?.metric.id}
          rows={onPage(rows, page)}
          columns={columns}
          lead={lead}
          caption={texts.table.title}
          showsReason={index === 0 && onOpen !== undefined}
          onOpen={index === 0 ? onOpen : undefined}
        />
      ))}
      {!onOpen && (
        <>
          <Reasons rows={rows.filter((row) => !isSaid(row))} said={run.reason} />
          <RowTimes rows={run.rows} />
        </>
      )}
      {hasDash && <p className={styles.note}>{texts.report.lostLegend}</p>}
    </div>
  );
}

interface ChartsProps {
  data: ReportData;
  /** The title of one that stands elsewhere on the page. */
  without?: string;
}

/** What was measured over time, and by step. */
export function ChartSections({ data, without }: ChartsProps) {
  const { run, load } = data;
  const stepCharts = chartsOfRun(run).filter(({ title }) => title !== without);
  const others = otherChartsOfRun(run).filter(({ title }) => title !== without);
  const published = declarations.find(({ id }) => id === run.experiment)?.published;
  return (
    <>
      {load.wallMs.length > 0 && heldSpecs(load).length > 0 && (
        <Section title={texts.report.charts}>
          <LoadCharts data={data} without={without} />
        </Section>
      )}
      {others.length + stepCharts.length > 0 && (
        <Section title={texts.report.measures}>
          <div className={charts.charts}>
            <DeclaredCharts charts={others} rows={run.rows} />
            {published && 'over' in published.columns && (
              <PublishedCurves rows={published.rows} steps={published.columns} />
            )}
            {stepCharts.map((spec) => (
              <StepChart
                key={spec.series.map(({ metric }) => metric.id).join(' ')}
                spec={spec}
                rows={inShownOrder(run.experiment, run.rows)}
              />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

/** Rows with streams: the baseline has no times. */
export function measuredRowsOf(rows: readonly Row[]): Row[] {
  return rows.filter((row) => (streamsOf(row) ?? 0) > 0);
}

/** Another run of the report is the receiver of what this one sent: what only that one knows is not missing. */
interface Beside {
  hasReceiver?: boolean;
}

/** What rows of streams report beyond the figures of the table. */
export function StreamSections({ data, page }: { data: ReportData; page?: RowsPage }) {
  // What only the receiver of a sent stream knows stands once, in the list of what was not measured, or in the receiver's run.
  const hasReceiver = data.run.experiment === 'send';
  const rows = data.run.rows.filter(isOfStreams);
  const measured = measuredRowsOf(rows);
  if (measured.length === 0) return null;
  const lost = { rows, leftOut: data.leftOut, between: data.run.lostBetweenRows, hasReceiver };
  const shown = measured.filter(wasShown);
  const paged = onPage(data.run.rows, page);
  const isPaged = (row: Row): boolean => paged.includes(row);
  const pagedMeasured = measured.filter(isPaged);
  return (
    <>
      {(!hasReceiver || data.causes.length > 0 || hasLosses(lost)) && (
        <Section title={texts.report.causes}>
          <LossCauses causes={data.causes} />
          <Losses {...lost} />
          {!hasReceiver && <Gaps rows={rows.filter(isPaged)} />}
        </Section>
      )}
      <Section title={texts.report.histograms}>
        <TimeHistograms rows={pagedMeasured} />
        <div className={styles.times}>
          {halvesOf(pagedMeasured).map((half) => (
            <TimesTable key={half[0]?.index} rows={half} among={measured} showsRow />
          ))}
        </div>
      </Section>
      <StreamTables run={data.run} paged={rows.filter(isPaged)} />
      {shown.length > 0 && (
        <Section title={texts.display.shown}>
          <StreamTable rows={shown.filter(isPaged)} columns={shownColumns} showsRow />
        </Section>
      )}
    </>
  );
}

/** Tables beside one another are as long as a part of a page; longer ones would be torn apart between two pages. */
const mostBeside = 12;

function halvesOf(rows: readonly Row[]): (readonly Row[])[] {
  if (rows.length < 2 || rows.length > mostBeside) return [rows];
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
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

function StreamTables({ run, paged }: { run: Run; paged: readonly Row[] }) {
  const rows = run.rows.filter(isOfStreams);
  const ofRows = tableGroups(run).flatMap(({ columns }) => columns.map(({ metric }) => metric.id));
  const { tables, zero } = streamColumnsOf(rows, ofRows);
  if (tables.length + zero.length === 0) return null;
  return (
    <Section title={texts.report.singleStreams}>
      <div className={styles.tables}>
        {tables.map((columns) => (
          <StreamTable key={columns[0]?.id} rows={paged} columns={columns} showsRow />
        ))}
      </div>
      {zero.length > 0 && (
        <p className={styles.note}>
          {texts.report.zero}
          {zero.map((metric, index) => (
            <Fragment key={metric.id}>
              {index > 0 && ', '}
              <span {...everyStreamMarks(metric)} data-figure={valueFigure(0, metric)}>
                {metric.heading}
              </span>
            </Fragment>
          ))}
        </p>
      )}
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
          <Method experiment={run.experiment} isQuestionSaid />
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
      <Command text={run.command} />
      <p className={styles.note}>{texts.report.repeatWith}</p>
    </Section>
  );
}

/** Broken at blanks alone: a half of a flag at the end of a line would be typed as it stands. */
export function Command({ text }: { text: string }) {
  return (
    <pre className={styles.command}>
      {[...inClone(text).matchAll(/[^ ]+ */g)].map(({ 0: word, index: offset }) => (
        <span key={offset} className={styles.word}>
          {word}
        </span>
      ))}
    </pre>
  );
}

/** A clone has no `whiteline` in PATH; a package has. */
function inClone(command: string): string {
  return command.replace(/^whiteline /, 'npm run whiteline -- ');
}

/** What the command that repeats the run does not say. */
export function ParameterSection({ run }: { run: Run }) {
  const parameters = parametersBeside(run);
  if (!hasValues(parameters)) return null;
  return (
    <Section title={texts.report.parameters}>
      <Values
        areShort
        values={Object.entries(parameters).map(([name, value]) => [
          parameterName(run.experiment, name) ?? wordsOf(name),
          valueText(value),
        ])}
      />
    </Section>
  );
}

export function Thresholds({ run: { thresholdProfile, thresholds } }: { run: Run }) {
  const lines = Object.entries(thresholds).map(([key, value]) => `${key}: ${value}`);
  return (
    <>
      <p className={styles.note}>{texts.report.thresholdsNote(thresholdProfile ?? '')}</p>
      <pre className={styles.lines}>{lines.join('\n')}</pre>
    </>
  );
}

export function NotMeasuredSection({ run, hasReceiver = false }: { run: Run } & Beside) {
  const missing = missingFigures(run, (reason) => hasReceiver && reason.endsWith(onlyReceiverKnows));
  if (missing.length === 0) return null;
  return (
    <Section title={texts.report.notMeasured}>
      <Values areSmall values={missing.map((one) => [one.reason, missingText(one)])} />
    </Section>
  );
}

/** A run that watched senders or was steered by hand is of no experiment. */
export function isDeclared(experiment: string): boolean {
  return declarations.some(({ id }) => id === experiment);
}

interface MethodProps {
  experiment: string;
  /** On page one. */
  isQuestionSaid?: boolean;
}

export function Method({ experiment, isQuestionSaid = false }: MethodProps) {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) return null;
  const { purpose, study, id } = declaration;
  const rest = purpose.slice(questionOf(experiment).length).trim();
  return (
    <Values
      values={[
        ...known([isQuestionSaid ? [texts.report.how, rest] : [texts.report.purpose, purpose]]),
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
