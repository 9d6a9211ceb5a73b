import type { Settings } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { NmosNodeNow } from './nmos-node-now';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';
import { numberOf } from './typed-number';
import { TypedSetting } from './typed-setting';

const { label, options, restart } = texts.settings.nmosNode;
const choices = Object.entries(options) as [keyof typeof options, string][];

interface Props {
  settings: Settings;
  /** The engine runs with other settings than these. */
  isRestartNeeded: boolean;
}

/** Whether the console is a node of NMOS, and how. */
export function NmosNodeSetting({ settings, isRestartNeeded }: Props) {
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
        <NmosNodeNow />
        {isRestartNeeded && (
          <p className={styles.hint} data-testid="nmos-node-restart">
            {restart}
          </p>
        )}
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
