import { counted, frames } from '../../facts/count-words';
import type { Fact } from '../../facts/fact';
import { knownLostFramesOf } from '../../facts/lost-frames';
import { type ReasonCode, wordsOf } from '../../facts/reason-words';
import type { StreamSubject, StreamsRow } from '../../facts/stream-row';
import { type Verdict, worseVerdict } from '../../facts/verdict';
import { othersTexts } from '../streams/rows/deciding-row';

type Judged = Pick<StreamsRow, 'verdict'>;

const deathCodes: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['process-died', 'process-lost', 'faults-not-put-in'] as const),
]);

/** More are not named: a watch may last for days. */
const mostEnded = 8;

/** What a reason says of processes that died, and of what went with them. */
function deathsIn(reason: readonly Fact[]): string[] {
  return reason.filter(({ code }) => deathCodes.has(code)).map((fact) => wordsOf([fact]));
}

/** The verdict of a run that lasts until it is stopped: that of its worst row. Its rows may be many, so none is kept. */
export class RowsVerdict {
  rows = 0;
  /** Those with streams. */
  private rowsOfStreams = 0;
  /** Most streams of a row. */
  streams = 0;
  verdict: Verdict = 'PASS';
  private decided: (NamedRow & { judged: Judged }) | null = null;
  private late: NamedRow | null = null;
  /** Frames of some stream were followed by their timestamps alone. */
  private hasForeign = false;
  private readonly notPassed: Judged[] = [];
  /** What died, and the index of the first row in which it did. */
  private readonly deaths = new Map<string, number>();
  /** Senders that ended as asked, in words. */
  private readonly ended: string[] = [];
  private lost = 0;
  private missed = 0;
  private estimated = 0;
  private outageSeconds = 0;
  private outages = 0;
  /** Streams whose outage was not over at the end of the row before: it goes on. */
  private out = new Set<string>();

  add(row: StreamsRow): void {
    const { index, verdict } = row;
    const { streams } = row.step;
    const reason = wordsOf(row.reason);
    this.rows += 1;
    if (streams > 0) this.rowsOfStreams += 1;
    this.streams = Math.max(this.streams, streams);
    for (const stream of row.subjects) this.addLosses(stream);
    this.hasForeign ||= row.subjects.some(({ figures }) => figures.method === 'timestamps');
    this.addOutages(row);
    for (const death of deathsIn(row.reason)) if (!this.deaths.has(death)) this.deaths.set(death, index);
    for (const fact of row.reason)
      if (fact.code === 'sender-ended' && this.ended.length < mostEnded) this.ended.push(wordsOf([fact]));
    if ((row.figures.framesLateSource ?? 0) > 0) this.late ??= { index, streams, reason };
    if (verdict === 'PASS') return;
    const judged = { verdict };
    this.notPassed.push(judged);
    const isWorse = verdict !== this.verdict && worseVerdict(verdict, this.verdict) === verdict;
    if (isWorse) this.decided = { index, streams, reason, judged };
    this.verdict = worseVerdict(this.verdict, verdict);
  }

  /**
   * The reason of the row that decided, and what was lost in all. Where there is nothing to say: `what` was measured, and that nothing
   * was lost.
   */
  reason(what: string, nothing = this.hasForeign ? 'no frame missing' : 'no frame lost'): string {
    const { decided, late } = this;
    if (!decided) return late ? named(late) : [`${what}, ${nothing}`, ...this.ended].join('; ');
    const others = othersTexts(this.notPassed, decided.judged);
    // One row of one stream has said it, whatever rows without a stream there are.
    const isSaid = this.rowsOfStreams === 1 && this.streams === 1 && decided.streams === 1;
    const totals = isSaid ? [] : this.totals();
    const ended = this.ended.filter((text) => !decided.reason.includes(text));
    return [named(decided), ...others, ...this.deathsBeside(decided.reason), ...totals, ...ended].join('; ');
  }

  private deathsBeside(reason: string): string[] {
    return [...this.deaths].flatMap(([death, index]) =>
      reason.includes(death) ? [] : [`row ${index}: ${death}`],
    );
  }

  private addLosses(stream: StreamSubject): void {
    this.lost += knownLostFramesOf(stream) ?? 0;
    this.missed += stream.figures.framesSenderMissed ?? 0;
  }

  private addOutages(row: StreamsRow): void {
    const out = new Set<string>();
    for (const { id, outages = [] } of row.subjects) {
      for (const { startedAt, endedAt, seconds, framesEstimated } of outages) {
        const goesOn = this.out.has(id) && startedAt < row.from;
        if (!goesOn) this.outages += 1;
        this.outageSeconds += seconds;
        this.estimated += framesEstimated ?? 0;
        if (endedAt === null) out.add(id);
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
      const seconds = `${outageSeconds.toFixed(1)} s`;
      const many = outages === 1 ? `1 outage of ${seconds}` : `${outages} outages, ${seconds} together`;
      const cost = estimated > 0 ? `, about ${frames(estimated)} (an estimate)` : '';
      parts.push(`${many}${cost}`);
    }
    return parts.length > 0 ? [`all rows: ${parts.join(', ')}`] : [];
  }
}

/** Which row a reason is of. */
interface NamedRow {
  index: number;
  streams: number;
  reason: string;
}

/** The reason of a row without a stream says that it has none. */
function named({ index, streams, reason }: NamedRow): string {
  return `row ${index}${streams === 0 ? '' : ` (${counted(streams, 'stream')})`}: ${reason}`;
}
