import { CommandLine } from '../shell/command-line';
import { ScrollRoom } from '../shell/scroll-room';
import { texts } from '../texts';
import { NdiInUse } from './ndi-in-use';
import { NmosNodeNow } from './nmos-node-now';
import styles from './served-settings.module.css';
import { SettingRow } from './setting-row';
import screen from './settings-screen.module.css';

const { title, text: explanation, ...given } = texts.served.settings;
const rows = Object.entries(given) as [keyof typeof given, { command?: string; text?: string }][];

/** In a browser: settings belong to the process that serves the page, so where each of them is given to it. */
export function ServedSettings() {
  return (
    <ScrollRoom className={screen.screen} label={texts.settings.title}>
      <div className={screen.column}>
        <section className={screen.group} aria-labelledby="served-settings">
          <h2 id="served-settings" className={styles.title}>
            {title}
          </h2>
          <p className={screen.hint}>{explanation}</p>
          {rows.map(([name, { command, text }]) => (
            <SettingRow key={name} name={name}>
              {command && <CommandLine text={command} />}
              {text && <p className={screen.hint}>{text}</p>}
              {name === 'ndiPath' && <NdiInUse />}
              {name === 'nmosNode' && <NmosNodeNow />}
            </SettingRow>
          ))}
        </section>
      </div>
    </ScrollRoom>
  );
}
