import { useState } from 'react';
import { restartEngine } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './restart-notice.module.css';

/** The engine is informed of settings when it starts, and of others only when it starts again. */
export function RestartNotice({ isNeeded }: { isNeeded: boolean }) {
  const [isRestarting, setIsRestarting] = useState(false);
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const words = texts.settings.restart;
  if (!isNeeded && !isRestarting) return null;

  async function restart(): Promise<void> {
    setIsRestarting(true);
    await restartEngine().finally(() => setIsRestarting(false));
  }

  return (
    <div className={styles.notice} role="status" data-testid="restart-notice">
      <div>
        <h2 className={styles.title}>{words.title}</h2>
        <p>{isRestarting ? words.restarting : mode === 'idle' ? words.text : words.busy}</p>
      </div>
      <Button
        size="small"
        isPrimary
        hindrance={isRestarting ? words.restarting : mode === 'idle' ? null : words.busy}
        onPress={() => void restart()}
      >
        {words.button}
      </Button>
    </div>
  );
}
