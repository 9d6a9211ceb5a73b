import { lostFramesOf } from '../protocol/lost-frames';
import { type Verdict, worseVerdict } from '../protocol/verdict';
import type { Row, StreamRow } from '../protocol/version-1/row';
import { frames } from './streams/losses/texts';
import { othersTexts } from './streams/rows/deciding-row';

type Judged = Pick<Row, 'verdict'>;

/** The verdict of a run that lasts until it is stopped: that of its worst row. Its rows may be many, so none is kept. */
export class RowsVerdict {
  rows = 0;
  /** Most streams of a row. */
  streams = 0;
  verdict: Verdict = 'PASS';
  private decided: { streams: number; reason: string; judged: Judged } | null = null;
  private late: { streams: number; reason: string } | null = null;
  private readonly notPassed: Judged[] = [];
  private lost = 0;
  private missed = 0;
  private estimated = 0;
  private outageSeconds = 0;
  private outages = 0;
  /** Streams whose outage was not over at the end of the row before: it goes on. */
  private out = new Set<number>();

  add(row: Row): void {
    const { streams, reason, verdict } = row;
    this.rows += 1;
    this.streams = Math.max(this.streams, streams);
    for (const stream of row.perStream) this.addLosses(stream);
    this.addOutages(row);
    if ((row.framesLateSource ?? 0) > 0) this.late ??= { streams, reason };
    if (verdict === 'PASS') return;
    const judged = { verdict };
    this.notPassed.push(judged);
    const isWorse = verdict !== this.verdict && worseVerdict(verdict, this.verdict) === verdict;
    if (isWorse) this.decided = { streams, reason, judged };
    this.verdict = worseVerdict(this.verdict, verdict);
  }

  /** The reason of the row that decided, and what was lost in all. `clean`: where there is nothing to say. */
  reason(clean: string): string {
    const { decided, late } = this;
    if (!decided) return late ? withStreams(late) : clean;
    const others = othersTexts(this.notPassed, decided.judged);
    return [withStreams(decided), ...others, ...this.totals()].join('; ');
  }

  private addLosses(stream: StreamRow): void {
    this.lost += lostFramesOf(stream) ?? stream.framesMissing ?? 0;
    this.missed += stream.framesSenderMissed ?? 0;
  }

  private addOutages(row: Row): void {
    const out = new Set<number>();
    for (const { streamId, outages = [] } of row.perStream) {
      for (const { startedAt, endedAt, seconds, framesEstimated } of outages) {
        const goesOn = this.out.has(streamId) && startedAt < row.startedAt;
        if (!goesOn) this.outages += 1;
        this.outageSeconds += seconds;
        this.estimated += framesEstimated ?? 0;
        if (endedAt === null) out.add(streamId);
      }
    }
    this.out = out;
  }

  private totals(): string[] {
    const { lost, missed, estimated, outageSeconds, outages } = this;
    const parts: string[] = [];
    if (lost > 0) parts.push(`${frames(lost)} lost`);
    if (missed > 0) parts.push(`${frames(missed)} missed by the sender`);
    if (outages > 0) {
      const many = outages === 1 ? '1 outage' : `${outages} outages`;
      const cost = estimated > 0 ? `, about ${frames(estimated)} (an estimate)` : '';
      parts.push(`${many} of ${outageSeconds.toFixed(1)} s${cost}`);
    }
    return parts.length > 0 ? [`in all ${parts.join(', ')}`] : [];
  }
}

/** Row 0 has no stream, and its reason says so. */
function withStreams({ streams, reason }: { streams: number; reason: string }): string {
  if (streams === 0) return reason;
  return `with ${streams === 1 ? '1 stream' : `${streams} streams`}: ${reason}`;
}
