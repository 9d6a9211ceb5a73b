import { type CaptureRecords, PictureStatus } from '../../protocol/records';

/** Tells a picture that the receiver got before from a new one: by its number, or without a code by the time that its sender gave it. */
export class PictureRepeats {
  private sourceId = -1;
  private frameNumber = -1;
  private timestampUs = Number.NaN;

  /** Whether it is the newest picture of its kind once more. Pictures come in their order. */
  isRepeat(captures: CaptureRecords, index: number): boolean {
    if (captures.status[index] === PictureStatus.Undecodable) {
      const timestampUs = captures.timestampUs[index] ?? Number.NaN;
      // Without a timestamp nothing is known: it never equals itself.
      const isSame = timestampUs === this.timestampUs;
      this.timestampUs = timestampUs;
      return isSame;
    }
    const sourceId = captures.sourceId[index] ?? 0;
    const frameNumber = captures.frameNumber[index] ?? 0;
    const isSame = sourceId === this.sourceId && frameNumber === this.frameNumber;
    this.sourceId = sourceId;
    this.frameNumber = frameNumber;
    return isSame;
  }
}
