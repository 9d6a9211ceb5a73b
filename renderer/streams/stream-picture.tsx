import { figure } from '../format';
import { texts } from '../texts';
import { Figure, markOf, Name, Preview, Remove, Standing, type StreamProps } from './stream-parts';
import styles from './stream-picture.module.css';
import { lossesOf } from './strip-figures';

const { streams } = texts;

/** The quietest that a meter shows. */
const leastDbfs = -60;

/** One of the multi-view: its received picture as large as there is room, its sound, and its losses below. */
export function StreamPicture({
  stream,
  canRemove,
  isEnded = false,
  mostWidth,
}: StreamProps & { mostWidth: number }) {
  return (
    <article className={styles.picture} {...markOf(stream, isEnded)}>
      <div className={styles.view}>
        <Preview stream={stream} isEnded={isEnded} mostWidth={mostWidth} />
        <AudioMeter peakDbfs={stream.audioPeakDbfs} />
        <Name stream={stream} isShort opens={!isEnded} />
      </div>
      <dl className={styles.losses}>
        <Figure figure={lossesOf(stream)} />
      </dl>
      <Standing stream={stream} isEnded={isEnded} isShort />
      {!isEnded && <Remove streamId={stream.id} canRemove={canRemove} />}
    </article>
  );
}

/** The part of a meter, 0 to 1, up to a level. */
export function meterShare(peakDbfs: number): number {
  return Math.min(1, Math.max(0, 1 - peakDbfs / leastDbfs));
}

function AudioMeter({ peakDbfs }: { peakDbfs: number | null }) {
  if (peakDbfs === null)
    return (
      <p className={styles.noSound} data-testid="audio-meter">
        {streams.noSound}
      </p>
    );
  const dbfs = streams.dbfs(figure(peakDbfs));
  const level = streams.audioLevel(dbfs);
  return (
    <div className={styles.sound} title={level} data-testid="audio-meter">
      <meter className="visually-hidden" aria-label={level} min={leastDbfs} max={0} value={peakDbfs} />
      <div className={styles.meter}>
        <div className={styles.level} style={{ transform: `scaleY(${meterShare(peakDbfs)})` }} />
      </div>
      <span className={styles.dbfs}>{dbfs}</span>
    </div>
  );
}
