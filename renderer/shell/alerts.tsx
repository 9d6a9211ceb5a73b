import { useShallow } from 'zustand/react/shallow';
import { dismissAlert } from '../engine/actions';
import { isInBrowser, restartEngine } from '../engine/connection';
import { allAlerts, useConsole } from '../engine/console-store';
import { texts } from '../texts';
import styles from './alerts.module.css';
import { Button } from './button';

/** From here on one by one is too slow: each stream of an outage has its own. */
const manyAlerts = 3;

/** What went wrong and what to do about it; stays until it is dismissed, and says so once it is over. */
export function Alerts() {
  const life = useConsole((view) => view.life);
  const alerts = useConsole(useShallow(allAlerts));
  if (life.state !== 'crashed' && alerts.length === 0) return null;
  return (
    <section className={styles.alerts} aria-label={texts.alerts.title}>
      {life.state === 'crashed' && <CrashBanner exitCode={life.exitCode} />}
      {alerts.map(({ key, severity, message, remedy, isPast }) => (
        <article
          key={key}
          className={styles.alert}
          data-testid="alert"
          data-key={key}
          data-severity={severity}
          data-past={isPast || undefined}
        >
          <b className={styles.severity}>{isPast ? texts.alerts.past : texts.alerts.severities[severity]}</b>
          <p className={styles.message}>
            {message}
            {remedy && <span className={styles.remedy}>{remedy}</span>}
          </p>
          <Button size="small" label={texts.actions.dismissThis(message)} onPress={() => dismissAlert(key)}>
            {texts.actions.dismiss}
          </Button>
        </article>
      ))}
      {alerts.length >= manyAlerts && (
        <div className={styles.all}>
          <Button
            size="small"
            onPress={() => {
              for (const { key } of alerts) dismissAlert(key);
            }}
          >
            {texts.actions.dismissAll(alerts.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

function CrashBanner({ exitCode }: { exitCode: number }) {
  const { crashedTitle, crashedText } = texts.engine;
  const crash = { title: crashedTitle, text: crashedText(exitCode), action: texts.actions.restartEngine };
  const { title, text, action } = isInBrowser ? texts.served.lost : crash;
  return (
    <article className={styles.crash} role="alert" data-testid="engine-crashed">
      <div>
        <h2 className={styles.crashTitle}>{title}</h2>
        <p>{text}</p>
      </div>
      <Button isPrimary onPress={() => void restartEngine()}>
        {action}
      </Button>
    </article>
  );
}
