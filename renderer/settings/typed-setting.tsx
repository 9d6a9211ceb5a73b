import { type KeyboardEvent, useId, useState } from 'react';
import { problemText } from '../../app/protocol/errors';
import type { SettingsChange } from '../../app/protocol/settings';
import { texts } from '../texts';
import { changeProblem } from './change-problem';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';
import type { ListName } from './typed-list';

interface Props {
  name:
    | ListName
    | ('nmosRegistry' | 'nmosHost' | 'nmosPort' | 'nmosReceivers')
    | ('reportProject' | 'reportOperator' | 'reportClient');
  kept: string;
  help?: string;
  changeOf(typed: string): SettingsChange;
}

/** One value in one line; kept by Enter or by leaving the field, unless something is wrong about it. */
export function TypedSetting({ name, kept, help = texts.settings.enterKeeps, changeOf }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isKept, setIsKept] = useState(false);
  const problem = typed === null ? null : changeProblem(changeOf(typed.trim()));

  async function keep(): Promise<void> {
    if (typed === null || problem) return;
    const change = changeOf(typed.trim());
    if (JSON.stringify(change) !== JSON.stringify(changeOf(kept))) {
      await changeSettings(change);
      setIsKept(true);
    }
    setTyped(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') void keep();
  }

  return (
    <SettingRow name={name} controlId={id}>
      <input
        id={id}
        className={styles.input}
        value={typed ?? kept}
        placeholder={texts.settings[name].hint}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-help`}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsKept(false);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => void keep()}
      />
      <p className={styles.hint} id={`${id}-help`}>
        {problem ? (
          <span className={styles.problem} data-testid="field-problem">
            {problemText(problem)}
          </span>
        ) : (
          help
        )}{' '}
        <output>{isKept && texts.settings.kept}</output>
      </p>
    </SettingRow>
  );
}
