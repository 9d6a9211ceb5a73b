import { LossLine } from './loss-line';
import { Figure, formatOf, markOf, Remove, Standing, type StreamProps } from './stream-parts';
import styles from './stream-tile.module.css';
import { lossesOf } from './strip-figures';
import { kindsOf } from './strip-notes';

/** One of many streams: its name, what it lost and when, its state. */
export function StreamTile({ stream, canRemove, isEnded = false }: StreamProps) {
  const kinds = kindsOf(stream).map(({ lead, text }) => `${lead}: ${text}`);
  return (
    <article className={styles.tile} {...markOf(stream, isEnded)}>
      <b className={styles.name} title={[stream.name, formatOf(stream), ...kinds].join('\n')}>
        {stream.name}
      </b>
      {!isEnded && <Remove streamId={stream.id} canRemove={canRemove} />}
      <dl className={styles.losses}>
        <Figure figure={lossesOf(stream)} isLarge />
      </dl>
      <div className={styles.line}>
        <LossLine streamId={stream.id} framesPerSecond={stream.framesPerSecond} />
      </div>
      <Standing stream={stream} isEnded={isEnded} isShort />
    </article>
  );
}
