import { frames as framesText } from '../../../facts/count-words';
import type { Loss } from '../../../facts/loss';
import { lossText } from '../../../facts/loss-words';
import type { Stream } from '../stream';
import type { NoteEvent } from '../stream-hosts';
import { isSampled } from './causes';
import { type LossParts, partsText } from './loss-parts';

interface Reported {
  frames: number;
  /** What was lost at the last look, and since when no more. */
  seen: Lost | null;
  seenNs: number;
  /** Nothing is reported before. */
  untilNs: number;
  pauseNs: number;
  /** At the last event. */
  parts: LossParts | null;
}

/** What a stream has lost so far. */
interface Lost {
  /** All frames. */
  frames: number;
  newest: Loss | null;
  /** Null if they are not distinguished. */
  parts(): LossParts | null;
}

/** A loss is reported when it has not grown for so long, or goes on for longer than the other. */
const quietNs = 0.5e9;
const longNs = 2e9;
const firstPauseNs = 1e9;
const longestPauseNs = 60e9;

/** Turns losses into events of the run: one for each, but ever fewer of a stream that keeps losing. */
export class LossEvents {
  private readonly reported = new WeakMap<Stream, Reported>();

  constructor(private readonly noteEvent: NoteEvent) {}

  look(stream: Stream, lost: Lost, nowNs: number): void {
    const { frames, newest, parts } = lost;
    const fresh = {
      frames: 0,
      seen: null,
      seenNs: nowNs,
      untilNs: nowNs,
      pauseNs: firstPauseNs,
      parts: null,
    };
    const reported = this.reported.get(stream) ?? fresh;
    this.reported.set(stream, reported);
    const seenFrames = reported.seen?.frames ?? 0;
    if (frames !== seenFrames) {
      const began = seenFrames === reported.frames;
      if (began) reported.untilNs = Math.max(reported.untilNs, nowNs + quietNs);
      reported.seenNs = nowNs;
    }
    reported.seen = lost;
    const isNews = frames > reported.frames && nowNs >= reported.untilNs;
    const isOver = nowNs - reported.seenNs >= quietNs || nowNs - reported.untilNs >= longNs;
    if (newest && isNews && isOver) this.report(stream, reported, { frames, newest, parts: parts(), nowNs });
  }

  /** The stream ends: reports what was waiting for more losses. */
  end(stream: Stream, nowNs: number): void {
    const reported = this.reported.get(stream);
    const { frames = 0, newest = null, parts } = reported?.seen ?? {};
    if (reported && newest && parts && frames > reported.frames)
      this.report(stream, reported, { frames, newest, parts: parts(), nowNs });
  }

  private report(
    stream: Stream,
    reported: Reported,
    {
      frames,
      newest,
      parts,
      nowNs,
    }: { frames: number; newest: Loss; parts: LossParts | null; nowNs: number },
  ): void {
    const lost = frames - reported.frames;
    const isQuiet = nowNs - reported.untilNs > longestPauseNs;
    reported.pauseNs = isQuiet ? firstPauseNs : Math.min(2 * reported.pauseNs, longestPauseNs);
    reported.untilNs = nowNs + reported.pauseNs;
    reported.frames = frames;
    const text = `${stream.name}: ${eventText(lost, frames, newest, parts ? partsText(parts, reported.parts) : '')}`;
    reported.parts = parts;
    this.noteEvent('frames-lost', text, { frames: lost, lostTotal: frames }, stream.id);
  }
}

/** The newest loss says it all where it is the only one since the last event. */
function eventText(lost: number, total: number, newest: Loss, parts: string): string {
  if (lost === newest.frames) return settledText(newest);
  const since = lost === total ? 'lost' : 'lost since the last event';
  const inAll = lost === total ? '' : ` (${total} in all)`;
  return `${framesText(lost)} ${since}${inAll}${parts && `: ${parts}`}; the newest: ${settledText(newest)}`;
}

/** An event stays as it is written: it names no cause that the row, which is explained when it closes, may not name. */
function settledText({ causes = [], ...loss }: Loss): string {
  const settled = causes.filter((cause) => !isSampled(cause));
  const text = lossText({ ...loss, causes: settled });
  return settled.length < causes.length ? `${text}; the row names the cause when it closes` : text;
}
