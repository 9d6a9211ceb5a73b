import { type KeyboardEvent, useEffect, useRef } from 'react';
import { shortList } from '../../app/experiments/tested';
import { type ArchivedRun, mostComparedRuns } from '../../app/protocol/archive';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './history-table.module.css';
import { lookOf } from './run-looks';
import { experimentTitle, formatsText, lastedText, startedText } from './run-texts';
import { useScreenKeys } from './screen-keys';
import { deleteRun } from './session-actions';
import { openSheet, showRun, showSession, toggleMark, useSessions } from './sessions-store';

const { sessions } = texts;
/** How many runs PageUp and PageDown move. */
const pageStep = 10;

interface Props {
  runs: readonly ArchivedRun[];
  /** All of them are of one session, which is open. */
  isOfSession?: boolean;
}

/** A line for each run; the keys go from run to run as in a list of files. */
export function HistoryTable({ runs, isOfSession = false }: Props) {
  const current = useSessions((state) => state.current);
  const marked = useSessions((state) => state.marked);
  const body = useRef<HTMLTableSectionElement>(null);
  const found = runs.findIndex(({ folder }) => folder === current);
  const position = found < 0 ? 0 : found;

  function focus(index: number): void {
    const target = Math.min(Math.max(index, 0), runs.length - 1);
    const run = runs[target];
    if (!run) return;
    useSessions.setState({ current: run.folder });
    body.current?.querySelectorAll<HTMLElement>('[data-run]')[target]?.focus();
  }

  // Coming back from a run, the keys go on from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears.
  useEffect(() => {
    if (found >= 0) focus(found);
  }, []);

  const moves: Record<string, number> = {
    ArrowDown: position + 1,
    ArrowUp: position - 1,
    PageDown: position + pageStep,
    PageUp: position - pageStep,
    Home: 0,
    End: runs.length - 1,
  };
  // With the focus on nothing the arrows lead into the list, and Enter opens the run that they would lead to.
  useScreenKeys(() => {
    if (document.activeElement !== document.body) return {};
    return {
      enter: () => openRun(runs[position]),
      arrowdown: () => focus(position),
      arrowup: () => focus(position),
    };
  });

  function openRun(run: ArchivedRun | undefined): void {
    if (run) showRun(run.folder);
  }

  function onKeyDown(event: KeyboardEvent, run: ArchivedRun): void {
    if (event.target !== event.currentTarget) return;
    const move = moves[event.key];
    const actions: Record<string, () => void> = {
      Enter: () => openRun(run),
      ' ': () => toggleMark(run),
      Delete: () => {
        // The line that has the focus is about to go.
        focus(position + 1 < runs.length ? position + 1 : position - 1);
        void deleteRun(run.folder);
      },
      F2: () => openSheet({ name: 'rename', run }),
    };
    const { session } = run;
    if (session !== null && !isOfSession) actions.s = () => showSession(session);
    const action = move === undefined ? actions[event.key] : () => focus(move);
    if (!action) return;
    event.preventDefault();
    // Space would start the ramp.
    event.stopPropagation();
    action();
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are chosen, opened and marked by keys.
    <table className={styles.table} role="grid" aria-label={sessions.title} aria-multiselectable="true">
      <thead>
        <tr>
          <th scope="col" className={styles.mark}>
            <span className="visually-hidden">{sessions.columns.mark}</span>
          </th>
          <th scope="col">{sessions.columns.verdict}</th>
          <th scope="col">{sessions.columns.run}</th>
          <th scope="col">{sessions.columns.source}</th>
          <th scope="col" className={styles.figure}>
            {sessions.columns.streams}
          </th>
          <th scope="col">{sessions.columns.started}</th>
          <th scope="col" className={styles.figure}>
            {sessions.columns.lasted}
          </th>
          <th scope="col" className={styles.figure}>
            {sessions.columns.rows}
          </th>
          <th scope="col">{sessions.columns.host}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {runs.map((run, index) => (
          <RunLine
            key={run.folder}
            run={run}
            isCurrent={index === position}
            isOfSession={isOfSession}
            letter={letterOf(marked, run)}
            onKeyDown={(event) => onKeyDown(event, run)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  run: ArchivedRun;
  isCurrent: boolean;
  isOfSession: boolean;
  /** Of a marked run. */
  letter: string | null;
  onKeyDown: (event: KeyboardEvent) => void;
}

function RunLine({ run, isCurrent, isOfSession, letter, onKeyDown }: LineProps) {
  const { folder, title, verdict, reason, experiment, state, hosts, rows, isBaseline, session, sessionName } =
    run;
  const { sources, streams } = run;
  return (
    <tr
      data-run={folder}
      tabIndex={isCurrent ? 0 : -1}
      aria-selected={letter !== null}
      onKeyDown={onKeyDown}
      onFocus={() => useSessions.setState({ current: folder })}
      onClick={() => {
        // Not while a text is marked to copy it.
        if (getSelection()?.isCollapsed !== false) showRun(folder);
      }}
    >
      <td className={styles.mark}>
        <button
          type="button"
          className={styles.letter}
          tabIndex={-1}
          aria-pressed={letter !== null}
          aria-label={letter ? `${sessions.mark(title)}: ${sessions.markedAs(letter)}` : sessions.mark(title)}
          title={sessions.mark(title)}
          onClick={(event) => {
            event.stopPropagation();
            toggleMark(run);
          }}
        >
          {letter}
        </button>
      </td>
      <td className={styles.verdict}>
        {verdict ? <VerdictMark verdict={verdict} /> : <span>{sessions.noVerdict}</span>}
      </td>
      <td className={styles.run}>
        <span className={styles.title}>
          <b title={title}>{title}</b>
          {title !== experimentTitle(experiment) && (
            <span className={styles.soft}>{experimentTitle(experiment)}</span>
          )}
          {session !== null && !isOfSession && (
            <button
              type="button"
              className={styles.session}
              tabIndex={-1}
              title={sessions.openSession}
              onClick={(event) => {
                event.stopPropagation();
                showSession(session);
              }}
            >
              {sessions.ofSession(sessionName ?? session)}
            </button>
          )}
          {isBaseline && (
            <span className={styles.badge} title={sessions.baselineHelp}>
              {sessions.baseline}
            </span>
          )}
          {state !== 'finished' && <span className={styles.badge}>{sessions.states[state]}</span>}
        </span>
        {reason && (
          <span className={styles.reason} title={reason}>
            {reason}
          </span>
        )}
      </td>
      <td className={styles.source} title={[...sources, ...run.formats].join(', ')}>
        <span>{shortList(sources)}</span>
        <span className={styles.soft}>{formatsText(run)}</span>
      </td>
      <td className={styles.figure}>{streams > 0 ? streams : ''}</td>
      <td className={styles.started}>{startedText(run.startedAt)}</td>
      <td className={styles.figure}>{lastedText(run)}</td>
      <td className={styles.figure}>{rows}</td>
      <td className={styles.host} title={hosts.join(', ')}>
        <span>{hosts.join(', ')}</span>
      </td>
    </tr>
  );
}

export function letterOf(marked: readonly ArchivedRun[], { folder }: ArchivedRun): string | null {
  const position = marked.findIndex((run) => run.folder === folder);
  if (position < 0) return null;
  return position < mostComparedRuns ? lookOf(position).letter : sessions.markedSign;
}
