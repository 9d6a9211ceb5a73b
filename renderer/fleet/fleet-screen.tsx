import { useEffect } from 'react';
import { useConsole } from '../engine/console-store';
import { connectArchive } from '../sessions/archive';
import { FleetPanel } from './fleet-panel';
import styles from './fleet-screen.module.css';
import { useFleet, watchFleet } from './fleet-store';
import { MachineDetail } from './machine-detail';
import { MachineList } from './machine-list';
import { usePreflights } from './preflights';

/** The machines of the fleet, what each is and does, and which take part in the next streams. */
export function FleetScreen() {
  const isEngineThere = useConsole((view) => view.engine !== null && view.life.state === 'running');
  useEffect(() => (isEngineThere ? watchFleet() : undefined), [isEngineThere]);
  useEffect(connectArchive, []);
  const preflights = usePreflights();
  const hasChosen = useFleet(({ chosenId }) => chosenId !== null);
  return (
    <div className={styles.room}>
      <div className={styles.screen}>
        <FleetPanel own={preflights.get(null)} />
        <div className={styles.shown} data-chosen={hasChosen || undefined}>
          <MachineList preflights={preflights} />
          <MachineDetail preflights={preflights} />
        </div>
      </div>
    </div>
  );
}
