import { useShallow } from 'zustand/react/shallow';
import type { GrantedFile } from '../../app/protocol/granted-file';
import { dismissAlert } from '../engine/actions';
import { isInBrowser, shell } from '../engine/connection';
import { allAlerts, type Notice, useConsole } from '../engine/console-store';
import { openWritten } from '../engine/written-file';
import { timeOfDay, timeZone } from '../format';
import { texts } from '../texts';
import { type AlertGroup, groupAlerts, worstOf } from './alert-groups';
import styles from './alerts.module.css';
import { toggleAlerts, useAlertsShown } from './alerts-shown';
import { Button } from './button';

/** What went wrong, since when, and what to do about it, in a column beside the screen; stays until it is dismissed. */
export function Alerts() {
  const alerts = useConsole(useShallow(allAlerts));
  const isOpen = useAlertsShown((view) => view.isOpen);
  return <AlertColumn alerts={alerts} isOpen={isOpen} />;
}

export function AlertColumn({ alerts, isOpen }: { alerts: readonly Notice[]; isOpen: boolean }) {
  if (alerts.length === 0) return null;
  const groups = groupAlerts(alerts);
  return (
    <aside className={styles.column} aria-label={texts.alerts.title} data-open={isOpen || undefined}>
      <button
        type="button"
        className={styles.strip}
        aria-label={texts.alerts.title}
        aria-expanded={isOpen}
        aria-keyshortcuts="W"
        data-severity={worstOf(alerts)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggleAlerts}
      >
        <b className={styles.count}>{groups.length}</b>
        <span>{texts.alerts.title}</span>
      </button>
      <div className={styles.panel}>
        <div className={styles.head}>
          <h2 className={styles.title}>{texts.alerts.title}</h2>
          {groups.length > 1 && (
            <Button size="small" onPress={() => dismissAll(alerts.map(({ key }) => key))}>
              {texts.actions.dismissAll(groups.length)}
            </Button>
          )}
        </div>
        <div className={styles.list} aria-live="polite">
          {groups.map((group) => (
            <Entry key={group.keys[0]} group={group} />
          ))}
        </div>
      </div>
    </aside>
  );
}

function Entry({ group }: { group: AlertGroup }) {
  const { keys, severity, cause, streams, message, remedy, sinceMs, untilMs, details, written } = group;
  const what = cause === undefined ? message : texts.alerts.causes[cause](streams.length);
  return (
    <article
      className={styles.alert}
      data-testid="alert"
      data-key={keys[0]}
      data-severity={severity}
      data-past={untilMs !== undefined || undefined}
    >
      <p className={styles.line}>
        <b>{untilMs === undefined ? texts.alerts.severities[severity] : texts.alerts.past}</b>
        <span>
          {untilMs === undefined
            ? texts.alerts.since(`${timeOfDay(sinceMs)} ${timeZone}`)
            : texts.alerts.from(timeOfDay(sinceMs), `${timeOfDay(untilMs)} ${timeZone}`)}
        </span>
      </p>
      <p className={styles.message}>{what}</p>
      {cause !== undefined && <p className={styles.soft}>{streams.join(', ')}</p>}
      {remedy && <p className={styles.soft}>{remedy}</p>}
      {details.length > 0 && (
        <details className={styles.details}>
          <summary>{texts.alerts.details}</summary>
          {details.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </details>
      )}
      <div className={styles.foot}>
        {written !== undefined && <WrittenFile written={written} />}
        <Button size="small" label={texts.actions.dismissThis(what)} onPress={() => dismissAll(keys)}>
          {texts.actions.dismiss}
        </Button>
      </div>
    </article>
  );
}

function WrittenFile({ written }: { written: GrantedFile }) {
  return (
    <>
      <Button size="small" onPress={() => void openWritten(written)}>
        {texts.alerts.openFile}
      </Button>
      <Button size="small" onPress={() => void shell.showFile(written.grant)}>
        {isInBrowser ? texts.alerts.download : texts.alerts.showFile}
      </Button>
    </>
  );
}

function dismissAll(keys: readonly string[]): void {
  for (const key of keys) dismissAlert(key);
}
