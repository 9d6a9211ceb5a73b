import { useEffect, useRef, useState } from 'react';
import type { DeletedRun } from '../../app/protocol/archive';
import { problemText } from '../../app/protocol/errors';
import { Button } from '../shell/button';
import { Dialog } from '../shell/dialog';
import { texts } from '../texts';
import { useReading } from './archive';
import styles from './deleted-sheet.module.css';
import { erasedAt, useKeepDays } from './keep-days';
import { dayText, startedText } from './run-texts';
import { eraseRun, restoreRun } from './session-actions';
import { closeSheet } from './sessions-store';

const { sessions } = texts;

/** Runs that were put aside: they can be had back, or erased for good. */
export function DeletedSheet() {
  const { result, problem } = useReading({ name: 'listDeleted' });
  return (
    <Dialog title={sessions.deletedRuns} isWide onClose={closeSheet}>
      {problem && <p role="alert">{problemText(problem)}</p>}
      {result?.length === 0 && <p>{sessions.noneDeleted}</p>}
      <ul className={styles.deleted}>
        {result?.map((gone) => (
          <Gone key={gone.deletion} gone={gone} />
        ))}
      </ul>
      {result && result.length > 1 && (
        <div className={styles.all}>
          <Erasing
            ask={sessions.eraseAll}
            sure={sessions.eraseAllSure(result.length)}
            onErase={() => void eraseAll(result)}
          />
        </div>
      )}
    </Dialog>
  );
}

function Gone({ gone }: { gone: DeletedRun }) {
  const { title, startedAt, deletedAt } = gone;
  const erased = erasedAt(deletedAt, useKeepDays());
  return (
    <li className={styles.gone}>
      <div className={styles.about}>
        <p>
          <b>{title}</b> <span className={styles.soft}>{startedText(startedAt)}</span>
        </p>
        <p className={styles.soft}>
          {sessions.deletedAt(dayText(deletedAt))}
          {erased && `, ${sessions.erasedAt(dayText(erased))}`}
        </p>
      </div>
      <Button size="small" label={sessions.restoreThis(title)} onPress={() => void restoreRun(gone)}>
        {sessions.restore}
      </Button>
      <Erasing
        ask={sessions.erase}
        label={sessions.eraseThis(title)}
        sure={sessions.eraseSure}
        onErase={() => void eraseRun(gone)}
      />
    </li>
  );
}

interface ErasingProps {
  ask: string;
  label?: string;
  sure: string;
  onErase: () => void;
}

/** Asks once more, with the focus on what does no harm: a key that is held down must not erase. */
function Erasing({ ask, label, sure, onErase }: ErasingProps) {
  /** Null: not asked yet. */
  const [isAsked, setAsked] = useState<boolean | null>(null);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (isAsked !== null) place.current?.querySelector('button')?.focus();
  }, [isAsked]);

  return (
    <div ref={place} className={styles.erasing}>
      {isAsked ? (
        <>
          <Button key="keep" size="small" onPress={() => setAsked(false)}>
            {sessions.keep}
          </Button>
          <Button size="small" isPrimary onPress={onErase}>
            {sure}
          </Button>
        </>
      ) : (
        <Button key="ask" size="small" label={label} onPress={() => setAsked(true)}>
          {ask}
        </Button>
      )}
    </div>
  );
}

async function eraseAll(deleted: readonly DeletedRun[]): Promise<void> {
  for (const gone of deleted) await eraseRun(gone);
}
