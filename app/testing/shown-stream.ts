import type { Stream } from '../engine/streams/stream';
import type { StreamViews } from '../engine/streams/stream-view';
import type { LoadSample } from '../protocol/load';
import { MissCause } from '../protocol/records';
import { range } from './columns';
import { loadSample } from './load-sample';
import { frameNs, TestStream } from './test-stream';

/** A stream that is shown four times a second, from its first frame to one that is given. */
export class ShownStream {
  readonly stream: Stream;
  private next = 0;

  constructor(
    private readonly views: StreamViews,
    readonly test = new TestStream(),
    private readonly sampleOf: (atNs: number) => Partial<LoadSample> | null = () => ({}),
    private readonly beside: readonly Stream[] = [],
  ) {
    this.stream = test.stream();
  }

  /** Up to this frame, without those that get lost. */
  run(last: number, lost: readonly number[] = []) {
    let view = this.look();
    while (this.next <= last) {
      const to = Math.min(last, this.next + 14);
      this.test.send(this.next, to);
      this.test.receive(this.next, to, [...lost]);
      this.next = to + 1;
      view = this.look();
    }
    return view;
  }

  /** Sends on up to this frame, but for those that the sender misses. */
  miss(last: number, missed: number[], cause: number = MissCause.SenderLate): void {
    this.test.send(this.next, last, { missed, cause });
    this.test.receive(this.next, last, missed);
    this.next = last + 1;
  }

  /** Sends `count` more frames, without those that get lost. */
  sendOn(count: number, lost: readonly number[] = []): void {
    const last = this.next + count - 1;
    this.test.send(this.next, last);
    this.test.receive(this.next, last, [...lost]);
    this.next = last + 1;
  }

  /** Sends on up to this frame, and each of them comes torn or damaged. */
  spoil(last: number, status: number): void {
    this.test.send(this.next, last);
    for (const slot of range(this.next, last)) this.test.capture(slot, { status });
    this.next = last + 1;
  }

  /** What a test has sent itself ends before this frame. */
  skipTo(next: number): void {
    this.next = next;
  }

  look(cpuPercent?: number, behindNs = 3e6) {
    const nowNs = frameNs(this.next) + behindNs;
    const sample = this.sampleOf(nowNs);
    if (sample)
      this.views.noteLoad(
        loadSample({ atNs: nowNs, ...sample, ...(cpuPercent !== undefined && { cpuPercent }) }),
      );
    const [view] = this.views.views([this.stream, ...this.beside], nowNs);
    if (!view) throw new Error('no view');
    return view;
  }
}
