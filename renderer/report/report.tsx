import { type ReactNode, useState } from 'react';
import type { Row } from '../../app/protocol/row';
import type { Run } from '../../app/protocol/run';
import { verdicts } from '../../app/protocol/verdict';
import { ChartBoard } from '../charts/chart-board';
import { Charts } from '../charts/charts';
import { durationText } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { frameColumns, pictureColumns, timeColumns } from '../table/columns';
import { StreamTable } from '../table/stream-table';
import { StudyTable } from '../table/study-table';
import { TimesTable } from '../table/times-table';
import { texts } from '../texts';
import { Definitions } from './definitions';
import { Gaps, Losses } from './losses';
import styles from './report.module.css';
import { flatten, historyOf, missingFigures, type ReportData } from './report-data';

/** A run for a reader who was not there: the verdict first, then what it rests on, then how to repeat it. */
export function Report({ data }: { data: ReportData }) {
  const [board] = useState(() => new ChartBoard(historyOf(data), true));
  const { run } = data;
  return (
    <main className={styles.report}>
      <Head run={run} />
      <Section title={texts.report.study}>
        <StudyTable rows={run.rows} provisional={null} />
        <p className={styles.note}>{texts.report.lostLegend}</p>
      </Section>
      <Section title={texts.report.charts}>
        <Charts board={board} />
      </Section>
      <Section title={texts.losses.title}>
        <Losses rows={run.rows} />
      </Section>
      <Section title={texts.gaps.title}>
        <Gaps rows={run.rows} />
      </Section>
      <Section title={texts.times.title}>
        <div className={styles.times}>
          <TimesTable rows={withStreams(run.rows)} showsRow />
        </div>
      </Section>
      <Section title={texts.report.streamFrames}>
        <StreamTable rows={run.rows} columns={frameColumns} showsRow />
      </Section>
      <Section title={texts.report.streamPictures}>
        <StreamTable rows={run.rows} columns={pictureColumns} showsRow />
      </Section>
      <Section title={texts.report.streamTimes}>
        <StreamTable rows={run.rows} columns={timeColumns} showsRow />
      </Section>
      <Section title={texts.report.repeat}>
        <pre className={styles.command}>{run.command}</pre>
      </Section>
      <Section title={texts.report.parameters}>
        <Values values={flatten(run.parameters)} />
      </Section>
      <Section title={texts.report.thresholds}>
        <Values values={flatten(run.thresholds)} />
      </Section>
      <Section title={texts.report.environment}>
        <Values values={flatten(run.environment)} />
      </Section>
      <Section title={texts.report.notMeasured}>
        <Values
          values={missingFigures(run).map(({ reason, rows, figures }) => [
            reason,
            texts.report.missing(rows, figures),
          ])}
        />
      </Section>
      <Section title={texts.report.verdicts}>
        <dl className={styles.values}>
          {verdicts.map((verdict) => (
            <div key={verdict}>
              <dt>
                <VerdictMark verdict={verdict} />
              </dt>
              <dd>{texts.verdict.meaning[verdict]}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={texts.report.definitions}>
        <Definitions />
      </Section>
      <footer className={styles.notice}>
        {texts.about.ndi} <a href="https://ndi.video">{texts.ndi.link}</a>
      </footer>
    </main>
  );
}

function Head({ run }: { run: Run }) {
  const facts: [string, string][] = [
    [texts.report.started, new Date(run.startedAt).toLocaleString('en-GB', { timeZoneName: 'short' })],
    [texts.report.lasted, lasted(run)],
    [texts.report.state, texts.report.states[run.state]],
  ];
  return (
    <header className={styles.head}>
      <p className={styles.kind}>{texts.report.title}</p>
      <h1 className={styles.title}>{run.title}</h1>
      <div className={styles.verdict} data-testid="report-verdict">
        {run.verdict ? <VerdictMark verdict={run.verdict} size="large" /> : <b>{texts.report.noVerdict}</b>}
        <p className={styles.sentence}>{run.reason}</p>
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

/** The baseline has no streams, and so no times. */
function withStreams(rows: readonly Row[]): Row[] {
  return rows.filter(({ streams }) => streams > 0);
}

function lasted({ startedAt, endedAt }: Run): string {
  if (endedAt === null) return texts.report.notGiven;
  return durationText((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

function Values({ values }: { values: [name: string, text: string][] }) {
  if (values.length === 0) return <p className={styles.note}>—</p>;
  return (
    <dl className={styles.values}>
      {values.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
