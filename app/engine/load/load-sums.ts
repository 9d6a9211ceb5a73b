import type { LoadSample, RoleLoad, RoleTraffic } from '../../protocol/load';
import { Mean } from './mean';
import { PartlyKnown } from './partly-known';
import { RunningQuantile } from './running-quantile';

/** CPU of this machine that our processes did not use, %; or why the machine or one of our roles was not measured. */
export function othersCpuOf({ cpuPercent, roles, notMeasured }: LoadSample): number | string {
  if (cpuPercent === null) return notMeasured.cpuPercent ?? 'not measured';
  const unread = Object.keys(roles).map((role) => notMeasured[`roles.${role}`]);
  const reason = unread.find((why) => why !== undefined);
  if (reason !== undefined) return reason;
  const own = Object.values(roles).reduce((total, role) => total + (role?.cpuPercent ?? 0), 0);
  return Math.max(0, cpuPercent - own);
}

/** The same where a role was not measured: what it took is among it. Null: not even that is known. */
function mostOthersCpuOf({ cpuPercent, roles }: LoadSample): number | null {
  if (cpuPercent === null) return null;
  return Math.max(
    0,
    Object.values(roles).reduce((left, role) => left - (role?.cpuPercent ?? 0), cpuPercent),
  );
}

/** How much a count rose. Samples overlap, two to a second: every second one counts. */
class Rise {
  private samples = 0;
  private sum: number | null = null;

  add(value: number | null): void {
    const isCounted = this.samples++ % 2 === 0;
    if (isCounted && this.samples === 1) this.sum = value;
    else if (isCounted && this.sum !== null) this.sum = value === null ? null : this.sum + value;
  }

  /** Null as soon as one of those that count is not known. */
  get total(): number | null {
    return this.sum;
  }
}

/** What our processes of one role took. */
export class RoleSums {
  readonly cpuPercent = new Mean();
  readonly memoryMb = new Mean();
  readonly gpuPercent = new Mean();
  private readonly sentMbps = new Mean();
  private readonly receivedMbps = new Mean();
  private lacksTraffic = false;
  /** Samples that report the parts. */
  private divided = 0;
  /** Each over the samples that have it. */
  private readonly parts = new Map<string, Mean>();

  add(load: RoleLoad): void {
    this.cpuPercent.add(load.cpuPercent);
    this.memoryMb.add(load.memoryMb);
    this.gpuPercent.add(load.gpuPercent ?? null);
    this.sentMbps.add(load.traffic?.sentMbps ?? null);
    this.receivedMbps.add(load.traffic?.receivedMbps ?? null);
    this.lacksTraffic ||= !load.traffic;
    if (!load.parts) return;
    this.divided += 1;
    for (const { name, cpuPercent } of load.parts) {
      const part = this.parts.get(name) ?? new Mean();
      part.add(cpuPercent);
      this.parts.set(name, part);
    }
  }

  /** What its own sockets carried; null as soon as one sample lacks it, since that of the others is not the whole. */
  trafficMbps(direction: keyof RoleTraffic): number | null {
    return this.lacksTraffic ? null : this[direction].mean;
  }

  /** Mean over parts of this name, over all samples that report parts: a sample without such a part counts as 0. */
  partMean(isMeant: (name: string) => boolean): number | null {
    if (this.divided === 0) return null;
    let sum = 0;
    for (const [name, part] of this.parts) if (isMeant(name)) sum += part.total;
    return sum / this.divided;
  }

  /** Of one part, over the samples that have it. */
  reportedMean(name: string): number | null {
    return this.parts.get(name)?.mean ?? null;
  }
}

export const noSamples = 'no load sample lies wholly within the row';

/** The load of a time, out of samples that are added one by one: reading it costs the same however long that time is. */
export class LoadSums {
  samples = 0;
  private firstNs = 0;
  private lastNs = 0;
  readonly cpuPercent = new Mean();
  private readonly cpuQuantile = new RunningQuantile(0.95);
  readonly cpuStealPercent = new Mean();
  readonly gpuPercent = new Mean();
  readonly loopbackMbps = new Mean();
  readonly wireReceiveMbps = new Mean();
  readonly wireTransmitMbps = new Mean();
  readonly wireErrors = new Rise();
  readonly wireDropped = new Rise();
  readonly tcpRetransmits = new Rise();
  /** Streams that were open. */
  readonly streams = new Mean();
  /** CPU of this machine that our processes did not use. */
  readonly othersCpuPercent = new PartlyKnown();
  readonly othersGpuPercent = new PartlyKnown();
  /** GPU load of samples that do not report what other programs took of it. */
  readonly gpuWithoutOthers = new Mean();
  /** One for each role with a running process. */
  private readonly roles = new Map<string, RoleSums>();
  /** The first reason that a sample gave for a figure that it lacks. */
  readonly notMeasured = new Map<string, string>();

  static of(samples: readonly LoadSample[]): LoadSums {
    const sums = new LoadSums();
    for (const sample of samples) sums.add(sample);
    return sums;
  }

  get cpuP95Percent(): number | null {
    return this.cpuQuantile.value;
  }

  add(sample: LoadSample): void {
    const { atNs, cpuPercent, gpuPercent, gpuOthersPercent, roles } = sample;
    if (this.samples === 0) this.firstNs = atNs;
    this.lastNs = atNs;
    this.samples += 1;
    this.streams.add(sample.streams);
    this.cpuPercent.add(cpuPercent);
    if (cpuPercent !== null) this.cpuQuantile.add(cpuPercent);
    this.othersCpuPercent.add(atNs, othersCpuOf(sample), mostOthersCpuOf(sample));
    this.cpuStealPercent.add(sample.cpuStealPercent);
    this.gpuPercent.add(gpuPercent);
    this.othersGpuPercent.add(
      atNs,
      gpuOthersPercent ?? sample.notMeasured.gpuOthersPercent ?? 'not measured',
    );
    if (gpuOthersPercent === null) this.gpuWithoutOthers.add(gpuPercent);
    this.loopbackMbps.add(sample.loopbackMbps);
    this.wireReceiveMbps.add(sample.wireReceiveMbps);
    this.wireTransmitMbps.add(sample.wireTransmitMbps);
    this.wireErrors.add(sample.wireErrors);
    this.wireDropped.add(sample.wireDropped);
    this.tcpRetransmits.add(sample.tcpRetransmits);
    for (const [role, load] of Object.entries(roles)) if (load) this.addRole(role, load);
    for (const [field, reason] of Object.entries(sample.notMeasured))
      if (reason && !this.notMeasured.has(field)) this.notMeasured.set(field, reason);
  }

  /** How much time the samples tell of: each of the second before it. */
  get seconds(): number {
    return this.samples === 0 ? 0 : (this.lastNs - this.firstNs) / 1e9 + 1;
  }

  /** Why a figure of the samples is null. */
  whyNot(field: string): string {
    return this.samples === 0 ? noSamples : (this.notMeasured.get(field) ?? 'not measured');
  }

  role(name: string): RoleSums {
    return this.roles.get(name) ?? new RoleSums();
  }

  private addRole(role: string, load: RoleLoad): void {
    const sums = this.role(role);
    sums.add(load);
    this.roles.set(role, sums);
  }
}
