import styles from './progress-bar.module.css';

/** How far something is: `done` of `total`, in any unit. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  return <progress className={styles.bar} value={done} max={total} aria-label={label} />;
}
