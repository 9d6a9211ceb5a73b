import { useConsole } from '../engine/console-store';
import { OwnNodeState } from '../nmos/own-node-state';
import { texts } from '../texts';
import styles from './settings-screen.module.css';

/** What the node that runs is doing, whatever was set. */
export function NmosNodeNow() {
  const node = useConsole((view) => view.engine?.nmosNode ?? null);
  if (node === null) return null;
  return (
    <p className={styles.hint} role="status" data-testid="nmos-node-now">
      {texts.settings.nmosNode.now}: <OwnNodeState node={node} />
    </p>
  );
}
