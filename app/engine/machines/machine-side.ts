import { hostname } from 'node:os';
import type { LoadSample } from '../../protocol/load';
import type { SharedLoad } from '../../protocol/shared-records';
import { othersCpuOf } from '../load/load-sums';
import { withoutInterfaces } from '../load/sampler';
import { networkId } from '../machine/boot-id';
import { ReportedLoads } from '../streams/rows/reported-load';

/** The machine at one end of streams whose ends are on two machines. */
export interface MachineSide {
  /** For people. */
  readonly name: string;
  /** Two machines of one network reach each other over loopback (`networkId`); empty: not known. */
  readonly network: string;
  /** It is this machine. */
  readonly isOurs: boolean;
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
  private readonly listeners = new Set<(sample: LoadSample) => void>();

  readonly name: string;
  readonly network: string;
  readonly isOurs: boolean;

  /** Without a machine it is this one. */
  constructor(machine?: { name: string; network: string }) {
    this.name = machine?.name ?? hostname();
    this.network = machine?.network ?? networkId();
    this.isOurs = machine === undefined;
  }

  /** Each sample with all that it has, from now on. Returns what ends that. */
  onSample(listener: (sample: LoadSample) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** @param sample its `atNs` is of our monotonic clock */
  add(sample: LoadSample): void {
    for (const listener of this.listeners) listener(sample);
    this.samples.push(withoutInterfaces(sample));
    if (this.samples.length > 1.1 * keptSamples) this.samples = this.samples.slice(-keptSamples);
    this.loads.add({ ...sharedLoadOf(sample), atNs: sample.atNs });
  }
}

/** What those who judge by a second's load get to know of it. */
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
