import { keepDeletedDays, type Settings } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';

const { label, options: names } = texts.settings.keepDeletedDays;
const never = 'never';
const options = [
  ...keepDeletedDays.map((days) => [String(days), names[days]] as const),
  [never, names.never] as const,
];

/** For how long deleted runs can be brought back. */
export function DeletedSetting({ kept }: { kept: Settings['keepDeletedDays'] }) {
  return (
    <SettingRow name="keepDeletedDays">
      <div className={styles.choice}>
        <Choice
          label={label}
          options={options}
          value={kept === null ? never : String(kept)}
          columns={options.length}
          onChange={(chosen) =>
            void changeSettings({
              keepDeletedDays: keepDeletedDays.find((days) => String(days) === chosen) ?? null,
            })
          }
        />
      </div>
    </SettingRow>
  );
}
