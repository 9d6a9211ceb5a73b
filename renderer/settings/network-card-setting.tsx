import type { NetworkCard } from '../../app/protocol/network-cards';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';

const words = texts.settings.networkInterface;

interface Props {
  /** Null: all cards. */
  kept: string | null;
  cards: readonly NetworkCard[];
}

/** By which network card NDI sends and receives. */
export function NetworkCardSetting({ kept, cards }: Props) {
  const isAbsent = kept !== null && cards.every(({ name }) => name !== kept);
  return (
    <SettingRow name="networkInterface" controlId="network-interface">
      <select
        id="network-interface"
        className={styles.input}
        value={kept ?? ''}
        onChange={({ target }) => void changeSettings({ networkInterface: target.value || null })}
      >
        <option value="">{words.all}</option>
        {cards.map(({ name, addresses }) => (
          <option key={name} value={name}>
            {`${name} · ${addresses.join(', ')}`}
          </option>
        ))}
        {isAbsent && <option value={kept}>{words.absent(kept)}</option>}
      </select>
      {isAbsent && <p className={styles.problem}>{words.absentHelp}</p>}
    </SettingRow>
  );
}
