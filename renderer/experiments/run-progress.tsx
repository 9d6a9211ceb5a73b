import type { Progress } from '../../app/protocol/console';
import { doingText, leftText, stepText } from '../../app/protocol/progress-words';
import { ProgressBar } from '../shell/progress-bar';
import { texts } from '../texts';
import styles from './run-progress.module.css';

const words = texts.experiments.results;

/** What a run is doing, how far it is, and how long it will still take. */
export function RunProgress({ progress }: { progress: Progress | null }) {
  if (!progress) return <p className={styles.phase}>{words.starting}</p>;
  const { phase, remainingSeconds } = progress;
  return (
    <div className={styles.progress} data-testid="run-progress" data-phase={phase}>
      <p className={styles.step}>{stepText(progress)}</p>
      <ProgressBar label={words.progress} done={doneOf(progress)} total={1} />
      <p className={styles.phase}>
        <span>{doingText(progress)}</span>
        {remainingSeconds > 0 && <span>{leftText(remainingSeconds)}</span>}
      </p>
    </div>
  );
}

/** The share of the steps that are done; the one under way counts by its time. */
function doneOf({ step, steps, phaseSeconds, phaseElapsedSeconds }: Progress): number {
  const inStep = phaseSeconds > 0 ? phaseElapsedSeconds / phaseSeconds : 0;
  return Math.min(1, (Math.max(0, step - 1) + inStep) / Math.max(1, steps));
}
