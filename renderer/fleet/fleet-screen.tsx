import { useEffect } from 'react';
import { useConsole } from '../engine/console-store';
import { FleetPanel } from './fleet-panel';
import styles from './fleet-screen.module.css';
import { watchFleet } from './fleet-store';
import { MachineDetail } from './machine-detail';
import { MachineList } from './machine-list';

/** The machines of the fleet, what each is and does, and which take part in the next streams. */
export function FleetScreen() {
  const isEngineThere = useConsole((view) => view.engine !== null && view.life.state === 'running');
  useEffect(() => (isEngineThere ? watchFleet() : undefined), [isEngineThere]);
  return (
    <div className={styles.screen}>
      <FleetPanel />
      <div className={styles.shown}>
        <MachineList />
        <MachineDetail />
      </div>
    </div>
  );
}
