import { useConsole } from '../engine/console-store';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './verdict-tile.module.css';

/** The verdict of the newest run, to be read from a distance; only a change of it is spoken. */
export function VerdictTile() {
  const run = useConsole((view) => view.engine?.run ?? null);
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const hasCrashed = useConsole((view) => view.life.state === 'crashed');
  const verdict = run?.verdict ?? null;
  const reason = run?.reason ?? '';
  const noneText = hasCrashed ? texts.verdict.crashedText : texts.verdict.noneText;
  return (
    <section
      className={styles.tile}
      aria-label={texts.verdict.title}
      data-testid="verdict-tile"
      data-verdict={verdict ?? undefined}
    >
      {verdict ? (
        <VerdictMark verdict={verdict} size="large" />
      ) : (
        <p className={styles.none}>{mode === 'idle' ? texts.verdict.none : texts.verdict.measuring}</p>
      )}
      <p className={styles.reason} title={reason || undefined}>
        {reason || (verdict ? texts.verdict.meaning[verdict] : mode === 'idle' && noneText)}
      </p>
      <p className="visually-hidden" role="status">
        {verdict && texts.verdict.announced(verdict, texts.verdict.meaning[verdict])}
      </p>
    </section>
  );
}
