import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import type { Clock } from '../../protocol/clock';
import type { StreamView } from '../../protocol/console';
import { type WhitelineError as Problem, WhitelineError } from '../../protocol/errors';
import type { HostReady } from '../../protocol/host';
import type { LoadSample } from '../../protocol/load';
import type { ThresholdProfile } from '../../protocol/thresholds';
import { ndiRuntimeOf } from '../../protocol/transports';
import type { HostApplication } from '../host-application';
import { GpuSampler } from '../load/gpu';
import { MachineStandstills } from '../load/machine-standstills';
import { LoadSampler } from '../load/sampler';
import { bootId } from '../machine/boot-id';
import { readMachine } from '../machine/read-machine';
import { appVersion } from '../sessions/environment';
import type { Recorder } from '../sessions/recorder';
import { makeLogFolder } from '../streams/capture-log';
import { severalAddresses, severalNamed } from '../streams/named-alike';
import { ndiTransport } from '../streams/ndi-candidates';
import type { Stream } from '../streams/stream';
import type { NoteEvent } from '../streams/stream-hosts';
import { isOverdue, noVideo, WatchSet } from '../streams/watch-set';
import type { WatchOptions } from '../streams/watched-sender';
import { WallClock, wallStepEvent } from '../wall-clock';
import { ownRecorder } from './own-recorder';
import type { Asked } from './prepared-run';
import { type StateChange, type WatchProgress, WatchRun } from './watch-run';

export interface RemoteWatchOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, dist. */
  appFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** The folder of the run where receivers write logs of their own. */
  captureLogFolder?: string;
  profile: ThresholdProfile;
  rowSeconds: number;
  /** Ends what is waited for and measured. */
  signal: AbortSignal;
  /** Beside recording it. */
  onEvent: NoteEvent;
  onViews(views: StreamView[], now: WatchProgress): void;
  onState(change: StateChange): void;
  /** The first row is open: all that is received from now on counts. */
  onMeasuring(): void;
  onRow(row: StreamsRow): void;
  /** The folder of the run cannot be written any more. */
  onProblem(error: Problem): void;
  /** Faults that this process itself puts into what it follows. Default: none. */
  injectedInto?: WatchOptions['injectedInto'];
}

/** What is known of the first names. */
export interface FirstNames {
  /** Of as many of the first names, in their order: they are not looked up. */
  addresses: readonly string[];
  /** The first is the output of a mixer, which shows several sources one after the other. */
  isProgramme?: boolean;
}

/** Streams of remote senders, followed by a process of ours and measured until it is stopped: `whiteline watch`. */
export class RemoteWatch {
  readonly set: WatchSet;
  readonly run: WatchRun;
  /** Of recorded times. */
  readonly wall: WallClock;
  private readonly gpu: GpuSampler;
  private readonly sampler: LoadSampler;
  private readonly standstills: MachineStandstills;
  private recorder: Recorder | null = null;
  newestSample: LoadSample | null = null;

  constructor(private readonly options: RemoteWatchOptions) {
    const { application, clock, appFolder, ndiPath, searchHosts, captureLogFolder } = options;
    this.wall = new WallClock(clock);
    // Until the watch ends, however many rows it has.
    this.wall.hold();
    const wallOffsetUs = this.wall.offsetUs;
    const noteEvent: NoteEvent = (...event) => {
      options.onEvent(...event);
      this.recorder?.event(...event);
    };
    if (captureLogFolder !== undefined) makeLogFolder(captureLogFolder);
    this.standstills = new MachineStandstills({
      clock,
      own: application.watchOwnStandstill(),
      toolProcessIds: () => [],
      onProblem: (text) => noteEvent('problem', text),
    });
    const set = new WatchSet({
      ...{ application, clock, wallOffsetUs, searchHosts, captureLogFolder, noteEvent },
      transport: ndiTransport(ndiPath, appFolder),
      boot: bootId(),
      injectedInto: options.injectedInto,
      standstills: this.standstills,
    });
    this.set = set;
    const { onViews, onState, onMeasuring, onRow, signal, rowSeconds } = options;
    const run = new WatchRun({
      ...{ clock, set: set.followed, isSenderRemote: true, wallOffsetUs, rowSeconds, signal, noteEvent },
      thresholds: options.profile.thresholds,
      ...{ onViews, onState, onMeasuring },
      onRow: (row) => {
        this.recorder?.row(row);
        onRow(row);
      },
    });
    this.run = run;
    this.gpu = new GpuSampler(clock);
    this.sampler = new LoadSampler({
      ...{ wall: this.wall, gpu: this.gpu },
      processIds: () => ({ sending: [], receiving: set.processIds(), console: [process.pid] }),
      traffic: () => ({ receiving: set.traffic() }),
      openStreams: () => set.followed.streams.length,
      lostPerSecond: () => run.lostPerSecond(),
      latency: () => run.latency(),
      onWallStep: (step) => noteEvent('wall-clock-step', ...wallStepEvent(step)),
      onSample: (sample) => {
        run.addSample(sample);
        this.newestSample = sample;
        this.recorder?.sample(sample);
      },
    });
  }

  /** @throws WhitelineError if the transport cannot be loaded */
  async start(): Promise<HostReady> {
    const ready = await this.set.start();
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    return ready;
  }

  /** From now on, into this folder. @throws WhitelineError if the run cannot begin */
  async record(folder: string, asked: Asked, { transport }: HostReady): Promise<void> {
    const { application, appFolder, profile, onProblem } = this.options;
    const ours = { whiteline: appVersion(appFolder), ndi: ndiRuntimeOf(transport)?.version ?? null };
    this.recorder = ownRecorder({
      ...{ folder, asked, profile, wall: this.wall, transport, application, appFolder, onProblem },
      machine: await readMachine(this.set.host, ours),
    });
  }

  /**
   * Follows these senders, and waits until each sends pictures that can be counted.
   * @returns the names without a sender when the signal aborted
   * @throws WhitelineError NO_VIDEO if one of the names sends nothing that can be followed; BAD_INPUT for a name of several senders
   */
  async follow(
    names: readonly string[],
    { addresses, isProgramme }: FirstNames,
    onRemark: (text: string) => void,
  ): Promise<string[]> {
    for (const [index, name] of names.entries())
      await this.set.followed.add(name, addresses[index], index === 0 && isProgramme);
    const absent = await this.waitForVideo(addresses);
    if (absent.length > 0) return absent;
    const listed = await this.set.discovered();
    for (const name of names.slice(addresses.length)) {
      const several = severalNamed(name, listed);
      if (several) throw several;
      const text = severalAddresses(name, listed);
      if (text !== null) onRemark(text);
    }
    return [];
  }

  /** Ends what is recorded. Resolves once run.json says so. */
  async end(state: Run['state'], verdict: Run['verdict'], reason: string): Promise<void> {
    await this.recorder?.end(state, verdict, reason);
  }

  /** Resolves when its processes are gone. */
  async close(): Promise<void> {
    this.sampler.close();
    this.standstills.close();
    this.gpu.close();
    await this.set.close();
  }

  private async waitForVideo(addresses: readonly string[]): Promise<string[]> {
    const { set, options } = this;
    const { clock, signal, profile } = options;
    const streams = (): Stream[] => set.followed.streams;
    const waiting = (): Stream[] => streams().filter(({ followedBy }) => followedBy === null);
    while (waiting().length > 0 && !signal.aborted) {
      const nowNs = clock.monotonicNs();
      const overdue = streams().find((stream) => isOverdue(stream, nowNs, profile.thresholds));
      if (overdue) {
        const address = addresses[streams().indexOf(overdue)];
        throw noVideo(overdue, nowNs, profile.thresholds, { address, listed: await set.listed() });
      }
      await clock.sleep(100, signal);
    }
    return waiting().map(({ name }) => name);
  }
}
