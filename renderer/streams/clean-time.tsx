import { durationText } from '../../app/protocol/duration';
import { useConsole } from '../engine/console-store';
import { texts } from '../texts';
import styles from './run-tools.module.css';

/** How long no frame was lost in a live run, for one that is left alone; nothing if nothing was counted. */
export function CleanTime() {
  const isLive = useConsole(({ engine }) => engine?.mode === 'live');
  const isOfLive = useConsole(({ engine }) => engine?.run?.experiment === 'live');
  const clean = useConsole(({ engine }) => engine?.cleanTime ?? null);
  if (!isOfLive || !clean) return null;
  return <CleanLengths nowMs={isLive ? clean.nowMs : null} longestMs={clean.longestMs} />;
}

interface Props {
  /** Null: the run is over. */
  nowMs: number | null;
  longestMs: number;
}

export function CleanLengths({ nowMs, longestMs }: Props) {
  return (
    <p className={styles.clean} title={texts.marking.cleanHelp} data-testid="clean-time">
      <span>{texts.marking.clean}</span>
      {nowMs !== null && (
        <span>
          {texts.marking.cleanNow} <b>{lengthText(nowMs)}</b>
        </span>
      )}
      <span>
        {texts.marking.cleanLongest} <b>{lengthText(longestMs)}</b>
      </span>
    </p>
  );
}

/** Never more than it was. */
function lengthText(ms: number): string {
  return durationText(Math.floor(ms / 1000));
}
