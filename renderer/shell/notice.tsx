import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** In the place of a picture, on a ground that is dark in both themes: why there is none. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.notice} role="status" data-testid="picture-notice">
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{children}</p>
    </div>
  );
}
