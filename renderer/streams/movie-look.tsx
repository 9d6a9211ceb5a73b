import type { MovieFigures } from '../../app/protocol/console';
import { durationText } from '../../app/protocol/duration';
import { figure } from '../format';
import { texts } from '../texts';
import styles from './panel.module.css';
import { SourceRemarks } from './source-remarks';

interface Props {
  /** Null: it is no movie. */
  movie: MovieFigures | null;
  remarks: readonly string[];
}

/** What a movie is, and what is particular about how it would be played. */
export function MovieLook({ movie, remarks }: Props) {
  return (
    <>
      {movie && (
        <p className={styles.hint} data-testid="movie-format">
          {figuresText(movie)}
        </p>
      )}
      <SourceRemarks remarks={remarks} />
    </>
  );
}

function figuresText({ width, height, framesPerSecond, codec, durationSeconds }: MovieFigures): string {
  const rate = figure(framesPerSecond, Number.isInteger(framesPerSecond) ? 0 : 2);
  const length = durationSeconds === null ? texts.source.lengthUnknown : durationText(durationSeconds);
  return [texts.streams.format(width, height, rate), codec, length].join(' · ');
}
