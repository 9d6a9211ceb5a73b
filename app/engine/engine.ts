import { cpus, hostname } from 'node:os';
import { join } from 'node:path';
import type { Alert, Command, EngineState, Progress, StreamMark } from '../protocol/console';
import { type Problem, toProblem, WhitelineError } from '../protocol/errors';
import { framesPerSecond } from '../protocol/format';
import type { LoadSample } from '../protocol/load';
import { streamLoadParameters } from '../protocol/stream-load';
import { defaultThresholds } from '../protocol/thresholds';
import type { Verdict } from '../protocol/verdict';
import { monotonicNs, wallMsOf } from './clock';
import { experimentOf } from './experiments/registry';
import type { HostApplication } from './host-application';
import { LiveRun } from './live-run';
import { withoutInterfaces } from './load/sampler';
import { checkParameters, commandLine, injectedFaults } from './parameters';
import { runExperiment } from './runner';
import { type ClockSync, readClockSync } from './sessions/clock-sync';
import { captureEnvironment } from './sessions/environment';
import { exportRun } from './sessions/export';
import { Recorder } from './sessions/recorder';
import type { ChosenSource, SourceSettings } from './streams/sources/source-choice';
import type { StreamSet } from './streams/stream-set';
import { Workbench } from './workbench';

export interface EngineOptions {
  application: HostApplication;
  /** Folder of the app: package.json, node_modules, dist. */
  appFolder: string;
  runsFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  version: string;
  /** Folder for independent logs of captured numbers; none by default. */
  captureLogFolder?: string;
}

/** Something changed that windows show; a burst of changes is told once. */
export type EngineListener = {
  onChange(): void;
  onSample(sample: LoadSample): void;
};

const liveWarmUpSeconds = 2;
const sampleHistory = 7200;

/** What the console operates: the streams of this machine, live or in a ramp, and the run that records them. */
export class Engine {
  readonly samples: LoadSample[] = [];
  readonly marks: StreamMark[] = [];
  private readonly bench: Workbench;
  private readonly set: StreamSet;
  private readonly wallOffsetUs: number;
  private readonly alerts = new Map<string, Alert>();
  private mode: EngineState['mode'] = 'idle';
  private recorder: Recorder | null = null;
  private outcome: { verdict: Verdict | null; reason: string } = { verdict: null, reason: '' };
  private live: LiveRun | null = null;
  /** A source that is being opened: reading a movie into memory may take long. */
  private opening: AbortController | null = null;
  private ramp: { abort: AbortController; ended: Promise<void> } | null = null;
  private progress: { progress: Progress; sinceNs: number } | null = null;
  private ndi: EngineState['ndi'] = null;
  private ndiLoading = true;
  private clockSync: ClockSync | null = null;
  private listener: EngineListener = { onChange: () => {}, onSample: () => {} };
  /** Commands that change streams run one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: EngineOptions) {
    this.bench = new Workbench({
      application: options.application,
      appFolder: options.appFolder,
      ndiPath: options.ndiPath,
      captureLogFolder: options.captureLogFolder,
      noteEvent: (kind, text, details, streamId) => this.noteEvent(kind, text, details, streamId),
      onChange: () => this.listener.onChange(),
      onSample: (sample) => this.keepSample(sample),
    });
    this.set = this.bench.set;
    this.wallOffsetUs = this.bench.wallOffsetUs;
    this.timer = setInterval(() => this.tick(), 250);
  }

  listen(listener: EngineListener): void {
    this.listener = listener;
  }

  /** Starts the stream hosts and NDI in them. */
  async start(): Promise<void> {
    void readClockSync().then((clockSync) => {
      this.clockSync = clockSync;
    });
    try {
      const ready = await this.bench.start();
      this.ndi = ready.ndi;
      if (ready.ndiProblem) this.alert('ndi', 'error', ready.ndiProblem);
    } catch (error) {
      this.alert('hosts', 'error', toProblem(error));
    }
    this.ndiLoading = false;
    this.listener.onChange();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.stop().catch(() => undefined);
    this.bench.close();
  }

  /** Carries a command out; @throws WhitelineError with what is wrong and what to do. */
  execute(command: Command): Promise<void> {
    switch (command.name) {
      case 'addStream':
        return this.enqueue(() => this.addStream(command.parameters));
      case 'removeStream':
        return this.enqueue(() => this.removeStream(command.streamId));
      case 'startRamp':
        return this.enqueue(() => this.startRamp(command.parameters));
      case 'stop':
        this.ramp?.abort.abort();
        this.opening?.abort();
        return this.enqueue(() => this.stop());
      case 'checkParameters':
        return checkParameters(command.parameters, (settings) => this.set.choose(settings));
      case 'export':
        return Promise.resolve().then(() => this.export(command.kind, command.path));
      case 'dismissAlert':
        this.alerts.delete(command.key);
        this.listener.onChange();
        return Promise.resolve();
      case 'hello':
        return Promise.resolve();
    }
  }

  state(): EngineState {
    const source = this.set.source;
    const [processor] = cpus();
    return {
      mode: this.mode,
      ndi: this.ndi,
      ndiLoading: this.ndiLoading,
      receivingHost: this.set.receivingHost,
      sendingHost: this.set.sendingHost,
      machine: { hostName: hostname(), cpuModel: processor?.model.trim() ?? 'unknown', cores: cpus().length },
      source: source && {
        text: source.text,
        width: source.format.width,
        height: source.format.height,
        framesPerSecond: framesPerSecond(source.format.rate),
        diskRateMBps: source.status?.diskRateMBps ?? null,
        neededDiskRateMBps: source.neededDiskRateMBps,
        damagedPictures: source.status?.damagedPictures ?? 0,
      },
      streams: this.bench.viewed,
      run: this.recorder && {
        id: this.recorder.id,
        folder: this.recorder.folder.path,
        title: this.recorder.title,
        ...this.outcome,
      },
      progress: this.progress && this.progressNow(),
      alerts: [...this.alerts.values()],
    };
  }

  /** Rows of the newest run, the open one last. */
  rows(): { rows: Recorder['rows']; provisional: number | null } {
    const rows = this.recorder ? [...this.recorder.rows] : [];
    const open = this.live?.provisionalRow();
    if (!open) return { rows, provisional: null };
    return { rows: [...rows, open], provisional: rows.length };
  }

  private enqueue(action: () => Promise<void>): Promise<void> {
    const result = this.queue.then(action);
    this.queue = result.catch(() => undefined).then(() => this.listener.onChange());
    return result;
  }

  private async addStream(settings: SourceSettings): Promise<void> {
    if (this.mode === 'ramp') throw busy();
    if (!this.live) await this.startLive(settings);
    else if (!this.set.plays(settings)) {
      if (this.set.streams.length > 0) {
        throw new WhitelineError({
          code: 'BAD_INPUT',
          message: 'All streams of a live run share one source, and another one is playing',
          field: 'source',
          value: settings.source,
          remedy: 'Stop first, then add a stream of the new source',
        });
      }
      await this.stop();
      await this.startLive(settings);
    }
    await this.live?.add();
  }

  private async startLive(settings: SourceSettings): Promise<void> {
    const chosen = await this.set.choose(settings);
    const recorder = this.newRecorder('live', 'Live', { ...settings }, 'npm start', chosen);
    const live = new LiveRun({
      set: this.set,
      recorder,
      thresholds: defaultThresholds,
      wallOffsetUs: this.wallOffsetUs,
      warmUpSeconds: liveWarmUpSeconds,
      namePrefix: 'Whiteline',
      onRow: () => this.listener.onChange(),
      onProblem: (error) => this.alert('row', 'error', toProblem(error)),
    });
    this.bench.restartViews(liveWarmUpSeconds);
    this.mode = 'live';
    this.live = live;
    this.listener.onChange();
    this.opening = new AbortController();
    try {
      await live.start(settings, this.opening.signal);
    } catch (error) {
      this.live = null;
      this.mode = 'idle';
      const { code, message } = toProblem(error);
      recorder.end(code === 'ABORTED' ? 'aborted' : 'failed', null, message);
      throw error;
    } finally {
      this.opening = null;
    }
  }

  private async removeStream(streamId: number | undefined): Promise<void> {
    const { streams } = this.set;
    const stream =
      streamId === undefined
        ? streams[streams.length - 1]
        : streams.find((candidate) => candidate.id === streamId);
    if (!this.live || !stream) {
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: 'There is no such stream to remove',
        field: 'streamId',
        value: String(streamId),
      });
    }
    await this.live.remove(stream);
  }

  private async startRamp(input: unknown): Promise<void> {
    if (this.mode === 'ramp') throw busy();
    const parameters = streamLoadParameters.parse(input);
    const chosen = await this.set.choose(parameters);
    injectedFaults(parameters, chosen.format.rate);
    await this.stop();
    const experiment = experimentOf('stream-load');
    const recorder = this.newRecorder(
      experiment.id,
      experiment.title,
      parameters,
      commandLine(experiment.id, parameters),
      chosen,
    );
    const abort = new AbortController();
    this.bench.restartViews(parameters.warmUpSeconds);
    this.mode = 'ramp';
    const ended = runExperiment({
      experiment,
      parameters,
      recorder,
      set: this.set,
      thresholds: defaultThresholds,
      wallOffsetUs: this.wallOffsetUs,
      signal: abort.signal,
      onRow: () => this.listener.onChange(),
      onProgress: (progress) => {
        this.progress = { progress, sinceNs: monotonicNs() };
        this.listener.onChange();
      },
    }).then((outcome) => {
      if (outcome.problem && outcome.state === 'failed') this.alert('run', 'error', outcome.problem);
      this.outcome = { verdict: outcome.verdict, reason: outcome.reason };
      this.ramp = null;
      this.progress = null;
      this.mode = 'idle';
      this.listener.onChange();
    });
    this.ramp = { abort, ended };
  }

  private async stop(): Promise<void> {
    if (this.ramp) {
      this.mode = 'stopping';
      this.ramp.abort.abort();
      await this.ramp.ended;
    }
    const { live } = this;
    if (!live) return;
    this.mode = 'stopping';
    this.listener.onChange();
    try {
      this.outcome = await live.end();
    } finally {
      this.live = null;
      this.mode = 'idle';
    }
  }

  private export(kind: 'html' | 'json' | 'csv', path: string): void {
    if (!this.recorder) {
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: 'There is no run to export yet',
        remedy: 'Add a stream or start a ramp first',
      });
    }
    const running = this.mode !== 'idle';
    exportRun(this.recorder.folder.path, kind, path, this.options.application.reportTemplate, running);
  }

  private newRecorder(
    experiment: string,
    title: string,
    parameters: Record<string, unknown>,
    command: string,
    { environment }: ChosenSource,
  ): Recorder {
    const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${experiment}`;
    const recorder = new Recorder({
      folder: join(this.options.runsFolder, name),
      start: {
        experiment,
        title,
        parameters,
        command,
        thresholds: { ...defaultThresholds },
        environment: captureEnvironment(this.clockSync, {
          whiteline: this.options.version,
          ndi: this.ndi,
          source: environment,
        }),
      },
      onProblem: (error) => {
        this.alert('output', 'error', toProblem(error));
        if (this.ramp) this.ramp.abort.abort();
        else void this.enqueue(() => this.stop());
      },
    });
    this.marks.length = 0;
    this.outcome = { verdict: null, reason: '' };
    this.recorder = recorder;
    return recorder;
  }

  private noteEvent(...event: Parameters<Recorder['event']>): void {
    const [kind, text] = event;
    this.recorder?.event(...event);
    if (kind === 'stream-added' || kind === 'stream-removed') this.mark(text);
    if (kind === 'host-died') {
      this.alert('host', 'warning', {
        code: 'HOST_DIED',
        message: text,
        remedy: 'It is started again; the row in which it died is INVALID',
      });
    }
    if (kind === 'source-damaged') {
      this.alert('damaged', 'warning', {
        code: 'MOVIE_UNREADABLE',
        message: text,
        remedy: 'whiteline content verify names every damaged frame of a movie',
      });
    }
    if (kind === 'problem') this.alert('problem', 'error', { code: 'INTERNAL', message: text });
  }

  private mark(label: string): void {
    this.marks.push({
      wallMs: wallMsOf(monotonicNs(), this.wallOffsetUs),
      streams: this.set.streams.length,
      label,
    });
    this.listener.onChange();
  }

  private alert(key: string, severity: Alert['severity'], problem: Problem): void {
    this.alerts.set(key, { key, severity, ...problem });
    this.listener.onChange();
  }

  private keepSample(sample: LoadSample): void {
    this.samples.push(withoutInterfaces(sample));
    if (this.samples.length > sampleHistory) this.samples.shift();
    if (this.mode !== 'idle') this.recorder?.sample(sample);
    this.listener.onSample(sample);
  }

  private tick(): void {
    const nowNs = monotonicNs();
    this.live?.tick(nowNs);
    const { source } = this.set;
    if (source?.status?.state === 'failed') {
      const remedy = 'Check the movie, then stop and start again; until then the last picture is shown';
      this.alert('source', 'error', {
        code: 'MOVIE_UNREADABLE',
        message: `${source.text}: ${source.status.message}`,
        remedy,
      });
    }
    if (this.mode !== 'idle') this.listener.onChange();
  }

  private progressNow(): Progress | null {
    if (!this.progress) return null;
    const { progress, sinceNs } = this.progress;
    const phaseElapsedSeconds = Math.min(progress.phaseSeconds, (monotonicNs() - sinceNs) / 1e9);
    return {
      ...progress,
      phaseElapsedSeconds,
      remainingSeconds: Math.max(0, progress.remainingSeconds - phaseElapsedSeconds),
    };
  }
}

function busy(): WhitelineError {
  return new WhitelineError({ code: 'BAD_INPUT', message: 'A ramp is running', remedy: 'Stop it first' });
}
