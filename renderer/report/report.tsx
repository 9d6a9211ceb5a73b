import { declarations } from '../../app/experiments/declarations';
import { isOfStreams } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import type { ReportData } from '../../app/protocol/report';
import { dateTime } from '../format';
import { texts } from '../texts';
import { Definitions } from './definitions';
import { lasted, Notice, ReportHead, VerdictWords } from './frame';
import { Notes, Pictures } from './notes';
import { playedText } from './played';
import { Published } from './published';
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
  const published = declarations.find(({ id }) => id === run.experiment)?.published;
  const hasStreams = run.rows.some(isOfStreams);
  return (
    <main className={styles.report}>
      <Head run={run} />
      <Section title={hasStreams ? texts.report.study : texts.report.results}>
        <Results run={run} />
        {published && <Published published={published} />}
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
        <VerdictWords experiment={run.experiment} />
      </Section>
      <Section title={texts.report.definitions}>
        <Definitions metrics={definedMetrics(run)} />
      </Section>
      <Notice />
    </main>
  );
}

function Head({ run }: { run: Run }) {
  const { title, verdict, reason } = run;
  return (
    <ReportHead
      kind={texts.report.title}
      {...{ title, verdict, reason }}
      facts={[
        [texts.report.started, dateTime(run.startedAt, 'medium')],
        [texts.report.lasted, lasted(run)],
        [texts.report.state, texts.report.states[run.state]],
        ...sessionFact(run),
        ...playedFact(run),
      ]}
    />
  );
}

function sessionFact({ session }: Run): [string, string][] {
  return session ? [[texts.report.session, texts.report.runOf(session.order, session.name)]] : [];
}

function playedFact({ environment }: Run): [string, string][] {
  const played = playedText(environment);
  return played === '' ? [] : [[texts.source.played, played]];
}
