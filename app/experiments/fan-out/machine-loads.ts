import type { ContextWith } from '../../engine/experiment/experiment';
import { loadSumsOf, type MachineOfRow } from '../../engine/experiment/machines-of-row';
import { sampledTo } from '../../engine/experiment/machines-row';
import { compareMachineCpu } from '../../engine/load/cpu';
import { noSamples } from '../../engine/load/load-sums';
import type { EndMachine } from './end-machine';
import type { OpenPath } from './path';

type Measuring = Pick<ContextWith<'machine'>, 'clock' | 'machine' | 'samples'>;

/** One on which ends of a row ran. */
export interface MeasuredMachine {
  /** Null: this one, which is the only one. */
  name: string | null;
  cores: number;
  /** All cores = 100, while samples were to be written; null: not known. */
  cpuPercent: number | null;
  /** Why it is not known, where it is not. */
  whyUnknown: string;
}

/** Why the load of this machine is not known. */
export const noMachineLoad = 'this system does not say it, or cores were switched on or off meanwhile';

/** Those of a row, each once, that of the publisher first; empty: it is this one alone. */
function machinesOf({ publisher, subscribers }: OpenPath): EndMachine[] {
  return [publisher, ...subscribers].flatMap(({ machine }) => machine ?? []);
}

/** The same as rows are opened for them. */
export function machinesOfRow(path: OpenPath): MachineOfRow[] {
  return machinesOf(path).map(({ name, remote = null }, index) => ({
    ...{ name, remote },
    column:
      index === 0
        ? { side: 'sender', role: 'fan-out-publisher' }
        : { side: 'receiver', role: 'fan-out-subscribers' },
  }));
}

/** How busy each machine of a row is between two moments of our monotonic clock, the later one to come. */
export async function loadsBetween(
  context: Measuring,
  path: OpenPath,
  fromNs: number,
  toNs: number,
  signal: AbortSignal,
): Promise<MeasuredMachine[]> {
  const ownCpu = ownCpuBetween(context, fromNs, toNs, signal);
  const machines = machinesOf(path);
  if (machines.length === 0)
    return [
      { name: null, cores: context.machine.cores(), cpuPercent: await ownCpu, whyUnknown: noMachineLoad },
    ];
  const ownPercent = await ownCpu;
  await sampledTo(
    toNs,
    machines.flatMap(({ remote }) => remote ?? []),
    context.clock,
    signal,
  );
  return machines.map(({ name, cores, remote = null }) => {
    const sums = loadSumsOf({ remote }, context.samples(fromNs, toNs), fromNs, toNs);
    const whyUnknown = sums.samples === 0 ? noSamples : sums.whyNot('cpuPercent');
    return { name, cores, whyUnknown, cpuPercent: remote ? sums.cpuPercent.mean : ownPercent };
  });
}

/** Rows may be shorter than the time between two load samples. */
async function ownCpuBetween(
  { clock, machine }: Measuring,
  fromNs: number,
  toNs: number,
  signal: AbortSignal,
): Promise<number | null> {
  const at = async (ns: number) => {
    await clock.sleep(Math.max(0, (ns - clock.monotonicNs()) / 1e6), signal);
    return { cpu: machine.cpu(), ns: clock.monotonicNs() };
  };
  const before = await at(fromNs);
  const after = await at(toNs);
  return compareMachineCpu(before.cpu, after.cpu, (after.ns - before.ns) / 1e9)?.busyPercent ?? null;
}
