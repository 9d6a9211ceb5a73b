import { type CaptureRecords, PictureStatus } from '../../protocol/records';
import { sinceReleaseUs } from '../streams/counting/latency';
import type { MachineTime } from './machine-release-clock';

/** Where the bus was away, the record of a frame and its picture come seconds apart. */
const keptFrames = 4096;
/** Both are of one moment, in whole µs. */
const mostOffUs = 100;

/** When a source on another machine released its newest frames, by that machine's own monotonic clock. */
export class ReleasesThere {
  private readonly ns = new Map<number, number>();

  add(frameNumbers: Uint32Array, releaseNs: Float64Array): void {
    for (const [index, frameNumber] of frameNumbers.entries())
      this.ns.set(frameNumber, releaseNs[index] ?? 0);
    keepNewest(this.ns);
  }

  nsOf(frameNumber: number): number | undefined {
    return this.ns.get(frameNumber);
  }
}

/**
 * Whether the wall offset that a machine gave is the one by which its sources write release times. It stands between the release time in a
 * picture and that in the source's record of the same frame; a false one would be in each latency.
 */
export class ReleaseWitness {
  /** Why no latency of its frames is known; null: all that was compared fits. */
  misfit: string | null = null;
  /** Release times in pictures whose records have not come, by their numbers. */
  private readonly waiting = new Map<number, number>();

  constructor(
    private readonly sender: Pick<MachineTime, 'name' | 'wallOffsetUs'>,
    private readonly releases: ReleasesThere,
  ) {}

  /** @param sourceId of the sender's pictures, in their code */
  add({ frameNumber, releaseTimeUs, sourceId, status }: CaptureRecords, ofSource: number): void {
    if (this.misfit !== null) return;
    for (const [number, timeUs] of this.waiting)
      if (this.compare(number, timeUs)) this.waiting.delete(number);
    for (const [index, number] of frameNumber.entries()) {
      // What is wrong with the others may be their time.
      if (sourceId[index] !== ofSource || status[index] !== PictureStatus.Good) continue;
      const timeUs = releaseTimeUs[index] ?? 0;
      if (!this.compare(number, timeUs)) this.waiting.set(number, timeUs);
    }
    keepNewest(this.waiting);
  }

  /** False: its record has not come. */
  private compare(frameNumber: number, timeUs: number): boolean {
    const releaseNs = this.releases.nsOf(frameNumber);
    if (releaseNs === undefined) return false;
    const { name, wallOffsetUs } = this.sender;
    const offUs = sinceReleaseUs(releaseNs / 1000 + wallOffsetUs, timeUs);
    if (Math.abs(offUs) > mostOffUs)
      this.misfit ??= `${name} gave wallOffsetUs ${wallOffsetUs}: by it, the release times in its pictures differ from those in its records by ${(Math.abs(offUs) / 1000).toFixed(1)} ms`;
    return true;
  }
}

function keepNewest(kept: Map<number, number>): void {
  for (const number of kept.keys()) {
    if (kept.size <= keptFrames) return;
    kept.delete(number);
  }
}
