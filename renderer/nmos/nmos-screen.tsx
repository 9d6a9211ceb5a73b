import { useEffect } from 'react';
import { useConsole } from '../engine/console-store';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { Crosspoints } from './crosspoints';
import { DoctorPanel } from './doctor-panel';
import { openNmos } from './nmos-actions';
import styles from './nmos-screen.module.css';
import { type NmosPart, useNmos } from './nmos-store';
import { RegistryPanel } from './registry-panel';
import { ResourceList } from './resource-list';

const { nmos } = texts;
const parts = Object.entries(nmos.parts) as [NmosPart, string][];

/** Registries on the network, what one of them holds, and the patching of receivers. Read only while it is shown. */
export function NmosScreen() {
  const isEngineThere = useConsole((view) => view.engine !== null && view.life.state === 'running');
  const part = useNmos((state) => state.part);
  useEffect(() => (isEngineThere ? openNmos() : undefined), [isEngineThere]);
  return (
    <div className={styles.screen}>
      <RegistryPanel />
      <div className={styles.shown}>
        <div className={styles.bar}>
          <Choice
            label={nmos.part}
            options={parts}
            value={part}
            columns={parts.length}
            onChange={(chosen) => useNmos.setState({ part: chosen })}
          />
          <Disturbance />
        </div>
        {part === 'crosspoints' && <Crosspoints />}
        {part === 'resources' && <ResourceList />}
        {part === 'doctor' && <DoctorPanel />}
      </div>
    </div>
  );
}

/** What it costs a measurement that goes on, or that it is paused for one. */
function Disturbance() {
  const isPaused = useNmos((state) => state.view?.isPaused === true);
  const isReading = useNmos((state) => state.view?.chosen != null);
  const isLive = useConsole((view) => view.engine?.mode === 'live');
  const words = isPaused ? nmos.paused : isLive && isReading && nmos.disturbs;
  return (
    words && (
      <p className={styles.disturbance} role="status">
        {words}
      </p>
    )
  );
}
