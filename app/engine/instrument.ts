import { afterRecordsMs, onBeat } from '../protocol/beat';
import type { Clock } from '../protocol/clock';
import type { StreamView } from '../protocol/console';
import type { HostReady } from '../protocol/host';
import type { LoadSample } from '../protocol/load';
import type { Standstill } from '../protocol/standstill';
import { defaultThresholds, type Thresholds } from '../protocol/thresholds';
import type { KnownLoss, TimelineBlock } from '../protocol/timeline';
import type { TransportSettings } from '../protocol/transports';
import { Helpers } from './capabilities/helper/helpers';
import type { HostApplication, RemoteMachine } from './host-application';
import { MachineStandstills } from './load/machine-standstills';
import { type SampleLoad, sampleMachine } from './load/sample-machine';
import { MachineRecords } from './machines/machine-records';
import { type MachineField, machineIn } from './machines/no-machine';
import type { MeasuredNow } from './measured-now';
import { latencyNow } from './streams/latency-now';
import { lostPerSecond } from './streams/lost-per-second';
import { ndiTransport } from './streams/ndi-candidates';
import { reasons } from './streams/rows/row-reasons';
import type { Stream } from './streams/stream';
import type { NoteEvent } from './streams/stream-hosts';
import { StreamSet } from './streams/stream-set';
import { StreamViews } from './streams/stream-view';
import { type TimelineRange, timelineBlock } from './streams/timeline-block';
import { toolProcessIds } from './tools/run-tool';
import { WallClock, wallStepEvent } from './wall-clock';

/** Processes that work for a run beside its streams and tools, for as long as it asks them something. */
export interface ContentWork {
  processIds(): number[];
  /** Those since the last call. */
  takeStandstills(): Standstill[];
}

export interface InstrumentOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, node_modules, dist. */
  appFolder: string;
  /** What carries the streams; default: NDI. */
  transport?: TransportSettings;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Folder for independent logs of captured numbers; none by default. */
  captureLogFolder?: string;
  /** Sent along the connection, so that a remote watcher can attribute losses. */
  shareRecords?: boolean;
  /** Its senders are received by others. */
  isReceiverRemote?: boolean;
  content?: ContentWork;
  /** By default this machine is sampled; a test makes its load up. */
  sampleLoad?: SampleLoad;
  noteEvent: NoteEvent;
  onSample(sample: LoadSample): void;
  /** Of another machine on which streams of ours run, as a run records it. */
  onMachineSample?(sample: LoadSample): void;
  onChange(): void;
  /** The views of the streams were updated. */
  onView?(): void;
}

/** What every way of measuring works with: the streams of this machine, its load, and the one clock between them. */
export class Instrument {
  /** Of recorded and shown times. */
  readonly wall: WallClock;
  readonly set: StreamSet;
  readonly helpers: Helpers;
  private readonly sampler: ReturnType<SampleLoad>;
  private readonly standstills: MachineStandstills;
  private readonly machines: MachineRecords;
  private readonly stopViews: () => void;
  private views: StreamViews;
  /** The streams as they are shown, renewed four times a second. */
  viewed: StreamView[] = [];
  /** When they were; what is counted beside them is counted up to the same moment. */
  viewedNs = 0;
  private newestSample: LoadSample | null = null;

  constructor(private readonly options: InstrumentOptions) {
    const { application, clock, sampleLoad = sampleMachine } = options;
    this.wall = new WallClock(clock);
    this.standstills = new MachineStandstills({
      clock,
      own: application.watchOwnStandstill(),
      takeContent: () => options.content?.takeStandstills() ?? [],
      toolProcessIds: () => [...toolProcessIds(), ...this.set.commandProcessIds()],
      onProblem: (text) => options.noteEvent('problem', text),
    });
    this.machines = new MachineRecords({
      wall: this.wall,
      streams: () => this.streams.length,
      noteEvent: options.noteEvent,
      onSample: (sample) => options.onMachineSample?.(sample),
    });
    const set = new StreamSet({
      application,
      clock,
      transport: options.transport ?? ndiTransport(options.ndiPath, options.appFolder),
      searchHosts: options.searchHosts,
      // Release times are written by one clock for as long as stream hosts live: no step of the wall clock enters a latency.
      wallOffsetUs: this.wall.offsetUs,
      captureLogFolder: options.captureLogFolder,
      shareRecords: options.shareRecords ?? false,
      noteEvent: options.noteEvent,
      standstills: this.standstills,
      onMachines: (used) => this.machines.follow(used),
      onChange: options.onChange,
    });
    this.set = set;
    this.views = this.newViews(0, defaultThresholds, false);
    this.helpers = new Helpers(clock, options.noteEvent);
    this.sampler = sampleLoad({
      wall: this.wall,
      processIds: () => this.processIdsByRole(),
      traffic: () => ({ sending: set.traffic('sending'), receiving: set.traffic('receiving') }),
      openStreams: () => this.streams.length,
      lostPerSecond: () =>
        options.isReceiverRemote && this.streams.length > 0
          ? { reason: reasons.remoteReceiver }
          : lostPerSecond(this.viewed),
      latency: () => latencyNow(this.streams, clock.monotonicNs()),
      onWallStep: (step) => options.noteEvent('wall-clock-step', ...wallStepEvent(step)),
      onSample: (sample) => {
        this.newestSample = sample;
        this.views.noteLoad(sample);
        set.addLoad(sample);
        options.onSample(sample);
      },
    });
    this.stopViews = onBeat(clock, () => this.view(), { afterMs: afterRecordsMs });
  }

  /** Our own, and those of remote senders. */
  get streams(): Stream[] {
    return [...this.set.streams, ...this.set.followed.streams];
  }

  get now(): MeasuredNow {
    const { views: counting, newestSample: sample, set } = this;
    const { isReceiverRemote = false } = this.options;
    const away = new Set(this.streams.flatMap((stream) => (stream.away() ? [stream.id] : [])));
    const followed = new Set(set.followed.streams.map(({ id }) => id));
    const streams = this.viewed.map((view) => ({
      ...{ view, isFollowed: followed.has(view.id), isAway: away.has(view.id) },
    }));
    return { counting, streams, isReceiverRemote, sample, machines: set.machines };
  }

  /** Of all that is ours: this engine, the windows, the stream hosts. */
  processIds(): number[] {
    return Object.values(this.processIdsByRole()).flat();
  }

  /** Restarts the counts in the views of streams, from the end of each stream's warm-up, and judges them by these thresholds. */
  restartViews(warmUpSeconds: number, thresholds: Thresholds, isSenderRemote = false): void {
    this.views = this.newViews(warmUpSeconds, thresholds, isSenderRemote);
  }

  /** A stream over time, as a window draws it; range null: its newest minute. */
  timeline(stream: Stream, range: TimelineRange | null): TimelineBlock {
    const wallOffsetUs = this.wall.offsetUs;
    const nowNs = this.options.clock.monotonicNs();
    return timelineBlock(stream, this.views.lossesOf(stream), { range, nowNs, wallOffsetUs });
  }

  /** By its key in the timeline. */
  lossOf(stream: Stream, key: string): KnownLoss | null {
    return this.views.lossOf(stream, key);
  }

  start(): Promise<HostReady> {
    return this.set.start();
  }

  /** @throws WhitelineError BAD_INPUT if no agent of this name is connected; LEASE_HELD */
  findMachine(field: MachineField, name: string): Promise<RemoteMachine> {
    return machineIn(this.options.application.fleet, field, name);
  }

  /** Process id of the server of this user's fleet; null: none runs here. */
  get fleetServerId(): number | null {
    return this.options.application.fleet?.serverProcessId() ?? null;
  }

  /** Records what these machines are, and what they are sampled, beside those of streams. */
  follow(machines: readonly RemoteMachine[]): void {
    this.machines.follow(machines);
  }

  /** Resolves when the processes that it started are gone. */
  async close(): Promise<void> {
    this.stopViews();
    this.sampler.close();
    this.standstills.close();
    await Promise.all([this.set.close(), this.helpers.close()]);
  }

  private processIdsByRole(): Record<string, number[]> {
    const tools = toolProcessIds();
    const content = this.options.content?.processIds() ?? [];
    return {
      ...(tools.length > 0 && { tools }),
      ...(content.length > 0 && { content }),
      ...this.helpers.processIds,
      sending: this.set.processIds('sending'),
      receiving: this.set.processIds('receiving'),
      console: [process.pid, ...this.options.application.consoleProcessIds()],
    };
  }

  private view(): void {
    const nowNs = this.options.clock.monotonicNs();
    // What is not reported yet is no loss.
    this.viewedNs = this.set.countedToNs(nowNs);
    this.viewed = this.views.views(this.streams, this.viewedNs, nowNs, (stream) =>
      this.set.countedToNs(nowNs, stream),
    );
    this.options.onView?.();
  }

  private newViews(warmUpSeconds: number, thresholds: Thresholds, isSenderRemote: boolean): StreamViews {
    return new StreamViews({
      thresholds,
      warmUpSeconds,
      wallOffsetUs: this.wall.offsetUs,
      isSenderRemote,
      clock: this.options.clock,
      noteEvent: this.options.noteEvent,
      set: this.set,
    });
  }
}
