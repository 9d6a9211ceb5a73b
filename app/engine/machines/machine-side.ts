import { hostname } from 'node:os';
import type { LoadSample } from '../../protocol/load';
import type { SharedLoad } from '../../protocol/shared-records';
import { othersCpuOf } from '../load/load-sums';
import { ReportedLoads } from '../streams/rows/reported-load';

/** The machine at one end of streams whose ends are on two machines. */
export interface MachineSide {
  /** For people. */
  readonly name: string;
  /** How busy it was, as causes of losses take it. */
  readonly loads: ReportedLoads;
  /** The same as columns take it: of its newest hour, oldest first, on our monotonic clock. */
  readonly samples: readonly LoadSample[];
}

/** A row lasts an hour at most. */
const keptSamples = 3700;

/** What one machine was sampled. */
export class SampledSide implements MachineSide {
  readonly loads = new ReportedLoads();
  samples: LoadSample[] = [];

  constructor(readonly name: string = hostname()) {}

  /** @param sample its `atNs` is of our monotonic clock */
  add(sample: LoadSample): void {
    this.samples.push(sample);
    if (this.samples.length > 1.1 * keptSamples) this.samples = this.samples.slice(-keptSamples);
    this.loads.add({ ...sharedLoadOf(sample), atNs: sample.atNs });
  }
}

/** What is told of a second to whoever judges by it. */
export function sharedLoadOf(sample: LoadSample): Omit<SharedLoad, 'measuredNs'> {
  const { cpuPercent, gpuPercent, cpuStealPercent: stealPercent } = sample;
  const others = othersCpuOf(sample);
  return { cpuPercent, gpuPercent, othersPercent: typeof others === 'number' ? others : null, stealPercent };
}
