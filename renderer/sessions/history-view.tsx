import { useEffect } from 'react';
import type { RunList } from '../../app/protocol/archive';
import { useConsole } from '../engine/console-store';
import { Button } from '../shell/button';
import { texts } from '../texts';
import { useReading, useRecording } from './archive';
import { askedFilter } from './asked-filter';
import { CompareBar } from './compare-bar';
import { HistoryFilters } from './history-filters';
import { HistoryTable } from './history-table';
import styles from './history-view.module.css';
import { BaselinesNotice, LoadingNotice, Notice, ProblemNotice } from './notice';
import { Pager } from './pager';
import { importRuns } from './session-actions';
import { noFilter, openSheet, pageSize, setFilter, useSessions } from './sessions-store';

const { sessions } = texts;

/** The list of all runs, newest first. */
export function HistoryView() {
  const filter = useSessions((state) => state.filter);
  const offset = useSessions((state) => state.offset);
  const newest = useSessions((state) => state.list);
  const recording = useRecording();
  const { result, problem, retry } = useReading(
    { name: 'listRuns', filter: askedFilter(filter), offset, limit: pageSize },
    recording,
  );

  useEffect(() => {
    if (result) useSessions.setState({ list: result, baselines: result.baselines });
  }, [result]);

  const list = result ?? newest;

  return (
    <section className={styles.history} aria-label={sessions.title}>
      <div className={styles.head}>
        <HistoryFilters experiments={list?.experiments ?? []} hosts={list?.hosts ?? []} />
        <div className={styles.actions}>
          <OpenSession />
          <Button size="small" onPress={() => openSheet({ name: 'newSession' })}>
            {sessions.newSession}
          </Button>
          <Button size="small" onPress={() => openSheet({ name: 'deleted' })}>
            {sessions.deletedRuns}
          </Button>
          <Button size="small" onPress={() => void importRuns()}>
            {sessions.import}
          </Button>
        </div>
      </div>
      <div className={styles.list}>
        {problem ? (
          <ProblemNotice title={sessions.problemTitle} problem={problem} onRetry={retry} />
        ) : (
          <>
            {list?.baselinesProblem && <BaselinesNotice problem={list.baselinesProblem} />}
            <Runs list={list} />
          </>
        )}
      </div>
      {list && !problem && list.recorded > 0 && (
        <div className={styles.foot}>
          <Pages list={list} offset={offset} />
          <CompareBar />
        </div>
      )}
    </section>
  );
}

/** The session to which the next run of this console belongs. */
function OpenSession() {
  const name = useConsole((view) => view.engine?.consoleSession ?? '');
  if (name === '') return null;
  return (
    <span
      className={styles.session}
      title={`${name}. ${sessions.nextSessionHelp}`}
      data-testid="open-session"
    >
      {sessions.nextSession(name)}
    </span>
  );
}

function Runs({ list }: { list: RunList | null }) {
  if (!list) return <LoadingNotice text={sessions.loading} />;
  if (list.recorded === 0) {
    return (
      <Notice title={sessions.emptyTitle} testId="sessions-empty">
        <p>{sessions.emptyText}</p>
        <p>{sessions.emptyHint}</p>
      </Notice>
    );
  }
  if (list.total === 0) {
    return (
      <Notice title={sessions.nothingTitle} testId="sessions-nothing">
        <p>{sessions.nothingText}</p>
        <Button onPress={() => setFilter(noFilter)}>{sessions.clear}</Button>
      </Notice>
    );
  }
  return <HistoryTable runs={list.runs} />;
}

function Pages({ list, offset }: { list: RunList; offset: number }) {
  const { total, recorded } = list;
  return (
    <div className={styles.pages}>
      <span role="status">{sessions.found(total, recorded)}</span>
      <Pager
        {...{ offset, pageSize, total }}
        before={sessions.newer}
        after={sessions.older}
        onTurn={(turned) => useSessions.setState({ offset: turned, current: null })}
      />
    </div>
  );
}
