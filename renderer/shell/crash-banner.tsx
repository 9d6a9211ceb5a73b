import { isInBrowser, restartEngine } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { texts } from '../texts';
import { Button } from './button';
import styles from './crash-banner.module.css';

/** Nothing works until the engine is back. */
export function CrashBanner() {
  const life = useConsole((view) => view.life);
  if (life.state !== 'crashed') return null;
  const { crashedTitle, crashedText } = texts.engine;
  const crash = {
    title: crashedTitle,
    text: crashedText(life.exitCode),
    action: texts.actions.restartEngine,
  };
  const { title, text, action } = isInBrowser ? texts.served.lost : crash;
  return (
    <article className={styles.crash} role="alert" data-testid="engine-crashed">
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p>{text}</p>
      </div>
      <Button isPrimary onPress={() => void restartEngine()}>
        {action}
      </Button>
    </article>
  );
}
