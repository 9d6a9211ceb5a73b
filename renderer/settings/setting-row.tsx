import type { ReactNode } from 'react';
import type { Settings } from '../../app/protocol/settings';
import { texts } from '../texts';
import styles from './setting-row.module.css';
import { useMachineSettings } from './settings-store';

interface Props {
  /** Presets are chosen and kept where a source is. */
  name: Exclude<keyof Settings, 'presets'>;
  /** Of the control that the label is for; without it the control has a name of its own. */
  controlId?: string;
  children: ReactNode;
}

/** One setting: its name and purpose, its value, and what overrides it. */
export function SettingRow({ name, controlId, children }: Props) {
  const variable = useMachineSettings(({ view }) => view?.overriddenBy[name]);
  const { label, help } = texts.settings[name];
  return (
    <div className={styles.row} data-testid={`setting-${name}`}>
      <div className={styles.words}>
        {controlId ? (
          <label className={styles.label} htmlFor={controlId}>
            {label}
          </label>
        ) : (
          <span className={styles.label}>{label}</span>
        )}
        <p className={styles.help}>{help}</p>
      </div>
      <div className={styles.control}>
        {children}
        {variable && <p className={styles.note}>{texts.settings.overridden(variable)}</p>}
      </div>
    </div>
  );
}
