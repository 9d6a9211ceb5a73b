import { hostname } from 'node:os';
import type { LoadSample } from '../../protocol/load';
import type { SharedLoad } from '../../protocol/shared-records';
import { othersCpuOf } from '../load/load-sums';
import { networkId } from '../machine/boot-id';
import { ReportedLoads } from '../streams/rows/reported-load';

/** The machine at one end of streams whose ends are on two machines. */
export interface MachineSide {
  /** For people. */
  readonly name: string;
  /** Two machines of one network reach each other over loopback (`networkId`); empty: not known. */
  readonly network: string;
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

  constructor(
    readonly name: string = hostname(),
    readonly network: string = networkId(),
  ) {}

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

/** Whether what one of them sends to the other stays on loopback. Without a side it is this machine. */
export function shareLoopback(one: MachineSide | undefined, other: MachineSide | undefined): boolean {
  const [first, second] = [one, other].map((side) => (side ? side.network : networkId()));
  return one === other || (first !== '' && first === second);
}
