import { titleOfExperiment } from '../../app/experiments/of-run';
import { shortList, testedOf } from '../../app/experiments/tested';
import type { Run } from '../../app/facts/run';
import { pairsOf, type TwoSidesOfTest, twoSidesOf } from '../../app/facts/two-sides';
import { type Verdict, worseVerdict } from '../../app/facts/verdict';
import type { PageHeader, SessionReportData } from '../../app/protocol/report';
import type { Session, SessionRun } from '../../app/protocol/session';
import { dateTime } from '../format';
import { formatsText } from '../sessions/run-texts';
import { Guard } from '../shell/guard';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { ChangedSettings } from './changed-settings';
import { DefinitionSection, NotDefined, provesNothing } from './definition-section';
import { Environment } from './environment';
import { FirstFailure } from './first-failure';
import { FirstPage } from './first-page';
import { Notice, VerdictWords } from './frame';
import { LeadChart, leadOf } from './lead-chart';
import { Notes, Pictures } from './notes';
import table from './plain-table.module.css';
import { Reasons } from './reasons';
import { RepeatsTable } from './repeats-table';
import styles from './report.module.css';
import { RowTimes } from './row-times';
import {
  type Fact,
  injectedText,
  known,
  lasted,
  machineFacts,
  sourceFacts,
  thresholdsText,
} from './run-facts';
import {
  ChartSections,
  Command,
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
  metricsOf,
  type NumberedRun,
  numberedRuns,
  ownEnvironment,
  sameThresholds,
  setText,
  sharedEnvironment,
  sideEnvironment,
} from './session-data';
import { firstFaultText, sentenceOf, setUpOf, TwoSides } from './two-sides';
import { hasValues, ValueTree } from './value-tree';

const words = texts.report.ofSession;

/** Several runs for a reader who was not there: what each came to, how they differ, then each of them, and once what they share. */
export function SessionReport({ data, header }: { data: SessionReportData; header?: PageHeader }) {
  const { session, differences, repeats } = data;
  const runs = numberedRuns(data);
  const shared = sharedEnvironment(runs);
  const numbers = runs.map(({ number }) => number);
  const recorded = data.runs.map((each) => each?.run);
  const sides = twoSidesOf(recorded);
  const led = (sides && lossySide(sides, runs)) ?? firstOfWorst(runs);
  const pairs = pairsOf(recorded);
  const lead = led && leadOf(led.data);
  return (
    <main className={styles.report}>
      <FirstPage
        header={header}
        kind={sides ? words.twoSides : words.title}
        title={session.plan ? session.name : titleOf(runs, sides !== null)}
        verdict={session.verdict}
        reason={sides ? sentenceOf(sides) : session.reason}
        facts={[
          ...known([[texts.report.facts.topology, sides ? setUpOf(sides) : '']]),
          ...factsOfSession(session, runs),
        ]}
        chart={
          lead && (
            <>
              {runs.length > 1 && <p className={styles.hostName}>{words.runOf(led.number)}</p>}
              <LeadChart lead={lead} data={led.data} />
            </>
          )
        }
      >
        {sides ? <TwoSides sides={sides} /> : <RunList session={session} data={data} />}
        <FirstFailure runs={runs.length > 1 ? runs : runs.map(({ data }) => ({ data }))} />
      </FirstPage>
      {!sides &&
        pairs.map((pair) => {
          const [sent, received] = [numberIn(runs, pair.sent), numberIn(runs, pair.received)];
          return (
            <Section key={`${sent} ${received}`} title={words.pair(sent, received)}>
              <TwoSides sides={pair} />
            </Section>
          );
        })}
      {runs.length > 1 && !sides && (
        <Section title={words.changes}>
          {differences.length === 0 ? (
            <p>
              {repeats.some((each) => each.differences.length > 0) ? words.onlyParameters : words.noChange}
            </p>
          ) : (
            <ChangedSettings differences={differences} numbers={numbers} />
          )}
        </Section>
      )}
      {repeats.length > 0 &&
        repeats.map((each) => (
          <Section key={each.experiment} title={words.repeats(titleOfExperiment(each.experiment))}>
            <RepeatsTable repeats={each} runs={data.runs} />
          </Section>
        ))}
      <Log runs={runs} />
      {runs.map((run) => (
        <Guard key={run.number} what={texts.report.thisRun}>
          <RunOfSession
            run={run}
            entry={session.runs[run.number - 1]}
            shared={shared}
            otherSides={otherSides(pairs, runs, run)}
            without={run === led ? lead?.title : undefined}
            isBeside={repeats.some(({ runs: beside }) => beside.includes(run.number - 1))}
          />
        </Guard>
      ))}
      {pairs.length > 0 && <RepeatTest pairs={pairs} runs={runs} />}
      <SharedSections runs={runs} shared={shared} />
      <Notice />
    </main>
  );
}

/** Numbers of the runs that are the other side of this one. */
function otherSides(
  pairs: readonly TwoSidesOfTest[],
  runs: readonly NumberedRun[],
  { data: { run } }: NumberedRun,
): number[] {
  return pairs.flatMap(({ sent, received }) => {
    if (run !== sent && run !== received) return [];
    return numberIn(runs, run === sent ? received : sent);
  });
}

function numberIn(runs: readonly NumberedRun[], run: Run): number {
  return runs.find(({ data }) => data.run === run)?.number ?? 0;
}

/** Of a session that nobody gave a title: what was tested, and not the name of its folder. */
function titleOf(runs: readonly NumberedRun[], isTwoSided: boolean): string {
  const tested = runs.map(({ data }) => testedOf(data.run));
  const sources = tested.flatMap((each, index) => (isSide(runs[index]) ? [] : each.sources));
  const formats = tested.flatMap((each) => each.formats);
  const once = (texts: readonly string[]): string[] => [...new Set(texts)];
  const what = [shortList(once(sources)), formatsText({ formats: once(formats) })].filter(Boolean).join(', ');
  if (isTwoSided) return texts.report.sides.title(what);
  const experiments = once(runs.map(({ data }) => titleOfExperiment(data.run.experiment))).join(', ');
  return what === '' ? experiments : `${experiments}: ${what}`;
}

/** Its sources are the streams of senders. */
function isSide(run: NumberedRun | undefined): boolean {
  return run?.data.run.experiment === 'watch';
}

/** What is the same of all runs stands there once; sources and formats of each are in the list of the runs. */
function factsOfSession(session: Session, runs: readonly NumberedRun[]): Fact[] {
  const { plan, startedAt, state } = session;
  const recorded = runs.map(({ data }) => data.run);
  const once = (texts: readonly string[]): string => [...new Set(texts.filter(Boolean))].join('; ');
  const sources = recorded.map(sourceFacts);
  const names = [...new Set(sources.flatMap((facts) => facts.map(([name]) => name)))];
  return known([
    [texts.report.session, plan ? '' : session.name],
    [words.notes, plan?.notes ?? ''],
    ...machineFacts(recorded),
    ...names.map((name): Fact => {
      const own = sources.map((facts) => facts.find(([of]) => of === name)?.[1] ?? '');
      return [name, once(own)];
    }),
    [texts.report.facts.injected, once(recorded.map(injectedText))],
    [texts.report.facts.thresholds, once(withoutShorter(recorded.map(thresholdsText)))],
    [texts.report.started, dateTime(startedAt, 'medium')],
    [texts.report.lasted, lasted(session)],
    [texts.report.state, state === 'finished' ? '' : texts.report.states[state]],
  ]);
}

/** Without a profile's name alone where another run says what it allows. */
function withoutShorter(profiles: readonly string[]): string[] {
  return profiles.filter((profile) => !profiles.some((other) => other.startsWith(`${profile}: `)));
}

/** The run of which page one has a chart: the first of those that came to the worst. */
function firstOfWorst(runs: readonly NumberedRun[]): NumberedRun | undefined {
  const whole = runs.filter(({ data }) => !data.isShort);
  const given = whole.flatMap(({ data }) => data.run.verdict ?? []);
  const worst = given.reduce<Verdict>(worseVerdict, 'PASS');
  return whole.find(({ data }) => data.run.verdict === worst) ?? whole[0];
}

/** The receiving side of a test that lost something has what was not sent as well. */
function lossySide({ received }: TwoSidesOfTest, runs: readonly NumberedRun[]): NumberedRun | undefined {
  if (received.verdict === 'PASS') return undefined;
  return runs.find(({ data }) => data.run === received && !data.isShort && leadOf(data) !== null);
}

interface RunListProps {
  session: Session;
  data: SessionReportData;
}

/** What each run came to. A run that is not there stands with the reason why. */
function RunList({ session, data }: RunListProps) {
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
              <th scope="row" className={`${styles.nameOfRun} ${styles.typed}`}>
                {run ? <a href={`#${anchorOf(number)}`}>{nameOf(number, entry)}</a> : nameOf(number, entry)}
              </th>
              <td>{entry.verdict ? <VerdictMark verdict={entry.verdict} /> : words.states[entry.state]}</td>
              <td className={styles.typed}>{entry.reason}</td>
              <td className={styles.typed}>{run && setText(run)}</td>
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

/** The commands of both sides, in the order in which they are to be started. */
function RepeatTest({ pairs, runs }: { pairs: readonly TwoSidesOfTest[]; runs: readonly NumberedRun[] }) {
  const sent = [...new Set(pairs.map((pair) => pair.sent))];
  const received = [...new Set(pairs.map((pair) => pair.received))];
  const numbersOf = (side: readonly Run[]): number[] => side.map((run) => numberIn(runs, run));
  return (
    <Section title={texts.report.sides.repeat}>
      <p className={styles.note}>{texts.report.sides.order(numbersOf(sent), numbersOf(received))}</p>
      {[...sent, ...received].map((run) => (
        <Command key={run.id} text={ofTest(run.command)} />
      ))}
      {sent.map(firstFaultText).map(
        (text) =>
          text && (
            <p key={text} className={styles.note}>
              {text}
            </p>
          ),
      )}
      <p className={styles.note}>{texts.report.repeatWith}</p>
    </Section>
  );
}

/** Names of senders may stand last. */
function ofTest(command: string): string {
  return command.replace(/^whiteline \w+/, '$& --session two-sides');
}

interface RunProps {
  run: NumberedRun;
  /** The title of a chart that page one has. */
  without: string | undefined;
  /** Its rows are above, side by side with those of other runs. */
  isBeside: boolean;
  /** Of a test whose other side is another run, the numbers of such runs. */
  otherSides: readonly number[];
  entry: SessionRun | undefined;
  shared: Record<string, unknown>;
}

/** What a run's own report says, but for what all runs share. */
function RunOfSession({ run: { number, data }, entry, shared, otherSides, without, isBeside }: RunProps) {
  const { run } = data;
  const isSide = otherSides.length > 0;
  const own = isSide ? sideEnvironment(run, shared) : ownEnvironment(run, shared);
  return (
    <article className={styles.runOfSession} id={anchorOf(number)} data-testid="run-of-session">
      <h2 className={styles.title}>
        {words.runTitle(number, entry?.name ?? run.title)}{' '}
        {run.verdict && <VerdictMark verdict={run.verdict} />}
      </h2>
      {otherSides.map((other) => (
        <p key={other} className={styles.note}>
          <a href={`#${anchorOf(other)}`}>
            {run.experiment === 'watch'
              ? texts.report.sides.sentBy(other)
              : texts.report.sides.receivedBy(other)}
          </a>
        </p>
      ))}
      {data.isShort ? (
        <p>{words.short(entry?.folder ?? '')}</p>
      ) : (
        <>
          <Section title={texts.report.results}>
            {isBeside ? (
              <>
                <Reasons rows={run.rows} said={run.reason} />
                <RowTimes rows={run.rows} />
              </>
            ) : (
              <Results run={run} />
            )}
          </Section>
          <ChartSections data={data} without={without} />
          <StreamSections data={data} />
        </>
      )}
      {!isSide && <CommandSection run={run} />}
      <ParameterSection run={run} />
      {hasValues(own) && (
        <Section title={texts.report.environment}>
          <ValueTree tree={own} />
        </Section>
      )}
      {!data.isShort && <NotMeasuredSection run={run} hasReceiver={isSide && run.experiment === 'send'} />}
    </article>
  );
}

/** What is shown once for all runs: machines, thresholds, methods, and what verdicts and figures mean. */
function SharedSections({ runs, shared }: { runs: readonly NumberedRun[]; shared: Record<string, unknown> }) {
  const recorded = runs.map(({ data }) => data.run);
  const experiments = experimentsOf(runs);
  const declared = experiments.filter(isDeclared);
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
      {declared.length > 0 && (
        <Section title={texts.report.method}>
          {declared.map((experiment) => (
            <section key={experiment} className={styles.host}>
              <h3 className={styles.hostName}>{titleOfExperiment(experiment)}</h3>
              <Method experiment={experiment} />
            </section>
          ))}
        </Section>
      )}
      <Section title={texts.report.verdicts}>
        <div className={styles.verdicts}>
          {experiments.map((experiment) => (
            <section key={experiment} className={styles.host}>
              <h3 className={styles.hostName}>{titleOfExperiment(experiment)}</h3>
              <VerdictWords runs={recorded.filter((run) => run.experiment === experiment)} />
            </section>
          ))}
        </div>
        {provesNothing(recorded) && <NotDefined />}
      </Section>
      <DefinitionSection runs={recorded} metrics={metricsOf(runs)} />
    </>
  );
}
