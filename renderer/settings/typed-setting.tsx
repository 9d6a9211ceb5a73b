import { type KeyboardEvent, useId, useState } from 'react';
import { type Problem, problemText, toProblem } from '../../app/protocol/errors';
import { parseSettingsChange, type SettingsChange } from '../../app/protocol/settings';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';

interface Props {
  name: 'nmosRegistry' | 'nmosHost' | 'nmosPort' | 'nmosReceivers';
  kept: string;
  changeOf(typed: string): SettingsChange;
}

/** One value in one line; kept by Enter or by leaving the field, unless something is wrong about it. */
export function TypedSetting({ name, kept, changeOf }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isKept, setIsKept] = useState(false);
  const problem = typed === null ? null : problemOf(changeOf(typed.trim()));

  async function keep(): Promise<void> {
    if (typed === null || problem) return;
    if (typed.trim() !== kept) {
      await changeSettings(changeOf(typed.trim()));
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
          texts.settings.enterKeeps
        )}{' '}
        <output>{isKept && texts.settings.kept}</output>
      </p>
    </SettingRow>
  );
}

function problemOf(change: SettingsChange): Problem | null {
  try {
    parseSettingsChange(change);
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
