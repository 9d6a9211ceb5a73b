import type { StreamView } from '../../app/protocol/console';
import { texts } from '../texts';
import { Figure, markOf, Name, Preview, Remove, Standing, type StreamProps } from './stream-parts';
import styles from './stream-row.module.css';
import { lostOf, mainFiguresOf, notSentOf, type StripFigure } from './strip-figures';

const { columns } = texts.streams;

/** Each row has the same: the bitrate is only known of a stream that is alone. */
function figuresOf(stream: StreamView): StripFigure[] {
  return [lostOf(stream), notSentOf(stream), ...mainFiguresOf({ ...stream, bitrateMbps: null })];
}

/** The headings of all rows. */
export function RowHeads({ stream }: { stream: StreamView }) {
  return (
    <div className={styles.heads} aria-hidden="true">
      <span className={styles.nameHead}>{columns.name}</span>
      {figuresOf(stream).map(({ key, heading, unit, help }) => (
        <span key={key} title={help}>
          {heading} {unit}
        </span>
      ))}
      <span className={styles.stateHead}>{columns.state}</span>
    </div>
  );
}

/** One of a dozen streams, on one line. */
export function StreamRow({ stream, canRemove, isEnded = false }: StreamProps) {
  return (
    <article className={styles.row} {...markOf(stream, isEnded)}>
      <Preview stream={stream} isEnded={isEnded} />
      <Name stream={stream} isShort opens={!isEnded} />
      <dl className={styles.figures}>
        {figuresOf(stream).map((figure) => (
          <Figure key={figure.key} figure={figure} />
        ))}
      </dl>
      <Standing stream={stream} isEnded={isEnded} isShort />
      {!isEnded && <Remove streamId={stream.id} canRemove={canRemove} />}
    </article>
  );
}
