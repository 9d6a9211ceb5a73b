import type { NoteEvent } from '../living-hosts';
import type { ActiveSource } from '../stream';

interface Reported {
  pictures: number;
  /** Nothing is reported before. */
  untilNs: number;
  pauseNs: number;
}

const firstPauseNs = 1e9;
/** A bad frame comes again with each loop of its movie, for as long as a run is. */
const longestPauseNs = 60e9;

/** Turns damaged pictures of a movie into events of the run: one a second at most, and ever fewer of one movie. */
export class DamageEvents {
  private readonly reported = new WeakMap<ActiveSource, Reported>();

  constructor(private readonly noteEvent: NoteEvent) {}

  look(source: ActiveSource, nowNs: number): void {
    const reported = this.reported.get(source);
    if (!reported || nowNs >= reported.untilNs) this.tell(source, nowNs);
  }

  /** Reports what was not reported yet of a source that is closed. */
  end(source: ActiveSource): void {
    this.tell(source, 0);
  }

  private tell(source: ActiveSource, nowNs: number): void {
    const { id, status } = source;
    const reported = this.reported.get(source);
    const before = reported?.pictures ?? 0;
    if (!status || status.damagedPictures <= before) return;
    const pauseNs = reported ? Math.min(2 * reported.pauseNs, longestPauseNs) : firstPauseNs;
    this.reported.set(source, { pictures: status.damagedPictures, untilNs: nowNs + pauseNs, pauseNs });
    const pictures = status.damagedPictures - before;
    const often = pictures === 1 ? '' : ` (${pictures} damaged pictures)`;
    const text = `${status.damage}: the last good picture was shown instead${often}`;
    const details = { sourceId: id, pictures, damagedPictures: status.damagedPictures };
    this.noteEvent('source-damaged', text, details);
  }
}
