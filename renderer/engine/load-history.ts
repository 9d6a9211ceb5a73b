import type { LossSample, StreamMark } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { ReportLoad } from '../../app/protocol/report';
import { SampleRing } from '../charts/sample-ring';

/** An hour of load, twice a second, and of losses, once a second. */
const liveCapacity = { load: 7200, loss: 3600 };
const markCapacity = 1000;

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

/** Load, losses and stream marks over time: what the charts draw. Outside React; whoever shows it subscribes. */
export class LoadHistory {
  readonly load: SampleRing;
  readonly loss: SampleRing;
  marks: StreamMark[] = [];
  /** Of the newest sample: from a field's name to the reason why it is null. */
  notMeasured: Record<string, string> = {};
  private readonly listeners = new Set<() => void>();

  constructor(capacity = liveCapacity) {
    this.load = new SampleRing(Object.keys(loadColumns).length, capacity.load);
    this.loss = new SampleRing(1, capacity.loss);
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
    this.tell();
  }

  /** The load of a finished run, as its report has it: the columns of both rings, the losses last. */
  addColumns({ wallMs, columns, notMeasured }: ReportLoad): void {
    const [losses = [], ...figures] = [columns.at(-1), ...columns.slice(0, -1)];
    wallMs.forEach((atMs, index) => {
      this.load.push(
        atMs / 1000,
        figures.map((column) => column?.[index] ?? null),
      );
      const lost = losses[index] ?? null;
      if (lost !== null) this.loss.push(atMs / 1000, [lost]);
    });
    this.notMeasured = notMeasured;
    this.tell();
  }

  /** Marks come again after a reload, so known ones are left out. */
  addMarks(marks: readonly StreamMark[]): void {
    const known = new Set(this.marks.map(markKey));
    const fresh = marks.filter((mark) => !known.has(markKey(mark)));
    if (fresh.length === 0) return;
    this.marks = [...this.marks, ...fresh].slice(-markCapacity);
    this.tell();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function markKey({ kind, wallMs, streams, label }: StreamMark): string {
  return `${kind} ${wallMs} ${streams} ${label}`;
}
