import { useEffect } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import styles from './refused-page.module.css';

/** In the place of the whole console: nothing of it is known. */
export function RefusedPage() {
  // Another key in the address alone loads no page.
  useEffect(() => {
    const reload = (): void => location.reload();
    window.addEventListener('hashchange', reload);
    return () => window.removeEventListener('hashchange', reload);
  }, []);
  const { title, text, action } = texts.served.refused;
  return (
    <main className={styles.page} data-testid="refused">
      <h1 className={styles.title}>{title}</h1>
      <p role="alert">{text}</p>
      <Button isPrimary onPress={() => location.reload()}>
        {action}
      </Button>
    </main>
  );
}
