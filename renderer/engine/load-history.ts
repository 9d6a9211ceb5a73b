import type { LossSample, StreamMark } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { ReportLoad } from '../../app/protocol/report';
import { longestStepSeconds } from '../charts/gaps';
import { SampleRing } from '../charts/sample-ring';

/** An hour of load and of losses, twice a second. */
const liveCapacity = { load: 7200, loss: 7200 };
const markCapacity = 1000;
/** Samples come twice a second, and in pieces of a quarter of one: later than this nothing comes at all. */
const silentAfterMs = 3000;

/** Columns of the ring of load samples. */
export const loadColumns = {
  cpuMachine: 0,
  cpuSending: 1,
  cpuReceiving: 2,
  gpu: 3,
  loopback: 4,
  wireOut: 5,
  wireIn: 6,
  latencyP50: 7,
  latencyP99: 8,
} as const;

export interface OutageSpan {
  fromMs: number;
  toMs: number;
}

/** Load, losses and stream marks over time: what the charts draw. Outside React; its viewers subscribe. */
export class LoadHistory {
  readonly load: SampleRing;
  readonly loss: SampleRing;
  marks: StreamMark[] = [];
  /** Of a recorded run: when a stream brought no picture. */
  outages: readonly OutageSpan[] = [];
  /** Of the newest sample: from a field's name to the reason why it is null. */
  notMeasured: Record<string, string> = {};
  private readonly listeners = new Set<() => void>();
  private silence: ReturnType<typeof setTimeout> | undefined;
  private silent = false;

  constructor(capacity = liveCapacity, samplesPerPoint = 1) {
    const longestStep = longestStepSeconds(samplesPerPoint);
    this.load = new SampleRing(Object.keys(loadColumns).length, capacity.load, longestStep);
    this.loss = new SampleRing(1, capacity.loss, longestStep);
  }

  /** True once no sample has come for some seconds: what came last is not what is now. */
  get isSilent(): boolean {
    return this.silent;
  }

  addSamples(samples: readonly LoadSample[], losses: readonly LossSample[]): void {
    for (const sample of samples) {
      this.load.push(sample.wallMs / 1000, [
        sample.cpuPercent,
        sample.roles.sending?.cpuPercent ?? null,
        sample.roles.receiving?.cpuPercent ?? null,
        sample.gpuPercent,
        sample.loopbackMbps,
        sample.wireTransmitMbps,
        sample.wireReceiveMbps,
        sample.latencyP50Ms,
        sample.latencyP99Ms,
      ]);
      this.notMeasured = sample.notMeasured;
    }
    for (const { wallMs, lostPerSecond } of losses) this.loss.push(wallMs / 1000, [lostPerSecond]);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.fallSilent(), silentAfterMs);
    this.silent = false;
    this.report();
  }

  /** A figure of now; null: not measured, or nothing comes any more. */
  now(column: number): number | null {
    return this.silent ? null : this.load.last(column);
  }

  /** Nothing more comes from the engine. */
  fallSilent(): void {
    clearTimeout(this.silence);
    if (this.silent) return;
    this.silent = true;
    this.report();
  }

  /** The load of a finished run, as its report has it: the columns of both rings, the losses last. */
  addColumns({ wallMs, columns, notMeasured }: ReportLoad): void {
    const [losses = [], ...figures] = [columns.at(-1), ...columns.slice(0, -1)];
    wallMs.forEach((atMs, index) => {
      this.load.push(
        atMs / 1000,
        figures.map((column) => column?.[index] ?? null),
      );
      this.loss.push(atMs / 1000, [losses[index] ?? null]);
    });
    this.notMeasured = notMeasured;
    this.report();
  }

  /** All marks of the newest run: those of the run before are gone with it. */
  setMarks(marks: readonly StreamMark[]): void {
    const shown = marks.slice(-markCapacity);
    const isSame =
      shown.length === this.marks.length &&
      shown.every((mark, index) => markKey(mark) === markKey(this.marks[index] as StreamMark));
    if (isSame) return;
    this.marks = shown;
    this.report();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private report(): void {
    for (const listener of this.listeners) listener();
  }
}

function markKey({ kind, wallMs, streams, label }: StreamMark): string {
  return `${kind} ${wallMs} ${streams} ${label}`;
}
