import type { ReportData } from '../../app/protocol/report';
import { isOfStreams } from '../../app/protocol/row-figures';
import type { Run } from '../../app/protocol/run';
import { verdicts } from '../../app/protocol/verdict';
import { dateTime, durationText } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { Definitions } from './definitions';
import { Notes, Pictures } from './notes';
import styles from './report.module.css';
import { definedMetrics } from './run-columns';
import {
  ChartSections,
  ConditionSections,
  Results,
  Section,
  StreamSections,
  SubjectSection,
} from './sections';

/** A run for a reader who was not there: the verdict first, then what it rests on, then how to repeat it. */
export function Report({ data }: { data: ReportData }) {
  const { run } = data;
  const hasStreams = run.rows.some(isOfStreams);
  return (
    <main className={styles.report}>
      <Head run={run} />
      <Section title={hasStreams ? texts.report.study : texts.report.results}>
        <Results run={run} />
      </Section>
      <SubjectSection rows={run.rows} />
      <ChartSections data={data} />
      <StreamSections data={data} />
      {data.notes.length > 0 && (
        <Section title={texts.report.notes}>
          <Notes notes={data.notes} />
        </Section>
      )}
      {data.pictures.length + data.picturesLeftOut.length > 0 && (
        <Section title={texts.report.pictures}>
          <Pictures pictures={data.pictures} picturesLeftOut={data.picturesLeftOut} />
        </Section>
      )}
      <ConditionSections run={run} />
      <Section title={texts.report.verdicts}>
        <dl className={styles.values}>
          {verdicts.map((verdict) => (
            <div key={verdict}>
              <dt>
                <VerdictMark verdict={verdict} />
              </dt>
              <dd>{texts.verdict.wordsOf(run.experiment)[verdict]}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={texts.report.definitions}>
        <Definitions metrics={definedMetrics(run)} />
      </Section>
      <footer className={styles.notice}>
        {texts.about.ndi} <a href="https://ndi.video">{texts.ndi.link}</a>
      </footer>
    </main>
  );
}

function Head({ run }: { run: Run }) {
  const facts: [string, string][] = [
    [texts.report.started, dateTime(run.startedAt, 'medium')],
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

function lasted({ startedAt, endedAt }: Run): string {
  if (endedAt === null) return texts.report.notGiven;
  return durationText((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}
