import { lengthText } from '../../facts/count-words';
import { lostFramesOf } from '../../facts/lost-frames';
import type { StreamSubject, StreamsRow } from '../../facts/stream-row';
import { durationText } from '../../protocol/duration';
import { isCleanStream } from '../streams/rows/clean-row';
import type { NoteEvent } from '../streams/stream-hosts';

interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * The longest time of a run in which no frame of any stream was lost or not sent, by the rows that were closed: all of their time
 * counts, and each loss ends it when it began. Rows that join make one time. A row in which a stream was not counted has none.
 */
export class CleanRows {
  private longest: Span | null = null;
  /** The clean time at the end of the newest row, which the next one may continue. */
  private newest: Span | null = null;

  add({ from, to, subjects }: Pick<StreamsRow, 'from' | 'to' | 'subjects'>): void {
    const row = { fromMs: Date.parse(from), toMs: Date.parse(to) };
    const isCounted = subjects.length > 0 && subjects.every((stream) => lostFramesOf(stream) !== null);
    const losses = isCounted ? subjects.flatMap((stream) => lossesOf(stream, row)) : [row];
    let fromMs = this.newest?.toMs === row.fromMs ? this.newest.fromMs : row.fromMs;
    for (const loss of losses.sort((one, other) => one.fromMs - other.fromMs)) {
      this.see({ fromMs, toMs: Math.min(loss.fromMs, row.toMs) });
      fromMs = Math.max(fromMs, loss.toMs);
    }
    this.newest = fromMs < row.toMs ? { fromMs, toMs: row.toMs } : null;
    if (this.newest) this.see(this.newest);
  }

  /** Records it at the end of the run; nothing if no time was clean. */
  note(noteEvent: NoteEvent): void {
    if (!this.longest) return;
    const { fromMs, toMs } = this.longest;
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    const seconds = (toMs - fromMs) / 1000;
    const length = seconds < 60 ? lengthText(seconds) : durationText(Math.floor(seconds));
    const text = `Longest time without a frame lost or missed: ${length}, from ${from.slice(11, 23)} to ${to.slice(11, 23)} UTC`;
    noteEvent('clean-time', text, { seconds, from, to });
  }

  private see(span: Span): void {
    const longestMs = this.longest ? lengthMs(this.longest) : 0;
    if (lengthMs(span) > longestMs) this.longest = span;
  }
}

/** When a stream lost frames, as far as the row says it: only its first losses are listed, and what no list has may be anywhere. */
function lossesOf(stream: StreamSubject, row: Span): Span[] {
  if (isCleanStream(stream)) return [];
  const { figures, losses, outages = [] } = stream;
  const spans = [...losses, ...outages].map(({ startedAt, endedAt }) => ({
    fromMs: Date.parse(startedAt),
    toMs: endedAt === null ? row.toMs : Date.parse(endedAt),
  }));
  const lost = (lostFramesOf(stream) ?? 0) + (figures.framesSenderMissed ?? 0);
  const listed = losses.reduce((sum, { frames }) => sum + frames, 0);
  if (spans.length > 0 && listed >= lost) return spans;
  return [...spans, { fromMs: Math.max(row.fromMs, ...spans.map(({ toMs }) => toMs)), toMs: row.toMs }];
}

function lengthMs({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}
