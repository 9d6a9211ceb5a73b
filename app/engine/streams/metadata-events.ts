import { RisingCount } from './rising-count';
import type { Stream } from './stream';
import type { NoteEvent } from './stream-hosts';

/** Where metadata frames are dropped, and why. */
const ends = {
  sender: 'the sender could not send: the transport’s send call held it up',
  receiver: 'the receiver did not take: they came faster, or were larger, than it keeps',
} as const;

type End = keyof typeof ends;

/** Turns metadata frames that were dropped into events of the run. */
export class MetadataEvents {
  /** By the stream's id: a sender that is started again goes on in the same place. */
  private readonly counts = new Map<number, Record<End, RisingCount>>();

  constructor(private readonly noteEvent: NoteEvent) {}

  look(stream: Stream, nowNs: number): void {
    this.report(stream, (count, dropped) => count.take(dropped, nowNs));
  }

  /** Reports what was not reported yet of a stream that was removed. */
  end(stream: Stream): void {
    this.report(stream, (count, dropped) => count.takeRest(dropped));
    this.counts.delete(stream.id);
  }

  private report(stream: Stream, take: (count: RisingCount, dropped: number) => number): void {
    const counts = this.counts.get(stream.id) ?? { sender: new RisingCount(), receiver: new RisingCount() };
    this.counts.set(stream.id, counts);
    const dropped = {
      sender: stream.senderMetadataDropped,
      receiver: stream.receiver?.metadataDropped ?? 0,
    };
    for (const end of Object.keys(ends) as End[]) {
      const frames = take(counts[end], dropped[end]);
      if (frames === 0) continue;
      const many = frames === 1 ? '1 metadata frame' : `${frames} metadata frames`;
      const text = `${stream.name}: ${many} dropped that ${ends[end]}`;
      this.noteEvent('metadata-dropped', text, { end, frames, dropped: dropped[end] }, stream.id);
    }
  }
}
