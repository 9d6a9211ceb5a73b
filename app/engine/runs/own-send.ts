import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import { beatMs } from '../../protocol/beat';
import type { Clock } from '../../protocol/clock';
import type { StreamView } from '../../protocol/console';
import { WhitelineError } from '../../protocol/errors';
import { framesPerSecond, type VideoFormat } from '../../protocol/format';
import type { HostReady } from '../../protocol/host';
import type { Fault } from '../../protocol/records';
import type { SourceSettings } from '../../protocol/source-spec';
import type { ThresholdProfile } from '../../protocol/thresholds';
import { ndiRuntimeOf } from '../../protocol/transports';
import { checkFaults } from '../faults/expected-counts';
import type { HostApplication } from '../host-application';
import { Instrument } from '../instrument';
import type { SampleLoad } from '../load/sample-machine';
import { environmentMessages } from '../machine/packed-environment';
import { readMachine } from '../machine/read-machine';
import { appVersion } from '../sessions/environment';
import type { Recorder } from '../sessions/recorder';
import { firstSlotFrom } from '../streams/counting/schedule';
import type { Stream } from '../streams/stream';
import type { NoteEvent } from '../streams/stream-hosts';
import { ownRecorder } from './own-recorder';
import type { Asked } from './prepared-run';
import { type WatchProgress, WatchRun } from './watch-run';

export interface OwnSendOptions {
  application: HostApplication;
  clock: Clock;
  /** Folder of the app: package.json, dist. */
  appFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  profile: ThresholdProfile;
  rowSeconds: number;
  /** Put into the newest stream, counted from its first measured slot. */
  faults: readonly Fault[];
  /** By default this machine is sampled; a test makes its load up. */
  sampleLoad?: SampleLoad;
  /** Ends what is sent. */
  signal: AbortSignal;
  /** Beside recording it. */
  onEvent: NoteEvent;
  onViews(views: StreamView[], now: WatchProgress): void;
  /** The first row is open. */
  onMeasuring(): void;
  onRow(row: StreamsRow): void;
  /** The folder of the run cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** Records are shared at each beat; one may have just begun, and what it shares takes a while on its way. */
const endBeats = 3;

/** What is sent, and where it is recorded. */
export interface SendSettings {
  source: SourceSettings;
  streams: number;
  /** Each stream plays a source of its own, with its own id. Default: all play one. */
  ownSources?: boolean;
  name: string;
  audio: boolean;
  /** For how long; infinite: until it is stopped. */
  limitSeconds: number;
  /** Absent: nowhere. */
  record?: { folder: string; asked(source: unknown): Asked };
}

/** Streams that others receive, and what their senders submitted and missed: `whiteline send`. */
export class OwnSend {
  readonly instrument: Instrument;
  readonly run: WatchRun;
  private recorder: Recorder | null = null;

  constructor(private readonly options: OwnSendOptions) {
    const { application, clock, appFolder, ndiPath, profile, rowSeconds, signal, faults } = options;
    const { sampleLoad, onViews, onMeasuring, onRow, onEvent } = options;
    const instrument: Instrument = new Instrument({
      ...{ application, clock, appFolder, ndiPath, sampleLoad },
      ...{ shareRecords: true, isReceiverRemote: true },
      noteEvent: (...event) => {
        onEvent(...event);
        this.recorder?.event(...event);
      },
      onSample: (sample) => {
        // A remote watcher learns how busy this machine was when a frame was missed.
        instrument.set.watchers.sendLoad(sample);
        this.run.addSample(sample);
        this.recorder?.sample(sample);
      },
      onChange: () => undefined,
    });
    this.instrument = instrument;
    this.run = new WatchRun({
      ...{ clock, set: instrument.set, isSenderRemote: false, thresholds: profile.thresholds },
      ...{ rowSeconds, signal, wallOffsetUs: instrument.wall.offsetUs },
      noteEvent: () => undefined,
      ...{ onViews, onMeasuring },
      onState: () => undefined,
      onFirstRow: faults.length === 0 ? undefined : (firstSlot) => this.putIn(faults, firstSlot),
      onRow: (row) => {
        this.recorder?.row(row);
        onRow(row);
      },
    });
  }

  /** @throws WhitelineError if the transport cannot be loaded */
  async start(): Promise<HostReady> {
    const ready = await this.instrument.start();
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    return ready;
  }

  /**
   * Opens the source and its senders.
   * @returns the format that is sent
   * @throws WhitelineError for what cannot be played, for faults that do not fit, and where the run cannot begin
   */
  async open({ transport }: HostReady, settings: SendSettings): Promise<VideoFormat> {
    const { application, appFolder, profile, onProblem, faults } = this.options;
    const { set, wall } = this.instrument;
    const { environment: source } = await set.choose(settings.source);
    const active = await set.openSource(settings.source);
    const { format } = active;
    checkFaults(faults, format.rate, Math.floor(settings.limitSeconds * framesPerSecond(format.rate)));
    const ours = { whiteline: appVersion(appFolder), ndi: ndiRuntimeOf(transport)?.version ?? null };
    const machine = await readMachine(set.nativeHost, ours);
    set.watchers.sendEnvironment(environmentMessages(machine));
    const { folder, asked } = settings.record ?? {};
    if (folder !== undefined && asked)
      this.recorder = ownRecorder({
        ...{ folder, asked: asked(source), profile, wall, transport, machine },
        ...{ application, appFolder, onProblem },
      });
    const { name, audio, streams, ownSources } = settings;
    for (let index = 0; index < streams; index++) {
      const isOwn = ownSources && index > 0;
      const source = isOwn ? await set.openSource(settings.source, { beside: true }) : active;
      await set.addSender(name, { audio, source });
    }
    return format;
  }

  /** Puts faults into a stream that is sent. Their numbers count from the first slot that is `aheadNs` away. */
  async inject(stream: Stream, faults: readonly Fault[], aheadNs: number): Promise<void> {
    const { instrument, options } = this;
    if (!stream.ledger) throw new Error(`${stream.name} has sent no frame yet`);
    const first = firstSlotFrom(stream.ledger.source.schedule, options.clock.monotonicNs() + aheadNs);
    await instrument.set.setFaults(stream, faults, first);
  }

  get names(): string[] {
    return this.instrument.set.streams.map(({ name }) => name);
  }

  /** Its receivers learn that it ends as asked, and get the records of all that was due until now. */
  async sayEnd(): Promise<void> {
    const { set } = this.instrument;
    if (set.streams.every(({ connections }) => connections === 0)) return;
    await set.watchers.sayEnd();
    await this.options.clock.sleep(endBeats * beatMs);
  }

  /** Ends what is recorded. Resolves once run.json says so. */
  async end(state: Run['state'], verdict: Run['verdict'], reason: string): Promise<void> {
    await this.recorder?.end(state, verdict, reason);
  }

  /** Resolves when its processes are gone. */
  close(): Promise<void> {
    return this.instrument.close();
  }

  /** Into the newest stream, as a run does. */
  private async putIn(faults: readonly Fault[], firstSlot: (stream: Stream) => number | null): Promise<void> {
    const { set } = this.instrument;
    const newest = set.streams.at(-1);
    const first = newest ? firstSlot(newest) : null;
    if (!newest || first === null)
      throw new Error(
        'Faults are counted from the newest stream’s first slot in the first row, and that row has none',
      );
    await set.setFaults(newest, faults, first);
  }
}
