import type { EngineState, StreamView } from '../../app/protocol/console';

export const lineSeconds = 60;
/** Of a second in which losses were not measured. */
export const unknown = -1;

type Counted = Pick<StreamView, 'id' | 'countedTo' | 'lostTotal' | 'framesInOutages'>;

/** What one stream lost in each of the last 60 seconds that were counted, as a ring that is filled in place. */
export class LossLine {
  private readonly frames = new Float64Array(lineSeconds).fill(unknown);
  private newestSecond = Number.NaN;
  /** The most that it had lost so far: an estimate may also fall. */
  private counted = Number.NaN;
  /** Rises when there is something else to draw. */
  revision = 0;

  add({ countedTo, lostTotal, framesInOutages }: Counted): void {
    if (countedTo === null) return;
    const second = Math.floor(Date.parse(countedTo) / 1000);
    if (!(second < this.newestSecond)) this.moveTo(second);
    if (lostTotal === null && framesInOutages === null) return;
    const lost = (lostTotal ?? 0) + (framesInOutages ?? 0);
    const place = this.newestSecond % lineSeconds;
    const known = this.frames[place] ?? unknown;
    const rise = Number.isNaN(this.counted) ? 0 : Math.max(0, lost - this.counted);
    if (known === unknown || rise > 0) {
      this.frames[place] = Math.max(0, known) + rise;
      this.revision += 1;
    }
    this.counted = Number.isNaN(this.counted) ? lost : Math.max(this.counted, lost);
  }

  /** Frames of a second, the oldest first; `unknown`: they were not measured. */
  at(index: number): number {
    if (Number.isNaN(this.newestSecond)) return unknown;
    return this.frames[(this.newestSecond + 1 + index) % lineSeconds] ?? unknown;
  }

  /** Of all its seconds; null: none was measured. */
  get sum(): number | null {
    let sum: number | null = null;
    for (const frames of this.frames) if (frames !== unknown) sum = (sum ?? 0) + frames;
    return sum;
  }

  private moveTo(second: number): void {
    if (second === this.newestSecond) return;
    const passed = second - this.newestSecond;
    if (passed < lineSeconds)
      for (let each = this.newestSecond + 1; each <= second; each++)
        this.frames[each % lineSeconds] = unknown;
    else this.frames.fill(unknown);
    this.newestSecond = second;
    this.revision += 1;
  }
}

/** The lines of all streams of the newest run. Outside React: who draws one listens. */
export class LossLines {
  private readonly lines = new Map<number, LossLine>();
  private readonly listeners = new Set<() => void>();
  private run = '';

  note({ run, streams }: Pick<EngineState, 'run' | 'streams'>): void {
    if (run && run.id !== this.run) {
      this.run = run.id;
      this.lines.clear();
    }
    for (const stream of streams) this.of(stream.id).add(stream);
    for (const listener of this.listeners) listener();
  }

  of(streamId: number): LossLine {
    const known = this.lines.get(streamId);
    if (known) return known;
    const line = new LossLine();
    this.lines.set(streamId, line);
    return line;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
