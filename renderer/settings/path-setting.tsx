import type { ReactNode } from 'react';
import { Button } from '../shell/button';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings, chooseSetting } from './settings-store';

/** Each left to Whiteline. */
const usual = {
  ndiPath: { ndiPath: null },
  runsFolder: { runsFolder: null },
  reportLogo: { reportLogo: null },
} as const;

interface Props {
  name: keyof typeof usual;
  /** What is in force, or in words where it is looked for. */
  shown: string;
  isChosen: boolean;
  children?: ReactNode;
}

/** A path: chosen in a dialog, or left to Whiteline. */
export function PathSetting({ name, shown, isChosen, children }: Props) {
  const { label } = texts.settings[name];
  return (
    <SettingRow name={name}>
      <p className={styles.path}>{shown}</p>
      {children}
      <div className={styles.buttons}>
        <Button
          size="small"
          label={`${label}: ${texts.settings.choose}`}
          onPress={() => void chooseSetting(name)}
        >
          {texts.settings.choose}
        </Button>
        {isChosen && (
          <Button
            size="small"
            label={`${label}: ${texts.settings.takeBack}`}
            onPress={() => void changeSettings(usual[name])}
          >
            {texts.settings.takeBack}
          </Button>
        )}
      </div>
    </SettingRow>
  );
}
