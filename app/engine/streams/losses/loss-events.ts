import type { NoteEvent } from '../living-hosts';
import type { Stream } from '../stream';

interface Told {
  frames: number;
  /** Frames lost at the last look, and since when no more. */
  seenFrames: number;
  seenNs: number;
  /** Nothing is reported before. */
  untilNs: number;
  pauseNs: number;
}

/** A loss is reported when it has not grown for so long, or goes on for longer than the other. */
const quietNs = 0.5e9;
const longNs = 2e9;
const firstPauseNs = 1e9;
const longestPauseNs = 60e9;

/** Turns losses into events of the run: one for each, but ever fewer of a stream that keeps losing. */
export class LossEvents {
  private readonly told = new WeakMap<Stream, Told>();

  constructor(private readonly noteEvent: NoteEvent) {}

  /** `frames`: all frames that the stream has lost; `text`: the newest loss in words. */
  look(stream: Stream, frames: number, text: string, nowNs: number): void {
    const fresh = { frames: 0, seenFrames: 0, seenNs: nowNs, untilNs: nowNs, pauseNs: firstPauseNs };
    const told = this.told.get(stream) ?? fresh;
    this.told.set(stream, told);
    const began = told.seenFrames === told.frames;
    if (frames !== told.seenFrames) {
      if (began) told.untilNs = Math.max(told.untilNs, nowNs + quietNs);
      told.seenFrames = frames;
      told.seenNs = nowNs;
    }
    const isNews = frames > told.frames && text !== '' && nowNs >= told.untilNs;
    const isOver = nowNs - told.seenNs >= quietNs || nowNs - told.untilNs >= longNs;
    if (isNews && isOver) this.tell(stream, told, { frames, text, nowNs });
  }

  private tell(
    stream: Stream,
    told: Told,
    { frames, text, nowNs }: { frames: number; text: string; nowNs: number },
  ): void {
    const lost = frames - told.frames;
    const isQuiet = nowNs - told.untilNs > longestPauseNs;
    told.pauseNs = isQuiet ? firstPauseNs : Math.min(2 * told.pauseNs, longestPauseNs);
    told.untilNs = nowNs + told.pauseNs;
    told.frames = frames;
    this.noteEvent('frames-lost', `${stream.name}: ${text}`, { frames: lost, lostTotal: frames }, stream.id);
  }
}
