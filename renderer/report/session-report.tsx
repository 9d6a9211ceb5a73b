import { titleOfExperiment } from '../../app/experiments/of-run';
import type { SessionReportData } from '../../app/protocol/report';
import type { Session, SessionRun } from '../../app/protocol/session';
import { dateTime } from '../format';
import { Guard } from '../shell/guard';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { ChangedSettings } from './changed-settings';
import { Definitions } from './definitions';
import { Environment } from './environment';
import { lasted, Notice, ReportHead, VerdictLine, VerdictWords } from './frame';
import { Notes, Pictures } from './notes';
import table from './plain-table.module.css';
import { RepeatsTable } from './repeats-table';
import styles from './report.module.css';
import {
  ChartSections,
  CommandSection,
  isDeclared,
  Method,
  NotMeasuredSection,
  ParameterSection,
  Results,
  Section,
  StreamSections,
  Thresholds,
} from './sections';
import {
  byTime,
  experimentsOf,
  factsOfHosts,
  metricsOf,
  type NumberedRun,
  numberedRuns,
  ownEnvironment,
  sameThresholds,
  setText,
  sharedEnvironment,
} from './session-data';
import { ValueTree } from './value-tree';

const words = texts.report.ofSession;

/** Several runs for a reader who was not there: what each came to, how they differ, then each of them, and once what they share. */
export function SessionReport({ data }: { data: SessionReportData }) {
  const { session, differences, repeats } = data;
  const runs = numberedRuns(data);
  const shared = sharedEnvironment(runs);
  const numbers = runs.map(({ number }) => number);
  return (
    <main className={styles.report}>
      <SessionHead session={session} runs={runs} />
      <Section title={words.runs}>
        <RunList session={session} data={data} />
      </Section>
      {runs.length > 1 && (
        <Section title={words.changes}>
          {differences.length === 0 ? (
            <p>{words.noChange}</p>
          ) : (
            <ChangedSettings differences={differences} numbers={numbers} />
          )}
        </Section>
      )}
      {repeats.length > 0 && (
        <div className={styles.newPage}>
          {repeats.map((each) => (
            <Section key={each.experiment} title={words.repeats(titleOfExperiment(each.experiment))}>
              <RepeatsTable repeats={each} runs={data.runs} />
            </Section>
          ))}
        </div>
      )}
      <Log runs={runs} />
      {runs.map((run) => (
        <Guard key={run.number} what={texts.report.thisRun}>
          <RunOfSession run={run} entry={session.runs[run.number - 1]} shared={shared} />
        </Guard>
      ))}
      <div className={styles.newPage}>
        <SharedSections runs={runs} shared={shared} />
      </div>
      <Notice />
    </main>
  );
}

function SessionHead({ session, runs }: { session: Session; runs: readonly NumberedRun[] }) {
  const { name, verdict, reason, plan } = session;
  const { hosts, whiteline, ndi } = factsOfHosts(runs);
  return (
    <ReportHead
      kind={words.title}
      title={name}
      verdict={verdict}
      reason={reason}
      facts={[
        ...(plan?.notes ? [[words.notes, plan.notes] as const] : []),
        [texts.report.started, dateTime(session.startedAt, 'medium')],
        [texts.report.lasted, lasted(session)],
        [texts.report.state, texts.report.states[session.state]],
        [words.hosts, hosts],
        [words.whiteline, whiteline],
        [words.ndi, ndi],
      ]}
    />
  );
}

/** What each run came to. A run that is not there stands with the reason why. */
function RunList({ session, data }: { session: Session; data: SessionReportData }) {
  return (
    <table className={table.table} data-testid="session-runs">
      <thead>
        <tr>
          <th scope="col">{words.run}</th>
          <th scope="col">{texts.table.verdict}</th>
          <th scope="col">{words.sentence}</th>
          <th scope="col">{words.tested}</th>
          <th scope="col">{texts.report.started}</th>
          <th scope="col">{texts.report.lasted}</th>
        </tr>
      </thead>
      <tbody>
        {session.runs.map((entry, index) => {
          const run = data.runs[index]?.run;
          const number = index + 1;
          return (
            <tr key={entry.folder} data-session-run={number}>
              <th scope="row" className={styles.nameOfRun}>
                {run ? <a href={`#${anchorOf(number)}`}>{nameOf(number, entry)}</a> : nameOf(number, entry)}
              </th>
              <td>{entry.verdict ? <VerdictMark verdict={entry.verdict} /> : words.states[entry.state]}</td>
              <td>{entry.reason}</td>
              <td>{run && setText(run)}</td>
              <td>{run && dateTime(run.startedAt, 'medium')}</td>
              <td>{run && lasted(run)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function nameOf(number: number, { name, experiment }: SessionRun): string {
  const title = titleOfExperiment(experiment);
  const isSaid = name === title || name === experiment || experiment === 'unknown';
  return `${number}. ${isSaid ? name : `${name} (${title})`}`;
}

function anchorOf(number: number): string {
  return `run-${number}`;
}

/** Notes and pictures of all runs in order of time. */
function Log({ runs }: { runs: readonly NumberedRun[] }) {
  const notes = byTime(runs, (run) => run.notes);
  const pictures = byTime(runs, (run) => run.pictures);
  const picturesLeftOut = runs.flatMap(({ number, data }) =>
    data.picturesLeftOut.map((picture) => ({ ...picture, run: words.runOf(number) })),
  );
  return (
    <>
      {notes.length > 0 && (
        <Section title={words.log}>
          <Notes notes={notes} />
        </Section>
      )}
      {pictures.length + picturesLeftOut.length > 0 && (
        <Section title={words.pictures}>
          <Pictures pictures={pictures} picturesLeftOut={picturesLeftOut} />
        </Section>
      )}
    </>
  );
}

interface RunProps {
  run: NumberedRun;
  entry: SessionRun | undefined;
  shared: Record<string, unknown>;
}

/** What a run's own report says, but for what all runs share. */
function RunOfSession({ run: { number, data }, entry, shared }: RunProps) {
  const { run } = data;
  const own = ownEnvironment(run, shared);
  return (
    <article
      className={`${styles.runOfSession} ${styles.newPage}`}
      id={anchorOf(number)}
      data-testid="run-of-session"
    >
      <h2 className={styles.title}>{words.runTitle(number, entry?.name ?? run.title)}</h2>
      <VerdictLine verdict={run.verdict} reason={run.reason} />
      {data.isShort ? (
        <p>{words.short(entry?.folder ?? '')}</p>
      ) : (
        <>
          <Section title={texts.report.results}>
            <Results run={run} />
          </Section>
          <ChartSections data={data} />
          <StreamSections data={data} />
        </>
      )}
      <CommandSection run={run} />
      <ParameterSection run={run} />
      {Object.keys(own).length > 0 && (
        <Section title={texts.report.environment}>
          <ValueTree tree={own} />
        </Section>
      )}
      {!data.isShort && <NotMeasuredSection run={run} />}
    </article>
  );
}

/** What stands there once for all runs: machines, thresholds, methods, and what verdicts and figures mean. */
function SharedSections({ runs, shared }: { runs: readonly NumberedRun[]; shared: Record<string, unknown> }) {
  const experiments = experimentsOf(runs);
  return (
    <>
      <Section title={words.shared}>
        <Environment environment={shared} />
      </Section>
      {sameThresholds(runs).map(({ run, numbers }) => (
        <Section key={numbers.join()} title={words.thresholdsOf(numbers)}>
          <Thresholds run={run} />
        </Section>
      ))}
      <Section title={texts.report.method}>
        {experiments.filter(isDeclared).map((experiment) => (
          <section key={experiment} className={styles.host}>
            <h3 className={styles.hostName}>{titleOfExperiment(experiment)}</h3>
            <Method experiment={experiment} />
          </section>
        ))}
      </Section>
      <Section title={texts.report.verdicts}>
        {experiments.map((experiment) => (
          <section key={experiment} className={styles.host}>
            <h3 className={styles.hostName}>{titleOfExperiment(experiment)}</h3>
            <VerdictWords experiment={experiment} />
          </section>
        ))}
      </Section>
      <Section title={texts.report.definitions}>
        <Definitions metrics={metricsOf(runs)} />
      </Section>
    </>
  );
}
