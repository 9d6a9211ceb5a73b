import type { StreamView } from '../protocol/console';
import type { HostReady } from '../protocol/host';
import type { LoadSample } from '../protocol/load';
import { defaultThresholds } from '../protocol/thresholds';
import { measureWallOffsetUs, monotonicNs } from './clock';
import type { HostApplication } from './host-application';
import { GpuSampler } from './load/gpu';
import { LoadSampler } from './load/sampler';
import type { NoteEvent } from './streams/living-hosts';
import { ndiCandidates } from './streams/ndi-candidates';
import { StreamSet } from './streams/stream-set';
import { StreamViews } from './streams/stream-view';

const viewEveryMs = 250;

export interface WorkbenchOptions {
  application: HostApplication;
  /** Folder of the app: package.json, node_modules, dist. */
  appFolder: string;
  /** Path of libndi from the settings. */
  ndiPath?: string;
  /** Folder for independent logs of captured numbers; none by default. */
  captureLogFolder?: string;
  /** Sent along the NDI connection, so that a watcher elsewhere can attribute losses. */
  shareRecords?: boolean;
  noteEvent: NoteEvent;
  onSample(sample: LoadSample): void;
  onChange(): void;
}

/** What every way of measuring works with: the streams of this machine, its load, and the one clock between them. */
export class Workbench {
  readonly wallOffsetUs = measureWallOffsetUs();
  readonly set: StreamSet;
  private readonly gpu = new GpuSampler();
  private readonly sampler: LoadSampler;
  private readonly timer: NodeJS.Timeout;
  private views: StreamViews;
  /** The streams as they are shown, renewed four times a second. */
  viewed: StreamView[] = [];

  constructor(private readonly options: WorkbenchOptions) {
    this.views = this.newViews(0);
    const { application } = options;
    const set = new StreamSet({
      application,
      ndiCandidates: ndiCandidates(options.ndiPath, options.appFolder),
      wallOffsetUs: this.wallOffsetUs,
      captureLogFolder: options.captureLogFolder,
      shareRecords: options.shareRecords ?? false,
      noteEvent: options.noteEvent,
      onChange: options.onChange,
    });
    this.set = set;
    this.sampler = new LoadSampler({
      wallOffsetUs: this.wallOffsetUs,
      gpu: this.gpu,
      processIds: (role) =>
        role === 'console' ? [process.pid, ...application.consoleProcessIds()] : set.processIds(role),
      openStreams: () => set.streams.length,
      lostPerSecond: () => this.lostPerSecond(),
      onSample: (sample) => {
        this.views.noteLoad(sample);
        options.onSample(sample);
      },
    });
    this.timer = setInterval(() => this.view(), viewEveryMs);
  }

  /** Counts the views of streams anew, from the end of each stream's warm-up. */
  restartViews(warmUpSeconds: number): void {
    this.views = this.newViews(warmUpSeconds);
  }

  start(): Promise<HostReady> {
    return this.set.start();
  }

  close(): void {
    clearInterval(this.timer);
    this.sampler.close();
    this.gpu.close();
    this.set.close();
  }

  private view(): void {
    const nowNs = monotonicNs();
    this.viewed = this.views.views(this.set.streams, nowNs);
  }

  private newViews(warmUpSeconds: number): StreamViews {
    return new StreamViews({
      thresholds: defaultThresholds,
      warmUpSeconds,
      wallOffsetUs: this.wallOffsetUs,
      senderElsewhere: false,
      noteEvent: this.options.noteEvent,
    });
  }

  private lostPerSecond(): number | null {
    if (this.viewed.length === 0) return null;
    return this.viewed.reduce((total, view) => total + view.lostNow, 0);
  }
}
