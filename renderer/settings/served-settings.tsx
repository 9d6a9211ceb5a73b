import { useEffect, useState } from 'react';
import type { ServedSettings as Served } from '../../app/protocol/about';
import { shell } from '../engine/connection';
import { CommandLine } from '../shell/command-line';
import { ScrollRoom } from '../shell/scroll-room';
import { texts } from '../texts';
import { NdiInUse } from './ndi-in-use';
import { NmosNodeNow } from './nmos-node-now';
import styles from './served-settings.module.css';
import { servedValue } from './served-value';
import { SettingRow } from './setting-row';
import screen from './settings-screen.module.css';

const { title, text: explanation, ...given } = texts.served.settings;
const rows = Object.entries(given) as [keyof typeof given, { command?: string; text?: string }][];

/** In a browser: settings belong to the process that serves the page, so what it has, and where that is given to it. */
export function ServedSettings() {
  const [served, setServed] = useState<Served | null>(null);
  useEffect(() => void shell.readAbout().then((about) => setServed(about.served ?? null)), []);
  return <ServedRows served={served} />;
}

/** Null: not read yet. */
export function ServedRows({ served }: { served: Served | null }) {
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
              {name === 'ndiPath' && <NdiInUse />}
              {name !== 'ndiPath' && served && (
                <p className={styles.value} data-testid="served-value">
                  {servedValue(name, served[name])}
                </p>
              )}
              {name === 'nmosNode' && <NmosNodeNow />}
              {command && (
                <p className={screen.hint}>
                  {texts.served.change} <CommandLine text={command} />
                </p>
              )}
              {text && <p className={screen.hint}>{text}</p>}
            </SettingRow>
          ))}
        </section>
      </div>
    </ScrollRoom>
  );
}
