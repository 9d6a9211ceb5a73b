import { cpus, hostname } from 'node:os';
import type { Row } from '../facts/row';
import type { Clock } from '../protocol/clock';
import type { EngineState, StreamMark } from '../protocol/console';
import type { engineCommands } from '../protocol/console-commands';
import type { HostEnvironment } from '../protocol/environment';
import { toProblem } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import type { NmosNodeSettings, NmosNodeView } from '../protocol/nmos-node';
import type { EngineActivity } from '../protocol/shell';
import { ndiRuntimeOf, type TransportSettings, transportFacts } from '../protocol/transports';
import type { Handlers } from '../rpc/serve-commands';
import { Alerts } from './alerts';
import { contentHandlers } from './commands/content';
import { fleetHandlers } from './commands/fleet';
import { planHandlers } from './commands/plans';
import { recordHandlers } from './commands/records';
import { runHandlers } from './commands/runs';
import { streamHandlers } from './commands/streams';
import { ConsoleWork } from './console-work';
import { ClipMaker } from './content/clip-maker';
import type { HostApplication } from './host-application';
import { Instrument } from './instrument';
import type { SampleLoad } from './load/sample-machine';
import { withoutInterfaces } from './load/sampler';
import { readMachine } from './machine/read-machine';
import type { MeasuredNow, MeasuredRun } from './measured-now';
import type { OwnStream } from './nmos/console-node/node-streams';
import { OwnNode } from './nmos/own-node';
import { ConsoleSession } from './runs/console-session';
import { ExperimentControl } from './runs/experiment-control';
import { LiveControl } from './runs/live-control';
import { NewestRun } from './runs/newest-run';
import { profileOf } from './runs/prepared-run';
import type { Recorder } from './sessions/recorder';
import type { RemotePreviews } from './streams/remote-previews';
import { withProvedRows } from './streams/rows/proved-strips';
import { SourceWatch, sourceView } from './streams/sources/source-watch';
import type { StreamSet } from './streams/stream-set';
import { TransportState } from './transport-state';

export interface EngineOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, node_modules, dist. */
  appFolder: string;
  runsFolder: string;
  /** What carries the streams; default: NDI. */
  transport?: TransportSettings;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Profile of thresholds if none is named: a built-in one's name or the path of a file. */
  thresholds?: string;
  version: string;
  /** Folder for independent logs of captured numbers; none by default. */
  captureLogFolder?: string;
  /**
   * Settings of the console as an NMOS node; null: it is not a node.
   * @throws WhitelineError for wrong settings
   */
  nmosNode?: () => NmosNodeSettings | null;
  onNmosNode?: (view: NmosNodeView) => void;
  /** What this machine is; a test gives another. */
  readMachine?: typeof readMachine;
  /** How busy it is; a test makes it up. */
  sampleLoad?: SampleLoad;
}

export type EngineListener = {
  /** Something changed that windows show; a burst of changes is reported once. */
  onChange(): void;
  /** The views of a run's streams were updated, four times a second: all other changes are shown with them. */
  onView(): void;
  onSample(sample: LoadSample): void;
};

const sampleHistory = 7200;

/** As windows show it. The system takes long to say what its processors are. */
function thisMachine(): EngineState['machine'] {
  const processors = cpus();
  const cpuModel = processors[0]?.model.trim() ?? 'unknown';
  return { hostName: hostname(), cpuModel, cores: processors.length };
}

/** What the console operates: the streams of this machine, live or in a ramp, and the run that records them. */
export class Engine {
  readonly samples: LoadSample[] = [];
  /** What windows may ask of it. */
  readonly commands: Handlers<typeof engineCommands>;
  private readonly instrument: Instrument;
  private readonly set: StreamSet;
  private readonly alerts = new Alerts(
    () => this.listener.onChange(),
    () => this.options.clock.wallMs(),
  );
  private readonly experiments: ExperimentControl;
  private readonly maker: ClipMaker;
  private readonly nmosNode: OwnNode;
  private readonly run: NewestRun;
  private readonly live: LiveControl;
  private readonly consoleSession: ConsoleSession;
  private readonly work: ConsoleWork;
  private readonly transport: TransportState;
  private readonly sourceWatch = new SourceWatch(this.alerts);
  /** Of the settings. */
  private thresholdProfile: string | null = null;
  /** As it was when the newest run began. */
  private machine: HostEnvironment | null = null;
  private listener: EngineListener = { onChange: () => {}, onView: () => {}, onSample: () => {} };
  private readonly thisMachine = thisMachine();

  constructor(private readonly options: EngineOptions) {
    this.transport = new TransportState(
      this.alerts,
      transportFacts[options.transport?.name ?? 'ndi'].runtime,
    );
    this.instrument = new Instrument({
      application: options.application,
      clock: options.clock,
      appFolder: options.appFolder,
      transport: options.transport,
      ndiPath: options.ndiPath,
      searchHosts: options.searchHosts,
      captureLogFolder: options.captureLogFolder,
      sampleLoad: options.sampleLoad,
      noteEvent: (kind, text, details, streamId) => this.noteEvent(kind, text, details, streamId),
      onChange: () => this.listener.onChange(),
      onSample: (sample) => this.keepSample(sample),
      onMachineSample: (sample) => this.run.machineSample(sample),
      onView: () => this.tick(),
    });
    this.set = this.instrument.set;
    this.run = new NewestRun({
      application: options.application,
      runsFolder: options.runsFolder,
      wall: this.instrument.wall,
      streams: () => this.instrument.streams.length,
      facts: () => ({ version: options.version, transport: this.transport.loaded, machine: this.machine }),
      onProblem: (error) => this.work.fail(error),
      onChange: () => this.listener.onChange(),
    });
    this.consoleSession = new ConsoleSession(options.runsFolder, options.clock);
    this.experiments = new ExperimentControl({
      instrument: this.instrument,
      runsFolder: options.runsFolder,
      consoleSession: this.consoleSession,
      transport: this.transport.requirement,
      thresholds: options.thresholds,
      record: (...run) => this.newRecorder(...run),
      onOutcome: ({ state, verdict, reason, problem }) => {
        if (problem && state === 'failed') this.alerts.raise('run', 'error', problem);
        this.run.end({ verdict, reason });
        this.consoleSession.derive();
      },
      onChange: () => this.listener.onChange(),
    });
    this.live = new LiveControl({
      instrument: this.instrument,
      consoleSession: this.consoleSession,
      thresholds: options.thresholds,
      lookAtMachine: () => this.lookAtMachine(),
      record: (...run) => this.newRecorder(...run),
      onMode: (mode) => this.work.noteLive(mode),
      onRow: () => this.listener.onChange(),
      onAdding: () => this.listener.onChange(),
      onProblem: (error) => this.alerts.raise('row', 'error', toProblem(error)),
    });
    this.maker = new ClipMaker(
      options.clock,
      () => this.set.nativeHost,
      () => this.listener.onChange(),
    );
    const { instrument, run, consoleSession, experiments, live, maker, alerts, transport } = this;
    this.work = new ConsoleWork({
      ...{ experiments, live, run, consoleSession, maker, alerts },
      lookAtMachine: () => this.lookAtMachine(),
      onChange: () => this.listener.onChange(),
    });
    const parts = {
      application: options.application,
      instrument,
      work: this.work,
      live,
      experiments,
      run,
      transport,
      alerts,
    };
    this.commands = {
      ...streamHandlers(parts),
      ...fleetHandlers(parts),
      ...runHandlers(parts),
      ...planHandlers(parts),
      ...recordHandlers(parts),
      ...contentHandlers(parts),
    };
    this.nmosNode = new OwnNode({
      clock: options.clock,
      settings: options.nmosNode ?? (() => null),
      nodeStreams: {
        own: () => this.ownStreams(),
        followed: () =>
          this.set.followed.streams.map(({ id, ndiName, sourceName }) => ({
            id,
            name: ndiName,
            fullName: sourceName,
          })),
        change: (change) => this.work.changeStreams(() => this.live.change(change)),
        note: (text, details, streamId) => this.noteEvent('nmos-activation', text, details, streamId),
      },
      onView: (view) => {
        options.onNmosNode?.(view);
        this.listener.onChange();
      },
    });
  }

  /** Of the charts, for as long as the newest run is the newest. */
  get marks(): StreamMark[] {
    return this.run.marks;
  }

  get activity(): EngineActivity {
    return { mode: this.work.mode, streams: this.instrument.streams.length };
  }

  /** What it measured, and since when; null before there was one. */
  get newestRun(): { experiment: string; startedAt: string } | null {
    return this.run.begun;
  }

  /** What is measured at this moment, and what its newest run came to so far; null: there was none. */
  get measured(): MeasuredNow & { run: MeasuredRun | null } {
    const run = this.run.view();
    const rowVerdicts = this.run.rows.map(({ verdict }) => verdict);
    return {
      ...this.instrument.now,
      run: run && { experiment: run.experiment, verdict: run.verdict, rowVerdicts },
    };
  }

  /** Raises an alert for something that runs beside the engine. */
  raise(key: string, error: unknown): void {
    this.alerts.raise(key, 'error', toProblem(error));
  }

  listen(listener: EngineListener): void {
    this.listener = listener;
  }

  /** Starts the stream hosts and the transport in them. */
  async start(): Promise<void> {
    this.checkProfile();
    try {
      const ready = await this.instrument.start();
      this.transport.loaded = ready.transport;
      if (ready.transportProblem) this.transport.failed('transport', ready.transportProblem);
    } catch (error) {
      this.transport.failed('hosts', toProblem(error));
    }
    this.transport.isLoading = false;
    this.nmosNode.start();
    this.listener.onChange();
  }

  /** A profile that cannot be read is reported before the first run that needs it. */
  private checkProfile(): void {
    try {
      this.thresholdProfile = profileOf(this.options.thresholds).name;
    } catch (error) {
      this.alerts.raise('thresholds', 'error', toProblem(error));
    }
  }

  async close(): Promise<void> {
    const left = this.nmosNode.close();
    await this.work.close();
    void this.instrument.close();
    await left;
  }

  /** Of streams that another machine receives. */
  get previews(): RemotePreviews {
    return this.set.previews;
  }

  state(): EngineState {
    return {
      mode: this.work.mode,
      transport: this.transport.loaded,
      transportLoading: this.transport.isLoading,
      receivingHost: this.set.receivingHost,
      sendingHost: this.set.sendingHost,
      machine: this.thisMachine,
      source: sourceView(this.set.source),
      streams: withProvedRows(this.instrument.viewed, this.run.rows),
      // Streams are viewed four times a second: until then the newest is still on its way.
      adding:
        this.live.adding ??
        (this.instrument.streams.length > this.instrument.viewed.length ? 'connecting' : null),
      run: this.run.view(),
      session: this.experiments.session,
      consoleSession: this.consoleSession.name,
      progress: this.experiments.progress,
      cleanTime: this.live.cleanTime?.lengths ?? null,
      making: this.maker.progress,
      thresholdProfile: this.thresholdProfile,
      nmosNode: this.nmosNode.view,
      alerts: this.alerts.all,
    };
  }

  /** Rows of the newest run, and the open one as it stands. */
  rows(): { closed: readonly Row[]; open: Row | null } {
    return { closed: this.run.rows, open: this.live.provisionalRow() ?? this.experiments.provisionalRow() };
  }

  /** Those of a live run: what an experiment sends is no source for others. */
  private ownStreams(): OwnStream[] {
    if (this.work.mode !== 'live') return [];
    return this.set.streams.map(({ id, fullName, source }) => {
      const { width, height, rate } = source.format;
      return { id, fullName, width, height, rate, pixelFormat: source.pixelFormat };
    });
  }

  private async lookAtMachine(): Promise<void> {
    const ours = {
      whiteline: this.options.version,
      ndi: ndiRuntimeOf(this.transport.loaded)?.version ?? null,
    };
    this.machine = await (this.options.readMachine ?? readMachine)(this.set.nativeHost, ours);
  }

  private newRecorder(...run: Parameters<NewestRun['begin']>): Recorder {
    // If the cause still holds, it refuses this run too, and the alert is raised again.
    this.alerts.dismiss('output');
    const recorder = this.run.begin(...run);
    this.alerts.beginRun();
    return recorder;
  }

  private noteEvent(...event: Parameters<Recorder['event']>): void {
    const [kind, text, data, streamId] = event;
    this.run.event(...event);
    const stream =
      streamId === undefined ? undefined : this.instrument.streams.find(({ id }) => id === streamId)?.name;
    this.alerts.note(kind, text, { data, streamId, stream });
  }

  private keepSample(sample: LoadSample): void {
    this.samples.push(withoutInterfaces(sample));
    if (this.samples.length > sampleHistory) this.samples.shift();
    if (this.work.mode !== 'idle') this.run.sample(sample);
    this.listener.onSample(sample);
  }

  private tick(): void {
    if (this.work.isClosing) return;
    this.live.tick(this.options.clock.monotonicNs());
    this.sourceWatch.check(this.set.source);
    this.nmosNode.look();
    if (this.work.mode !== 'idle') this.listener.onView();
  }
}
