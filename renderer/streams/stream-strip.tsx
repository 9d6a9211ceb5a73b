import { TimelineButton } from '../timeline/timeline-button';
import {
  countedIn,
  Figure,
  markOf,
  Name,
  PictureNote,
  Preview,
  Remove,
  Rename,
  Standing,
  type StreamProps,
} from './stream-parts';
import styles from './stream-strip.module.css';
import { detailsOf, lostOf, mainFiguresOf, notSentOf } from './strip-figures';
import { notesOf } from './strip-notes';

/** One of few streams: its picture, the large figures, and what there is to say of it. */
export function StreamStrip({
  stream,
  canRemove,
  isEnded = false,
  showsDetails,
}: StreamProps & { showsDetails: boolean }) {
  const counted = countedIn(stream);
  return (
    <article className={styles.strip} data-details={showsDetails || undefined} {...markOf(stream, isEnded)}>
      <Preview stream={stream} isEnded={isEnded} />
      <Name stream={stream}>{canRemove && !isEnded && <Rename streamId={stream.id} />}</Name>
      <div className={styles.measures}>
        <dl className={styles.losses}>
          <Figure figure={lostOf(stream)} isLarge />
          <Figure figure={notSentOf(stream)} isLarge />
        </dl>
        <dl className={styles.figures}>
          {mainFiguresOf(stream).map((figure) => (
            <Figure key={figure.key} figure={figure} />
          ))}
        </dl>
      </div>
      <Standing stream={stream} isEnded={isEnded}>
        {!isEnded && <TimelineButton streamId={stream.id} />}
      </Standing>
      {!isEnded && <Remove streamId={stream.id} canRemove={canRemove} />}
      {showsDetails && (
        <dl className={styles.counts}>
          {detailsOf(stream).map(({ key, heading, unit, help, text }) => (
            <div key={key} className={styles.count} title={`${help}${counted}`}>
              <dt>{heading}</dt>
              <dd>
                <span data-metric={key}>{text}</span> {unit}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.notes}>
        {stream.receivedOn !== null && !isEnded && (
          <PictureNote className={styles.note} streamId={stream.id} machine={stream.receivedOn} />
        )}
        {notesOf(stream, isEnded).map(({ kind, lead, text, help }) => (
          <p
            key={kind}
            className={styles.note}
            title={help ?? `${lead} ${text}`}
            data-kind={kind}
            data-testid={`stream-${kind}`}
          >
            <b>{lead}</b> {text}
          </p>
        ))}
      </div>
    </article>
  );
}
