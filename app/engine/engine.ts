import { cpus, hostname } from 'node:os';
import type { Row } from '../facts/row';
import type { Clock } from '../protocol/clock';
import type { Command, EngineState, ExperimentOffer, LiveSource, StreamMark } from '../protocol/console';
import type { DisplayReport } from '../protocol/display';
import type { HostEnvironment } from '../protocol/environment';
import { toProblem, WhitelineError } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import type { NmosNodeSettings, NmosNodeView } from '../protocol/nmos-node';
import type { Plan } from '../protocol/plan';
import type { EngineActivity } from '../protocol/shell';
import { Alerts } from './alerts';
import { ClipMaker } from './content/clip-maker';
import type { Checked } from './experiment/experiment';
import { offers } from './experiment/offers';
import type { HostApplication } from './host-application';
import type { SampleLoad } from './load/sample-machine';
import { withoutInterfaces } from './load/sampler';
import { readMachine } from './machine/read-machine';
import { NdiState } from './ndi-state';
import type { OwnStream } from './nmos/console-node/stream-desk';
import { OwnNode } from './nmos/own-node';
import { readPlan } from './plans/read-plan';
import { writePlan } from './plans/write-plan';
import { ExperimentDesk, type Job } from './runs/experiment-desk';
import { LiveDesk } from './runs/live-desk';
import { NewestRun } from './runs/newest-run';
import { checkParameters, profileOf } from './runs/prepared-run';
import { Sitting } from './runs/sitting';
import type { Recorder } from './sessions/recorder';
import { SourceWatch, sourceView } from './source-watch';
import { liveSourcesOf } from './streams/live-sources';
import type { StreamSet } from './streams/stream-set';
import { Workbench } from './workbench';

export interface EngineOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, node_modules, dist. */
  appFolder: string;
  runsFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Profile of thresholds where none is named: a built-in one's name or the path of a file. */
  thresholds?: string;
  version: string;
  /** Folder for independent logs of captured numbers; none by default. */
  captureLogFolder?: string;
  /** How the console is a node of NMOS; null: it is none. @throws WhitelineError for settings that are wrong */
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
  /** The streams of a run were viewed anew, four times a second: all that changed is shown with them. */
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
  private readonly bench: Workbench;
  private readonly set: StreamSet;
  private readonly alerts = new Alerts(() => this.listener.onChange());
  private readonly desk: ExperimentDesk;
  private readonly maker: ClipMaker;
  private readonly nmosNode: OwnNode;
  private mode: EngineState['mode'] = 'idle';
  private readonly run: NewestRun;
  private readonly live: LiveDesk;
  private readonly sitting: Sitting;
  private readonly ndi = new NdiState(this.alerts);
  private readonly sourceWatch = new SourceWatch(this.alerts);
  /** Of the settings. */
  private thresholdProfile: string | null = null;
  /** As it was when the newest run began. */
  private machine: HostEnvironment | null = null;
  private listener: EngineListener = { onChange: () => {}, onView: () => {}, onSample: () => {} };
  /** Commands that change streams run one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private isClosing = false;
  private offered: Promise<ExperimentOffer[]> | null = null;
  private readonly thisMachine = thisMachine();

  constructor(private readonly options: EngineOptions) {
    this.bench = new Workbench({
      application: options.application,
      clock: options.clock,
      appFolder: options.appFolder,
      ndiPath: options.ndiPath,
      searchHosts: options.searchHosts,
      captureLogFolder: options.captureLogFolder,
      sampleLoad: options.sampleLoad,
      noteEvent: (kind, text, details, streamId) => this.noteEvent(kind, text, details, streamId),
      onChange: () => this.listener.onChange(),
      onSample: (sample) => this.keepSample(sample),
      onView: () => this.tick(),
    });
    this.set = this.bench.set;
    this.run = new NewestRun({
      application: options.application,
      runsFolder: options.runsFolder,
      wall: this.bench.wall,
      streams: () => this.bench.streams.length,
      facts: () => ({ version: options.version, ndi: this.ndi.runtime, machine: this.machine }),
      onProblem: (error) => this.runFailed(error),
      onChange: () => this.listener.onChange(),
    });
    this.sitting = new Sitting(options.runsFolder, options.clock);
    this.desk = new ExperimentDesk({
      bench: this.bench,
      runsFolder: options.runsFolder,
      sitting: this.sitting,
      ndi: this.ndi.requirement,
      thresholds: options.thresholds,
      record: (...run) => this.newRecorder(...run),
      onOutcome: ({ state, verdict, reason, problem }) => {
        if (problem && state === 'failed') this.alerts.raise('run', 'error', problem);
        this.run.end({ verdict, reason });
        this.sitting.derive();
      },
      onChange: () => this.listener.onChange(),
    });
    this.live = new LiveDesk({
      bench: this.bench,
      sitting: this.sitting,
      thresholds: options.thresholds,
      lookAtMachine: () => this.lookAtMachine(),
      record: (...run) => this.newRecorder(...run),
      onMode: (mode) => {
        this.mode = mode;
        this.listener.onChange();
      },
      onRow: () => this.listener.onChange(),
      onAdding: () => this.listener.onChange(),
      onProblem: (error) => this.alerts.raise('row', 'error', toProblem(error)),
    });
    this.maker = new ClipMaker(
      options.clock,
      () => this.set.movieHost,
      () => this.listener.onChange(),
    );
    this.nmosNode = new OwnNode({
      clock: options.clock,
      settings: options.nmosNode ?? (() => null),
      desk: {
        own: () => this.ownStreams(),
        followed: () =>
          this.set.followed.streams.map(({ id, name, sourceName }) => ({ id, name, fullName: sourceName })),
        change: (change) => this.enqueue(() => this.changeLive(() => this.live.change(change))),
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
    return { mode: this.mode, streams: this.bench.streams.length };
  }

  /** What it measured, and since when; null before there was one. */
  get newestRun(): { experiment: string; startedAt: string } | null {
    return this.run.begun;
  }

  listen(listener: EngineListener): void {
    this.listener = listener;
  }

  /** Starts the stream hosts and NDI in them. */
  async start(): Promise<void> {
    this.checkProfile();
    try {
      const ready = await this.bench.start();
      this.ndi.runtime = ready.ndi;
      if (ready.ndiProblem) this.ndi.failed('ndi', ready.ndiProblem);
    } catch (error) {
      this.ndi.failed('hosts', toProblem(error));
    }
    this.ndi.isLoading = false;
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
    this.isClosing = true;
    this.maker.abort();
    this.live.abort();
    const left = this.nmosNode.close();
    await this.stop().catch(() => undefined);
    void this.bench.close();
    await left;
  }

  /** Carries a command out; @throws WhitelineError with what is wrong and what to do. */
  execute(command: Command): Promise<void> {
    switch (command.name) {
      case 'addStream':
        return this.enqueue(() => this.changeLive(() => this.live.add(command.parameters)));
      case 'followSource':
        return this.enqueue(async () => {
          await this.changeLive(() => this.live.follow(command.source));
        });
      case 'makeClip':
        return this.makeClip(command.clip, command.format);
      case 'removeStream':
        return this.enqueue(() => this.live.remove(command.streamId));
      case 'startExperiment':
        return this.enqueue(() =>
          this.startJob(() =>
            this.desk.prepareExperiment(command.experiment, command.parameters, command.thresholds),
          ),
        );
      case 'startPlan':
        return this.enqueue(() => this.startJob(() => this.desk.preparePlan(command.plan)));
      case 'newSession':
        return this.enqueue(() => this.newSession(command.title));
      case 'savePlan':
        return this.savePlan(command.plan, command.grant);
      case 'stop':
        this.desk.abort();
        this.live.abort();
        this.maker.abort();
        return this.enqueue(() => this.stop());
      case 'export':
        return this.run.export(command.kind, command.grant, this.mode !== 'idle');
      case 'dismissAlert':
        this.alerts.dismiss(command.key);
        return Promise.resolve();
      case 'addNote':
        return this.run.addNote(command);
      case 'attachPicture':
        return this.run.attachPicture(command);
      case 'reportDisplay':
        this.noteDisplay(command.report);
        return Promise.resolve();
      case 'hello':
      case 'checkParameters':
      case 'openPlan':
      case 'listExperiments':
      case 'listLiveSources':
      case 'listBattery':
      case 'nmos':
        return Promise.resolve();
    }
  }

  state(): EngineState {
    return {
      mode: this.mode,
      ndi: this.ndi.runtime,
      ndiLoading: this.ndi.isLoading,
      receivingHost: this.set.receivingHost,
      sendingHost: this.set.sendingHost,
      machine: this.thisMachine,
      source: sourceView(this.set.source),
      streams: this.bench.viewed,
      // Streams are viewed four times a second: until then the newest is still on its way.
      adding:
        this.live.adding ?? (this.bench.streams.length > this.bench.viewed.length ? 'connecting' : null),
      run: this.run.view(),
      session: this.desk.session,
      sitting: this.sitting.name,
      progress: this.desk.progress,
      making: this.maker.progress,
      thresholdProfile: this.thresholdProfile,
      nmosNode: this.nmosNode.view,
      alerts: this.alerts.all,
    };
  }

  /** All experiments, and what each still needs here. Who asks while it is found out shares the answer. */
  offers(): Promise<ExperimentOffer[]> {
    this.offered ??= offers(this.ndi.requirement).finally(() => {
      this.offered = null;
    });
    return this.offered;
  }

  /** NDI sources that discovery lists now. @throws WhitelineError without NDI */
  async liveSources(): Promise<LiveSource[]> {
    return liveSourcesOf(await this.set.discover(), this.set.streams);
  }

  /** @throws WhitelineError with file, line and column of everything that is wrong with it */
  async openPlan(grant: string): Promise<Plan> {
    return readPlan(await this.options.application.redeemGrant('plan-to-open', grant)).plan;
  }

  /** @throws WhitelineError for parameters that are wrong */
  check(experiment: string, parameters: Record<string, unknown>): Promise<Checked> {
    return checkParameters(experiment, parameters, this.set.movieHost);
  }

  /** Rows of the newest run, and the open one as it stands. */
  rows(): { closed: readonly Row[]; open: Row | null } {
    return { closed: this.run.rows, open: this.live.provisionalRow() ?? this.desk.provisionalRow() };
  }

  private enqueue<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.queue.then(() => {
      if (this.isClosing) throw closing();
      return action();
    });
    this.queue = result.catch(() => undefined).then(() => this.listener.onChange());
    return result;
  }

  /** Reported late, the stream may be gone. */
  private noteDisplay(report: DisplayReport): void {
    const nowNs = this.options.clock.monotonicNs();
    this.bench.streams.find(({ id }) => id === report.streamId)?.display?.add(report, nowNs);
  }

  private async changeLive<Result>(change: () => Promise<Result>): Promise<Result> {
    if (this.mode === 'experiment') throw busy();
    this.maker.refuse();
    return change();
  }

  /** Those of a live run: what an experiment sends is no source for others. */
  private ownStreams(): OwnStream[] {
    if (this.mode !== 'live') return [];
    return this.set.streams.map(({ id, fullName, source }) => {
      const { width, height, rate } = source.format;
      return { id, fullName, width, height, rate, pixelFormat: source.pixelFormat };
    });
  }

  /** Whatever is wrong with it is reported before the streams of a live run are given up for it. */
  private async startJob(prepare: () => Promise<Job>): Promise<void> {
    if (this.mode === 'experiment') throw busy();
    this.maker.refuse();
    const job = await prepare();
    await this.stop();
    await this.lookAtMachine();
    this.desk.start(job, (error) => {
      if (error) this.alerts.raise('run', 'error', toProblem(error));
      this.mode = 'idle';
      this.listener.onChange();
    });
    this.mode = 'experiment';
  }

  private async stop(): Promise<void> {
    if (this.desk.isRunning) {
      this.mode = 'stopping';
      await this.desk.stop();
    }
    if (!this.live.isRunning) return;
    this.mode = 'stopping';
    this.listener.onChange();
    try {
      const outcome = await this.live.end();
      if (outcome) this.run.end(outcome);
      this.sitting.derive();
    } finally {
      this.mode = 'idle';
    }
  }

  private async makeClip(clip: string, format: string): Promise<void> {
    // A stream may be about to be added.
    await this.queue;
    if (this.mode !== 'idle') throw measuring();
    await this.maker.make(clip, format);
  }

  private async savePlan(plan: unknown, grant: string): Promise<void> {
    // The dialog that named it asked before.
    writePlan(plan, await this.options.application.redeemGrant('plan', grant), 'replace');
  }

  private async newSession(title: string): Promise<void> {
    if (this.mode !== 'idle') {
      const message = 'A run is going on, which belongs to the session that is open';
      throw new WhitelineError({ code: 'BAD_INPUT', message, remedy: 'Stop first' });
    }
    this.sitting.begin(title);
    this.listener.onChange();
  }

  private async lookAtMachine(): Promise<void> {
    const ours = { whiteline: this.options.version, ndi: this.ndi.runtime?.version ?? null };
    this.machine = await (this.options.readMachine ?? readMachine)(this.set.movieHost, ours);
  }

  private newRecorder(...run: Parameters<NewestRun['begin']>): Recorder {
    // A cause that still holds refuses this run too, and is raised anew.
    this.alerts.dismiss('output');
    const recorder = this.run.begin(...run);
    this.alerts.endRun();
    return recorder;
  }

  private runFailed(error: WhitelineError): void {
    this.alerts.raise('output', 'error', toProblem(error));
    if (this.desk.isRunning) this.desk.abort();
    else void this.enqueue(() => this.stop());
  }

  private noteEvent(...event: Parameters<Recorder['event']>): void {
    const [kind, text, data, streamId] = event;
    this.run.event(...event);
    this.alerts.note(kind, text, { streamId, role: data?.role });
  }

  private keepSample(sample: LoadSample): void {
    this.samples.push(withoutInterfaces(sample));
    if (this.samples.length > sampleHistory) this.samples.shift();
    if (this.mode !== 'idle') this.run.sample(sample);
    this.listener.onSample(sample);
  }

  private tick(): void {
    if (this.isClosing) return;
    this.live.tick(this.options.clock.monotonicNs());
    this.sourceWatch.check(this.set.source);
    this.nmosNode.look();
    if (this.mode !== 'idle') this.listener.onView();
  }
}

function closing(): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: 'Whiteline is closing' });
}

function measuring(): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'Streams or an experiment are running, and making a clip would disturb what is measured',
    remedy: 'Stop first',
  });
}

function busy(): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'An experiment is running',
    remedy: 'Stop it first',
  });
}
