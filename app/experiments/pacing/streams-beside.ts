import type { ContextWith } from '../../engine/experiment/experiment';
import { warmUp } from '../../engine/experiment/held-row';
import type { RowMeter } from '../../engine/streams/rows/row-meter';
import { numberOf } from '../../facts/row-figures';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { SourceSettings } from '../../protocol/source-spec';
import type { PacingParameters } from './declaration';
import { type OpenPath, pathKindOf } from './path';

const warmUpSeconds = 2;
const namePrefix = 'Whiteline pacing';

/** What ran beside the packets of one row. */
export interface Beside {
  streams: number;
  /** All of them showed pictures before the first packet, and no process of theirs died. */
  ran: boolean;
  /** Null without a stream. */
  frames: { received: number | null; missing: number | null } | null;
  /** What the path carried, packets included. */
  pathMbps: number;
}

/** What the streams beside the packets play; null: there are none. */
export function besideSource({ beside, source, format }: PacingParameters): SourceSettings | null {
  return beside === 'nothing' ? null : { source, format, pixelFormat: 'uyvy' };
}

/** @throws WhitelineError BAD_INPUT if streams of this machine would not take the way of the packets */
export function checkBeside(parameters: PacingParameters): void {
  if (parameters.beside === 'nothing') return;
  const kind = pathKindOf(parameters);
  if (kind === 'own' || kind === 'loopback') return;
  const ways = {
    listen: 'packets of another sender',
    interfaces: 'packets between two interfaces that are named',
    machines: 'packets between machines of the fleet',
  };
  const way = ways[kind];
  const remedy =
    kind !== 'interfaces'
      ? 'Leave out `beside`'
      : 'Leave `interface` out: streams of one machine would go over its loopback, not between these';
  throw badInput('beside', `nothing beside ${way}`, parameters.beside, remedy);
}

/** NDI streams that share the path of the packets, as many as a row sets. */
export class StreamsBeside {
  private constructor(
    private readonly context: ContextWith<'streams'>,
    private readonly path: OpenPath,
  ) {}

  /** @throws WhitelineError of the stream hosts, or if this application starts none in a namespace */
  static async open(
    context: ContextWith<'streams'>,
    settings: SourceSettings,
    path: OpenPath,
  ): Promise<StreamsBeside> {
    const { set } = context.streams;
    const beside = new StreamsBeside(context, path);
    if (!path.streamHosts) return beside.play(settings);
    try {
      const { transportProblem } = await set.restart(path.streamHosts);
      if (transportProblem) throw new WhitelineError(transportProblem);
      return await beside.play(settings);
    } catch (error) {
      await beside.close();
      throw error;
    }
  }

  /** Opens or closes streams until `count` run. */
  async become(count: number): Promise<void> {
    const { set } = this.context.streams;
    while (set.streams.length < count && !this.context.signal.aborted) await set.addStream(namePrefix);
    for (const stream of set.streams.slice(count)) await set.removeStream(stream);
  }

  /** Waits until all run. Gives a function that reports what they did since. */
  async begin(): Promise<() => Promise<Beside>> {
    const { clock } = this.context;
    const { set, meterBeside } = this.context.streams;
    const { streams } = set;
    const ran = await warmUp(this.context, warmUpSeconds);
    const deathsBefore = set.deaths;
    const fromNs = clock.monotonicNs();
    const bytesBefore = this.path.carriedBytes();
    const meter = streams.length > 0 ? meterBeside([...streams], fromNs) : null;
    return async () => {
      const toNs = clock.monotonicNs();
      const carried = this.path.carriedBytes() - bytesBefore;
      const died = set.deaths > deathsBefore;
      return {
        streams: streams.length,
        ran: ran && !died,
        frames: meter && (await framesOf(meter, toNs)),
        pathMbps: (carried * 8e3) / (toNs - fromNs),
      };
    };
  }

  /** Hosts return to where they were. In ours, the runner closes streams and source with the capability. */
  async close(): Promise<void> {
    if (!this.path.streamHosts) return;
    const { set } = this.context.streams;
    await set.removeAll().finally(() => set.closeSource());
    await set.restart();
  }

  private async play(settings: SourceSettings): Promise<StreamsBeside> {
    await this.context.streams.set.openSource(settings, { signal: this.context.signal });
    return this;
  }
}

async function framesOf(meter: RowMeter, toNs: number): Promise<Beside['frames']> {
  const row = await meter.close(toNs);
  const [dropped, missed] = [numberOf(row, 'framesDropped'), numberOf(row, 'framesSenderMissed')];
  return {
    received: numberOf(row, 'framesReceived'),
    missing: dropped === null || missed === null ? null : dropped + missed,
  };
}
