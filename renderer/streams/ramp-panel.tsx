import { useId } from 'react';
import type { Progress } from '../../app/protocol/console';
import { doingText, leftText, stepText } from '../../app/protocol/progress-words';
import { useConsole } from '../engine/console-store';
import { rampNumbers, useSettings } from '../engine/source-settings';
import { Field } from '../forms/field';
import { ProfileChoice } from '../forms/profile-choice';
import { ProgressBar } from '../shell/progress-bar';
import { texts } from '../texts';
import styles from './panel.module.css';
import { streamsRunOf } from './streams-run';

/** How the ramp is to go, and while it runs, how far it is. Beside streams that were added by hand none can start, and the source needs the room. */
export function RampPanel() {
  const progress = useConsole((view) => view.engine?.progress ?? null);
  const isLive = useConsole((view) => view.engine?.mode === 'live');
  const isLiveSource = useSettings(({ kind }) => kind === 'live');
  if (isLive) return null;
  if (isLiveSource && !progress) return <NoRamp />;
  return (
    <section className={styles.panel} aria-label={texts.ramp.title}>
      <h2 className={styles.title} title={texts.ramp.explanation}>
        {texts.ramp.title}
      </h2>
      {progress ? <RampProgress progress={progress} /> : <RampSettings />}
    </section>
  );
}

/** What others send cannot be added stream by stream. */
function NoRamp() {
  return (
    <section className={styles.panel} aria-label={texts.ramp.title}>
      <h2 className={styles.title}>{texts.ramp.title}</h2>
      <p className={styles.hint}>{texts.liveSources.noRamp}</p>
    </section>
  );
}

function RampSettings() {
  const settings = useSettings();
  const id = useId();
  const wrong = rampNumbers.filter((field) => settings.problems[field] !== undefined);
  return (
    <div className={styles.numbers}>
      {rampNumbers.map((field) => (
        <Field
          key={field}
          label={texts.ramp[field]}
          unit={field === 'maxStreams' ? undefined : texts.ramp.seconds}
          value={settings[field]}
          problem={settings.problems[field]}
          problemId={`${id}-${field}`}
          isNumeric
          onChange={(value) => useSettings.setState({ [field]: value })}
        />
      ))}
      <ProfileChoice
        value={settings.thresholds}
        onChange={(thresholds) => useSettings.setState({ thresholds })}
      />
      {wrong.length > 0 && (
        <ul className={styles.problems}>
          {wrong.map((field) => (
            <li key={field} id={`${id}-${field}`} data-testid="field-problem">
              <b>{texts.ramp[field]}:</b> {settings.problems[field]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function RampProgress({ progress }: { progress: Progress }) {
  // The tile says the step and the time left of a run with streams.
  const isInTile = useConsole((view) => streamsRunOf(view) !== null);
  const { phase, phaseSeconds, phaseElapsedSeconds, remainingSeconds } = progress;
  const words = doingText(progress);
  return (
    <div className={styles.progress} data-testid="ramp-progress" data-phase={phase}>
      {!isInTile && <p className={styles.step}>{stepText(progress)}</p>}
      <ProgressBar label={words} done={phaseElapsedSeconds} total={phaseSeconds} />
      <p className={styles.phase}>
        <span>{words}</span>
        {!isInTile && remainingSeconds > 0 && <span>{leftText(remainingSeconds)}</span>}
      </p>
    </div>
  );
}
