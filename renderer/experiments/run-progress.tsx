import type { Progress, StreamPhase } from '../../app/protocol/console';
import { durationText } from '../format';
import { ProgressBar } from '../shell/progress-bar';
import { texts } from '../texts';
import styles from './run-progress.module.css';

const words = texts.experiments.results;

/** What a run is doing, how far it is, and how long it will still take. */
export function RunProgress({ progress }: { progress: Progress | null }) {
  if (!progress) return <p className={styles.phase}>{words.starting}</p>;
  const { phase, step, steps, remainingSeconds } = progress;
  const phaseWords = texts.ramp.phases[phase as StreamPhase] ?? capital(phase);
  return (
    <div className={styles.progress} data-testid="run-progress" data-phase={phase}>
      <p className={styles.step}>{words.step(step, steps)}</p>
      <ProgressBar label={words.progress} done={doneOf(progress)} total={1} />
      <p className={styles.phase}>
        <span>{phaseWords}</span>
        {remainingSeconds > 0 && <span>{words.left(durationText(remainingSeconds))}</span>}
      </p>
    </div>
  );
}

/** The share of the steps that are done; the one under way counts by its time. */
function doneOf({ step, steps, phaseSeconds, phaseElapsedSeconds }: Progress): number {
  const inStep = phaseSeconds > 0 ? phaseElapsedSeconds / phaseSeconds : 0;
  return Math.min(1, (Math.max(0, step - 1) + inStep) / Math.max(1, steps));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
