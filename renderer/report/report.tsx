import { declarations } from '../../app/experiments/declarations';
import type { PageHeader, ReportData } from '../../app/protocol/report';
import { texts } from '../texts';
import { DefinitionSection, NotDefined, provesNothing } from './definition-section';
import { FirstFailure } from './first-failure';
import { FirstPage } from './first-page';
import { Notice, VerdictWords } from './frame';
import { LeadChart, leadOf } from './lead-chart';
import { Notes, Pictures } from './notes';
import { Published } from './published';
import styles from './report.module.css';
import { definedMetrics } from './run-columns';
import { factsOfRun } from './run-facts';
import {
  ChartSections,
  ConditionSections,
  Results,
  Section,
  StreamSections,
  SubjectSection,
} from './sections';

/** A run for a reader who was not there: the verdict first, then what it rests on, then how to repeat it. */
export function Report({ data, header }: { data: ReportData; header?: PageHeader }) {
  const { run } = data;
  const { title, verdict, reason } = run;
  const lead = leadOf(data);
  const published = declarations.find(({ id }) => id === run.experiment)?.published;
  return (
    <main className={styles.report}>
      <FirstPage
        header={header}
        kind={texts.report.title}
        {...{ title, verdict, reason }}
        facts={factsOfRun(run)}
        chart={lead && <LeadChart lead={lead} data={data} />}
      >
        <FirstFailure runs={[{ data }]} />
      </FirstPage>
      <Section title={texts.report.results}>
        <Results run={run} />
        {published && <Published published={published} />}
      </Section>
      <SubjectSection rows={run.rows} />
      <ChartSections data={data} without={lead?.title} />
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
        <VerdictWords runs={[run]} />
        {provesNothing([run]) && <NotDefined />}
      </Section>
      <DefinitionSection runs={[run]} metrics={definedMetrics(run)} />
      <Notice />
    </main>
  );
}
