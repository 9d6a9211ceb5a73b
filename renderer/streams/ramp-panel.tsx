import type { Progress } from '../../app/protocol/console';
import { useConsole } from '../engine/console-store';
import { useSettings } from '../engine/source-settings';
import { durationText } from '../format';
import { texts } from '../texts';
import { Field } from './field';
import styles from './panel.module.css';

const fields = ['maxStreams', 'holdSeconds', 'warmUpSeconds'] as const;

/** How the ramp is to go, and while it runs, how far it is. */
export function RampPanel() {
  const progress = useConsole((view) => view.engine?.progress ?? null);
  return (
    <section className={styles.panel} aria-label={texts.ramp.title}>
      <div className={styles.head}>
        <h2 className={styles.title} title={texts.ramp.explanation}>
          {texts.ramp.title}
        </h2>
        {!progress && <AudioSwitch />}
      </div>
      {progress ? <RampProgress progress={progress} /> : <RampSettings />}
    </section>
  );
}

function AudioSwitch() {
  const audio = useSettings((settings) => settings.audio);
  return (
    <label className={styles.switch} title={texts.ramp.audioHelp}>
      <input
        type="checkbox"
        checked={audio}
        onChange={(event) => useSettings.setState({ audio: event.target.checked })}
      />
      {texts.ramp.audio}
    </label>
  );
}

function RampSettings() {
  const settings = useSettings();
  return (
    <div className={styles.numbers}>
      {fields.map((field) => (
        <Field
          key={field}
          label={texts.ramp[field]}
          unit={field === 'maxStreams' ? undefined : texts.ramp.seconds}
          value={settings[field]}
          problem={settings.problems[field]}
          isNumeric
          onChange={(value) => useSettings.setState({ [field]: value })}
        />
      ))}
    </div>
  );
}

function RampProgress({ progress }: { progress: Progress }) {
  const { phase, streams, maxStreams, phaseSeconds, phaseElapsedSeconds, remainingSeconds } = progress;
  return (
    <div className={styles.progress} data-testid="ramp-progress" data-phase={phase}>
      <p className={styles.step}>{texts.ramp.step(streams, maxStreams)}</p>
      <progress
        className={styles.bar}
        value={phaseElapsedSeconds}
        max={phaseSeconds}
        aria-label={texts.ramp.phases[phase]}
      />
      <p className={styles.phase}>
        <span>{texts.ramp.phases[phase]}</span>
        <span>{texts.ramp.left(durationText(remainingSeconds))}</span>
      </p>
    </div>
  );
}
