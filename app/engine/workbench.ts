import type { HostReady } from '../protocol/host';
import type { LoadSample } from '../protocol/load';
import { measureWallOffsetUs } from './clock';
import type { HostApplication } from './host-application';
import { GpuSampler } from './load/gpu';
import { LoadSampler } from './load/sampler';
import { ndiCandidates } from './streams/ndi-candidates';
import { type NoteEvent, StreamSet } from './streams/stream-set';

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
  lostPerSecond(): number | null;
  onChange(): void;
}

/** What every way of measuring works with: the streams of this machine, its load, and the one clock between them. */
export class Workbench {
  readonly wallOffsetUs = measureWallOffsetUs();
  readonly set: StreamSet;
  private readonly gpu = new GpuSampler();
  private readonly sampler: LoadSampler;

  constructor(options: WorkbenchOptions) {
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
      lostPerSecond: options.lostPerSecond,
      onSample: options.onSample,
    });
  }

  start(): Promise<HostReady> {
    return this.set.start();
  }

  close(): void {
    this.sampler.close();
    this.gpu.close();
    this.set.close();
  }
}
