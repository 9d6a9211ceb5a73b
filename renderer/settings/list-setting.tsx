import { type KeyboardEvent, useId, useState } from 'react';
import { problemText } from '../../app/protocol/errors';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';
import { type ListName, listOf, problemOfList } from './typed-list';

/** Names or addresses in one line; kept by Enter or by leaving the field, unless something is wrong about it. */
export function ListSetting({ name, kept }: { name: ListName; kept: readonly string[] }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isKept, setIsKept] = useState(false);
  const problem = typed === null ? null : problemOfList(name, typed);

  async function keep(): Promise<void> {
    if (typed === null || problem) return;
    const list = listOf(typed);
    if (list.join() !== kept.join()) {
      await changeSettings({ [name]: list });
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
        value={typed ?? kept.join(', ')}
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
          texts.settings.listHelp
        )}{' '}
        <output>{isKept && texts.settings.kept}</output>
      </p>
    </SettingRow>
  );
}
