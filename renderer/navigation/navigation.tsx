import { texts } from '../texts';
import styles from './navigation.module.css';
import { screens } from './screens';
import { showScreen, useScreen } from './shown-screen';

/** The rail on the left: one screen each. */
export function Navigation() {
  const shown = useScreen((state) => state.shown);
  return (
    <nav className={styles.rail} aria-label={texts.navigation.title}>
      {screens.map(({ id, icon }, index) => (
        <button
          key={id}
          type="button"
          className={styles.item}
          aria-current={id === shown ? 'page' : undefined}
          aria-keyshortcuts={String(index + 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => showScreen(id)}
        >
          <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
            <path d={icon} />
          </svg>
          <span>{texts.screens[id]}</span>
        </button>
      ))}
    </nav>
  );
}
