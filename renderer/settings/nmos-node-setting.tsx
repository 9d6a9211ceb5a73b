import type { Settings } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';
import { TypedSetting } from './typed-setting';

const { label, options } = texts.settings.nmosNode;
const choices = Object.entries(options) as [keyof typeof options, string][];

/** Whether the console is a node of NMOS, and how. */
export function NmosNodeSetting({ settings }: { settings: Settings }) {
  const { nmosNode, nmosRegistry, nmosHost, nmosPort, nmosReceivers } = settings;
  return (
    <>
      <SettingRow name="nmosNode">
        <div className={styles.choice}>
          <Choice
            label={label}
            options={choices}
            value={nmosNode ? 'on' : 'off'}
            columns={choices.length}
            onChange={(chosen) => void changeSettings({ nmosNode: chosen === 'on' })}
          />
        </div>
      </SettingRow>
      {nmosNode && (
        <>
          <TypedSetting
            name="nmosRegistry"
            kept={nmosRegistry ?? ''}
            changeOf={(typed) => ({ nmosRegistry: typed === '' ? null : typed })}
          />
          <TypedSetting name="nmosHost" kept={nmosHost} changeOf={(typed) => ({ nmosHost: typed })} />
          <TypedSetting
            name="nmosPort"
            kept={String(nmosPort)}
            changeOf={(typed) => ({ nmosPort: numberOf(typed) })}
          />
          <TypedSetting
            name="nmosReceivers"
            kept={String(nmosReceivers)}
            changeOf={(typed) => ({ nmosReceivers: numberOf(typed) })}
          />
        </>
      )}
    </>
  );
}

/** NaN for what is none, which is refused. */
function numberOf(typed: string): number {
  return typed === '' ? Number.NaN : Number(typed);
}
