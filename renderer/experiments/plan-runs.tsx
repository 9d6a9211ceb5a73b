import { planProgressOf } from '../../app/experiments/plan-progress';
import { leftText, runText } from '../../app/protocol/progress-words';
import type { Session, SessionRun } from '../../app/protocol/session';
import { useConsole } from '../engine/console-store';
import { ProgressBar } from '../shell/progress-bar';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { showInSessions } from './experiment-actions';
import styles from './plan-runs.module.css';

const words = texts.experiments.results;

interface Props {
  session: Session;
  /** Of the session, below that of all runs. */
  folder: string;
}

/** The plan that is run: how far it is as a whole, and what its runs came to. */
export function PlanRuns({ session, folder }: Props) {
  const progress = useConsole((view) => view.engine?.progress ?? null);
  const { run, runs, done, remainingSeconds, isAtLeast } = planProgressOf(session, progress);
  const isRunning = session.state === 'running';
  return (
    <section className={styles.plan} aria-label={words.planRuns} data-testid="plan-runs">
      <h2 className={styles.title}>{session.name}</h2>
      <p className={styles.step}>{isRunning ? runText(run, runs) : words.planOver(runs)}</p>
      {isRunning ? (
        <>
          <ProgressBar label={words.planRuns} done={done} total={1} />
          <p className={styles.left}>{leftText(remainingSeconds, isAtLeast)}</p>
        </>
      ) : (
        <p className={styles.reason}>{session.reason}</p>
      )}
      <ol>
        {session.runs.map((each, index) => (
          <PlannedRun key={each.folder} run={each} number={index + 1} session={folder} />
        ))}
      </ol>
    </section>
  );
}

interface RunProps {
  run: SessionRun;
  number: number;
  session: string;
}

function PlannedRun({ run: { folder, name, state, verdict, reason }, number, session }: RunProps) {
  const title = `${number}. ${name}`;
  const isOver = state !== 'waiting' && state !== 'running';
  return (
    <li
      className={styles.run}
      data-testid="planned-run"
      data-state={state}
      aria-current={state === 'running' ? 'step' : undefined}
    >
      {isOver ? (
        <button
          type="button"
          className={styles.open}
          title={words.showInSessions}
          onClick={() => showInSessions(`${session}/${folder}`)}
        >
          {title}
        </button>
      ) : (
        <span className={styles.name}>{title}</span>
      )}
      {verdict ? (
        <VerdictMark verdict={verdict} />
      ) : (
        <span className={styles.state}>{words.states[state]}</span>
      )}
      {reason && <p className={styles.reason}>{reason}</p>}
    </li>
  );
}
