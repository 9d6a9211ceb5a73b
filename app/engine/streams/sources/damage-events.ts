import { RisingCount } from '../rising-count';
import type { ActiveSource } from '../stream';
import type { NoteEvent } from '../stream-hosts';

/** Turns damaged pictures of a movie, which recur in each loop, into events of the run. */
export class DamageEvents {
  private readonly counts = new WeakMap<ActiveSource, RisingCount>();

  constructor(private readonly noteEvent: NoteEvent) {}

  look(source: ActiveSource, nowNs: number): void {
    this.report(source, this.countOf(source).take(source.status?.damagedPictures ?? 0, nowNs));
  }

  /** Reports what was not reported yet of a source that is closed. */
  end(source: ActiveSource): void {
    this.report(source, this.countOf(source).takeRest(source.status?.damagedPictures ?? 0));
  }

  private report({ id, text: source, status }: ActiveSource, pictures: number): void {
    if (!status || pictures === 0) return;
    const often = pictures === 1 ? '' : ` (${pictures} damaged pictures)`;
    const text = `${status.damage}: the last good picture was shown instead${often}`;
    const details = { sourceId: id, source, pictures, damagedPictures: status.damagedPictures };
    this.noteEvent('source-damaged', text, details);
  }

  private countOf(source: ActiveSource): RisingCount {
    const count = this.counts.get(source) ?? new RisingCount();
    this.counts.set(source, count);
    return count;
  }
}
