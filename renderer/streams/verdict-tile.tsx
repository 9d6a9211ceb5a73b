import type { EngineState } from '../../app/protocol/console';
import { useConsole } from '../engine/console-store';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './verdict-tile.module.css';

interface Props {
  /** Null: there is none whose verdict belongs here. */
  run: EngineState['run'];
}

/** The verdict of the newest run, to be read from a distance; only a change of it is spoken. */
export function VerdictTile({ run }: Props) {
  const isIdle = useConsole((view) => (view.engine?.mode ?? 'idle') === 'idle');
  // A live run measures nothing but its streams.
  const hasSubject = useConsole(({ engine }) => engine?.mode !== 'live' || engine.streams.length > 0);
  const hasCrashed = useConsole((view) => view.life.state === 'crashed');
  const verdict = run?.verdict ?? null;
  const reason = run?.reason ?? '';
  const meaning = run && verdict ? texts.verdict.wordsOf(run.experiment)[verdict] : '';
  const isMeasuring = run !== null && !isIdle && hasSubject;
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
        <p className={styles.none}>{isMeasuring ? texts.verdict.measuring : texts.verdict.none}</p>
      )}
      <p className={styles.reason} title={reason || undefined}>
        {reason || meaning || (isIdle && noneText)}
      </p>
      <p className="visually-hidden" role="status">
        {verdict && texts.verdict.announced(verdict, meaning)}
      </p>
    </section>
  );
}
