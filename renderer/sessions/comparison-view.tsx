import { type ReactNode, useState } from 'react';
import type { ComparedRuns } from '../../app/protocol/archive';
import type { Comparison } from '../../app/protocol/history';
import { figure } from '../format';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { useReading } from './archive';
import { ComparedCharts } from './compared-charts';
import { countStandings, type StandingCounts } from './compared-series';
import { ComparedTable } from './compared-table';
import styles from './comparison-view.module.css';
import { Differences } from './differences';
import { LoadingNotice, ProblemNotice } from './notice';
import { lookOf } from './run-looks';
import { startedText } from './run-texts';
import { useScreenKeys } from './screen-keys';
import { showComparison, showRun } from './sessions-store';
import { BackButton, Room, View } from './view';

const { sessions } = texts;
type Part = keyof typeof sessions.compareParts;
const parts = Object.entries(sessions.compareParts) as [Part, string][];

/** Runs of one experiment side by side: the others are held against the first. */
export function ComparisonView({ folders }: { folders: readonly string[] }) {
  const { result, problem, retry } = useReading({ name: 'compareRuns', runs: [...folders] });
  const turn = (): void => showComparison([...folders.slice(1), ...folders.slice(0, 1)]);
  useScreenKeys({ x: turn });
  const bar = (
    <div className={styles.line}>
      <BackButton />
      <h2 className={styles.title}>{sessions.comparison}</h2>
      <Button size="small" keys="X" onPress={turn}>
        {folders.length === 2 ? sessions.swap : sessions.turn}
      </Button>
    </div>
  );
  if (result) return <Compared compared={result} bar={bar} />;
  return (
    <View title={sessions.comparison} bar={bar}>
      {problem ? (
        <ProblemNotice title={sessions.problemTitleComparison} problem={problem} onRetry={retry} />
      ) : (
        <LoadingNotice text={sessions.loadingComparison} />
      )}
    </View>
  );
}

function Compared({ compared, bar }: { compared: ComparedRuns; bar: ReactNode }) {
  const [chosen, setPart] = useState<Part>('figures');
  const { comparison } = compared;
  return (
    <View
      title={sessions.comparison}
      bar={
        <div className={styles.head}>
          {bar}
          <div className={styles.runs} data-many={compared.runs.length > 2 || undefined}>
            {compared.runs.map(({ summary }, index) => (
              <ComparedRun
                key={summary.folder}
                run={summary}
                letter={lookOf(index).letter}
                isFirst={index === 0}
                counts={countStandings(comparison, index)}
              />
            ))}
          </div>
        </div>
      }
    >
      <Choice
        label={sessions.comparison}
        options={parts}
        value={chosen}
        columns={parts.length}
        onChange={setPart}
      />
      <Room key={chosen} title={sessions.compareParts[chosen]}>
        {chosen === 'figures' && (
          <>
            <div className={styles.changed}>
              <Differences comparison={comparison} />
            </div>
            <Regressions compared={compared} />
            {compared.notJudged.length > 0 && (
              <p className={styles.regressions}>{sessions.notJudged(compared.notJudged.join('; '))}</p>
            )}
            <Uncovered uncovered={comparison.uncovered} />
            <ComparedTable comparison={comparison} />
          </>
        )}
        {chosen === 'charts' && <ComparedCharts compared={compared} />}
      </Room>
    </View>
  );
}

type RegressionsOf = Pick<ComparedRuns, 'regressions' | 'unjudged' | 'notComparable' | 'comparison'>;

/** What an operator looks for first: where another run is worse than the first, and by how much. */
export function Regressions({ compared }: { compared: RegressionsOf }) {
  const { regressions, unjudged, notComparable, comparison } = compared;
  const tolerance = figure(comparison.tolerancePercent);
  return (
    <>
      {regressions.length === 0 && (
        <p className={styles.regressions}>
          {notComparable === null
            ? sessions.noRegressions(tolerance)
            : sessions.nothingCompared(notComparable)}
        </p>
      )}
      <WorseList
        of={regressions}
        title={sessions.regressionsTitle(tolerance)}
        mark="▼"
        testId="regressions"
      />
      <WorseList of={unjudged} title={sessions.unjudgedTitle(tolerance)} mark="≠" testId="unjudged" />
    </>
  );
}

interface ListProps {
  of: ComparedRuns['regressions'];
  title: string;
  mark: string;
  testId: string;
}

function WorseList({ of, title, mark, testId }: ListProps) {
  if (of.length === 0) return null;
  return (
    <div className={styles.regressions} data-testid={testId}>
      <h3 className={styles.regressionsTitle}>{title}</h3>
      <ul className={styles.list}>
        {of.map(({ run, label, metric, text }) => (
          <li key={`${run} ${label} ${metric}`}>
            {mark} {sessions.regression(lookOf(run).letter, label, text)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Steps that prove nothing about how the runs differ. */
function Uncovered({ uncovered }: Pick<Comparison, 'uncovered'>) {
  if (uncovered.length === 0) return null;
  return (
    <div className={styles.regressions} data-testid="uncovered">
      <h3 className={styles.regressionsTitle}>{sessions.uncoveredTitle}</h3>
      <ul className={styles.list}>
        {uncovered.map(({ runs, labels }) => (
          <li key={runs.join()}>
            {sessions.onlyIn(runs.map((run) => lookOf(run).letter).join(', '), labels.join('; '))}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ComparedRunProps {
  run: ComparedRuns['runs'][number]['summary'];
  letter: string;
  isFirst: boolean;
  /** Comparison with the first run; null: there is none. */
  counts: StandingCounts | null;
}

function ComparedRun({ run, letter, isFirst, counts }: ComparedRunProps) {
  const { folder, title, startedAt, verdict, reason, isBaseline } = run;
  return (
    <article className={styles.run} data-testid="compared-run">
      <b className={styles.letter}>{letter}</b>
      <div className={styles.about}>
        <p className={styles.name}>
          <button type="button" className={styles.open} onClick={() => showRun(folder)}>
            {title}
          </button>
          <span className={styles.soft}>{startedText(startedAt)}</span>
          {isBaseline && <span className={styles.soft}>{sessions.baseline}</span>}
          {verdict && <VerdictMark verdict={verdict} />}
        </p>
        <p className={styles.reason} title={reason}>
          {reason}
        </p>
        {!isFirst && (
          <p className={styles.counts} data-testid="comparison-summary">
            {counts === null || Object.values(counts).every((count) => count === 0)
              ? sessions.noneCompared
              : sessions.summary(counts.worse, counts.better, counts.different, counts.same)}
          </p>
        )}
      </div>
    </article>
  );
}
