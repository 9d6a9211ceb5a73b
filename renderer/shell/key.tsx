import styles from './key.module.css';

/** The key of an action; said to a screen reader by `aria-keyshortcuts`, so hidden from it here. */
export function Key({ children }: { children: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {children}
    </span>
  );
}
