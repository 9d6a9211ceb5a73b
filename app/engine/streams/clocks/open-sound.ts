import { RunningQuantile } from '../../load/running-quantile';
import type { CaptureCounter } from '../counting/capture-counter';
import type { StreamLedger } from '../counting/stream-ledger';
import type { AudioOffset, SoundFigures } from './audio-offset';

/** Sound that is older than this is settled: no more of it arrives. */
const settledSeconds = 10;

/** Sound against picture over a range that grows. */
export interface OpenSoundFigures extends SoundFigures {
  /** The newest offset among the slots that are not settled yet. */
  newestOffsetMs: number | null;
}

/**
 * Sound against picture over a range that grows: a look costs the same however long the range is. What is older than
 * `settledSlots` is counted once.
 */
export class OpenSound {
  private readonly offsetsMs = new RunningQuantile(0.5);
  private missing = 0;
  private next: number;

  constructor(
    private readonly audio: AudioOffset,
    first: number,
    private readonly settledSlots: number,
  ) {
    this.next = first;
  }

  /** From the first slot to `last`; see `AudioOffset.over`. */
  to(last: number, wasSubmitted: (slot: number) => boolean): OpenSoundFigures | null {
    const { audio } = this;
    const settleTo = last - this.settledSlots;
    if (settleTo >= this.next) {
      this.missing += audio.blocksMissing(this.next, settleTo, wasSubmitted) ?? 0;
      for (const offsetMs of audio.offsetsMs(this.next, settleTo)) this.offsetsMs.add(offsetMs);
      this.next = settleTo + 1;
    }
    const newest = audio.over(this.next, last, wasSubmitted);
    if (!newest) return null;
    return {
      offsetMs: this.offsetsMs.value ?? newest.offsetMs,
      newestOffsetMs: newest.offsetMs,
      blocksMissing: newest.blocksMissing === null ? null : this.missing + newest.blocksMissing,
    };
  }
}

/** Sound of an open range of a stream, up to a slot. */
export function soundTo(
  last: number,
  { audio, ledger, counter }: { audio: AudioOffset; ledger: StreamLedger; counter: CaptureCounter },
): OpenSoundFigures | null {
  const settledSlots = Math.ceil((settledSeconds * 1e9) / ledger.times.periodNs);
  counter.sound ??= new OpenSound(audio, counter.first, settledSlots);
  return counter.sound.to(last, (slot) => ledger.wasSubmitted(slot));
}
