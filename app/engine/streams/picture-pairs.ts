import type { Clock } from '../../protocol/clock';
import type { HostCommand } from '../../protocol/host';
import type { KeepPictures, KeptPictures } from '../../protocol/records';

/** One end of a stream: the host that it lives in, and its number there. */
export interface StreamEnd {
  streamId: number;
  request(command: HostCommand): Promise<unknown>;
}

export interface LeftOut {
  frame: number;
  why: string;
}

export interface KeptPairs {
  folder: string;
  /** Frames whose pictures lie in the folder, as sent and as received. */
  frames: number[];
  leftOut: LeftOut[];
}

const pollMs = 50;
/** Writing what was copied takes no longer, or the disk hangs. */
const patienceMs = 10_000;

/** Pictures of chosen frames, kept as files at both ends of a stream until this is closed. */
export class PicturePairs {
  private constructor(
    private readonly clock: Clock,
    private readonly options: KeepPictures,
    private readonly sender: StreamEnd,
    private readonly receiver: StreamEnd,
  ) {}

  static async open(
    clock: Clock,
    options: KeepPictures,
    sender: StreamEnd,
    receiver: StreamEnd,
  ): Promise<PicturePairs> {
    const pairs = new PicturePairs(clock, options, sender, receiver);
    await Promise.all([keep(receiver, options), keep(sender, options)]);
    return pairs;
  }

  /** What there is once nothing waits to be written any more. To be asked after the last of the frames has arrived. */
  async settled(signal?: AbortSignal): Promise<KeptPairs> {
    const [sent, received] = await Promise.all([
      settledEnd(this.clock, this.sender, signal),
      settledEnd(this.clock, this.receiver, signal),
    ]);
    const { folder, frames } = this.options;
    const leftOut = frames.flatMap((frame): LeftOut[] => {
      const why = missing(sent, frame, 'sent') ?? missing(received, frame, 'received');
      return why === null ? [] : [{ frame, why }];
    });
    const lost = new Set(leftOut.map(({ frame }) => frame));
    return { folder, frames: frames.filter((frame) => !lost.has(frame)), leftOut };
  }

  /** Removes the files; those of a host that has died stay. */
  async close(): Promise<void> {
    await Promise.all([this.sender, this.receiver].map((end) => keep(end, null).catch(() => undefined)));
  }
}

function keep({ streamId, request }: StreamEnd, options: KeepPictures | null): Promise<unknown> {
  return request({ name: 'keepPictures', streamId, options });
}

async function settledEnd(
  clock: Clock,
  { streamId, request }: StreamEnd,
  signal?: AbortSignal,
): Promise<KeptPictures | null> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const kept = (await request({ name: 'keptPictures', streamId })) as KeptPictures | null;
    if (!kept || kept.waiting === 0 || signal?.aborted || waitedMs >= patienceMs) return kept;
    await clock.sleep(pollMs, signal);
  }
}

/** Null if the picture is there. */
function missing(kept: KeptPictures | null, frame: number, verb: string): string | null {
  if (kept?.written.includes(frame)) return null;
  return kept?.skipped.find((skipped) => skipped.frame === frame)?.why ?? `it was not ${verb}, or not whole`;
}
