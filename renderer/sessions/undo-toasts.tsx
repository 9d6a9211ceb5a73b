import { Button } from '../shell/button';
import { texts } from '../texts';
import { useKeepDays } from './keep-days';
import { experimentTitle } from './run-texts';
import { dismissDeleted, restoreRun } from './session-actions';
import { useSessions } from './sessions-store';
import styles from './undo-toasts.module.css';

const { sessions } = texts;

/** What was deleted, with the way back; stays until it is dismissed. */
export function UndoToasts() {
  const deleted = useSessions((state) => state.deleted);
  const keepDays = useKeepDays();
  return (
    <div className={styles.toasts} role="status">
      {deleted.map((gone) => (
        <div key={gone.deletion} className={styles.toast} data-testid="undo-toast">
          <p className={styles.text}>
            <b>
              {gone.wasBaseline
                ? sessions.deletedBaseline(gone.title, experimentTitle(gone.experiment))
                : sessions.deleted(gone.title)}
            </b>{' '}
            <span>{sessions.deletedHelp(keepDays)}</span>
          </p>
          <Button
            size="small"
            isPrimary
            label={sessions.undoThis(gone.title)}
            onPress={() => void restoreRun(gone)}
          >
            {sessions.undo}
          </Button>
          <Button
            size="small"
            label={sessions.dismissThis(gone.title)}
            onPress={() => dismissDeleted(gone.deletion)}
          >
            {texts.actions.dismiss}
          </Button>
        </div>
      ))}
    </div>
  );
}
