import type { ClipProgress } from '../../app/protocol/content-battery';
import { leftText } from '../../app/protocol/progress-words';
import { stop } from '../engine/actions';
import { Button } from '../shell/button';
import { ProgressBar } from '../shell/progress-bar';
import { texts } from '../texts';
import styles from './clip-making.module.css';

const words = texts.picker.battery;

/** How far a clip is that is being made, and the way to stop it. */
export function ClipMaking({ progress }: { progress: ClipProgress }) {
  const { clip, stage, framesDone, frames, secondsLeft } = progress;
  const text = words.making(clip, stage);
  return (
    <div className={styles.making} data-testid="clip-making">
      <span className={styles.text}>
        {text}
        {secondsLeft !== null && `, ${leftText(secondsLeft)}`}
      </span>
      <ProgressBar label={text} done={framesDone} total={frames} />
      <Button size="small" label={words.makeStop(clip)} onPress={stop}>
        {texts.actions.stop}
      </Button>
    </div>
  );
}
