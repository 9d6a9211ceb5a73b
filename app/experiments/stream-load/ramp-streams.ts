import type { StreamsContext } from '../../engine/experiment/experiment';
import { warmUp } from '../../engine/experiment/held-row';
import type { ActiveSource, Stream } from '../../engine/streams/stream';
import type { SourceSettings } from '../../protocol/source-spec';
import type { StreamLoadParameters } from './declaration';
import { playedSources, sourcesEach } from './sources';

/** The sources and the streams of a ramp, as many as it wants at the moment. */
export class RampStreams {
  private readonly played: SourceSettings[];
  private readonly hasSourcesEach: boolean;
  /** Shared: one for each that is played. Each: one for each stream, and the first before there is one. */
  private readonly sources: ActiveSource[] = [];
  private changedNs = 0;

  constructor(
    private readonly parameters: StreamLoadParameters,
    private readonly context: StreamsContext,
  ) {
    this.played = playedSources(parameters);
    this.hasSourcesEach = sourcesEach(parameters);
  }

  /** What plays without a stream: all shared sources, or the first stream's. */
  async open(): Promise<void> {
    const first = this.hasSourcesEach ? 1 : this.played.length;
    while (this.sources.length < first && !this.context.signal.aborted) await this.openSource();
  }

  /** The stream that was added last. */
  get newest(): Stream | null {
    const { streams } = this.context.streams.set;
    return streams[streams.length - 1] ?? null;
  }

  /** Adds streams, or removes the newest ones, until there are `count`. An abort leaves the streams as they are. */
  async bring(count: number): Promise<void> {
    const { clock, signal } = this.context;
    const { set } = this.context.streams;
    const { name, audio } = this.parameters;
    while (set.streams.length < count && !signal.aborted) {
      const source = await this.sourceOf(set.streams.length);
      if (signal.aborted) return;
      await set.addStream(name, { audio, source });
    }
    while (set.streams.length > count && this.newest && !signal.aborted) {
      await set.removeStream(this.newest);
      this.changedNs = clock.monotonicNs();
      if (this.hasSourcesEach && this.sources.length > Math.max(1, count)) await this.closeSource();
    }
  }

  /**
   * Waits until every stream is over its warm-up, those that a new stream host started again included, and as long after
   * streams were removed. False: one of them showed no frame in time.
   */
  warmUp(onConnected: () => void): Promise<boolean> {
    const { changedNs } = this;
    return warmUp(this.context, this.parameters.warmUpSeconds, { changedNs, onConnected });
  }

  private async sourceOf(position: number): Promise<ActiveSource | undefined> {
    if (!this.hasSourcesEach) return this.sources[position % this.sources.length];
    return this.sources[position] ?? this.openSource();
  }

  private async openSource(): Promise<ActiveSource> {
    const position = this.sources.length;
    const settings = this.played[position % this.played.length] as SourceSettings;
    const source = await this.context.streams.set.openSource(settings, {
      signal: this.context.signal,
      beside: position > 0,
      ownProcess: this.parameters.processes === 'each',
    });
    this.sources.push(source);
    return source;
  }

  private async closeSource(): Promise<void> {
    const source = this.sources.pop();
    if (source) await this.context.streams.set.closeSource(source);
  }
}
