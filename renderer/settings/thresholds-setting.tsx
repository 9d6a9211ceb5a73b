import type { Settings } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings, chooseSetting } from './settings-store';

type Option = keyof typeof texts.settings.thresholds.options;
const options = Object.entries(texts.settings.thresholds.options) as [Option, string][];

/** A built-in profile, or a file by its dialog. */
export function ThresholdsSetting({ kept }: { kept: Settings['thresholds'] }) {
  const { label, meanings } = texts.settings.thresholds;
  const isFile = typeof kept !== 'string';

  function choose(option: Option): void {
    if (option === 'file') void chooseSetting('thresholds');
    else void changeSettings({ thresholds: option });
  }

  return (
    <SettingRow name="thresholds">
      <div className={styles.choice}>
        <Choice
          label={label}
          options={options}
          value={isFile ? 'file' : kept}
          columns={options.length}
          onChange={choose}
        />
      </div>
      <p className={isFile ? styles.path : styles.hint}>{isFile ? kept.file : meanings[kept]}</p>
    </SettingRow>
  );
}
