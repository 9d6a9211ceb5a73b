import { TimelineName } from '../timeline/timeline-button';
import { LossLine } from './loss-line';
import { Figure, formatOf, markOf, Remove, ShortName, Standing, type StreamProps } from './stream-parts';
import styles from './stream-tile.module.css';
import { lossesOf } from './strip-figures';
import { kindsOf } from './strip-notes';

/** One of many streams: its name, what it lost and when, its state. */
export function StreamTile({ stream, canRemove, isEnded = false }: StreamProps) {
  const { id, name, framesPerSecond } = stream;
  const kinds = kindsOf(stream).map(({ lead, text }) => `${lead}: ${text}`);
  const help = [name, formatOf(stream), ...kinds].join('\n');
  return (
    <article className={styles.tile} {...markOf(stream, isEnded)}>
      <div className={styles.head}>
        {isEnded ? (
          <b className={styles.name} title={help}>
            <ShortName name={name} />
          </b>
        ) : (
          <TimelineName streamId={id} help={help} className={styles.name}>
            <ShortName name={name} />
          </TimelineName>
        )}
        <Standing stream={stream} isEnded={isEnded} isShort />
      </div>
      <div className={styles.body}>
        <dl className={styles.losses}>
          <Figure figure={lossesOf(stream)} isLarge />
        </dl>
        <LossLine streamId={id} framesPerSecond={framesPerSecond} />
      </div>
      {!isEnded && <Remove streamId={id} canRemove={canRemove} />}
    </article>
  );
}
