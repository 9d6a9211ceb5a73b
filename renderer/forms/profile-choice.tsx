import { thresholdProfiles } from '../../app/protocol/thresholds';
import { useConsole } from '../engine/console-store';
import { fileName } from '../format';
import { texts } from '../texts';
import styles from './field.module.css';

interface Props {
  label?: string;
  /** Null: the profile of the settings. */
  value: string | null;
  onChange: (value: string | null) => void;
}

const known: Record<string, string> = texts.settings.thresholds.options;

/** The profile of thresholds of one run: that of the settings, or a built-in one; a plan's file may name one of its own. */
export function ProfileChoice({ label = texts.profiles.label, value, onChange }: Props) {
  const usual = useConsole((view) => view.engine?.thresholdProfile ?? null);
  const offered = [usual, ...Object.keys(thresholdProfiles), value];
  const names = new Set(offered.filter((name): name is string => name !== null));
  return (
    <label className={styles.field} title={texts.profiles.help}>
      <span className={styles.label}>{label}</span>
      <select
        className={styles.input}
        value={value ?? usual ?? ''}
        onChange={({ target }) => onChange(target.value === usual ? null : target.value)}
      >
        {usual === null && <option value="">{texts.profiles.unknown}</option>}
        {[...names].map((name) => (
          <option key={name} value={name}>
            {known[name] ?? fileName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
