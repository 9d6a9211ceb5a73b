import { PreflightForm } from './preflight-form';
import { PreflightList } from './preflight-list';
import styles from './preflight-screen.module.css';

/** This machine and its network at a glance. */
export function PreflightScreen() {
  return (
    <div className={styles.screen}>
      <PreflightForm />
      <PreflightList />
    </div>
  );
}
