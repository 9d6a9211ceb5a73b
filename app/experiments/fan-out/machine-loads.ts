import type { ContextWith } from '../../engine/experiment/experiment';
import type { MachineOfRow } from '../../engine/experiment/machines-of-row';
import type { RemoteMachine } from '../../engine/host-application';
import { compareMachineCpu } from '../../engine/load/cpu';
import { LoadSums, noSamples } from '../../engine/load/load-sums';
import { samplesWithin } from '../../engine/load/window';
import { leaseSeconds } from '../../protocol/thresholds';
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

const lookMs = 100;
/** The next sample lies behind the row. */
const sampledNs = 0.5e9;

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
  const measured = machines.map(async ({ name, cores, remote }): Promise<MeasuredMachine> => {
    await ownCpu;
    if (remote) await sampledTo(remote, toNs, context, signal);
    const samples = remote ? samplesWithin(remote.samples, fromNs, toNs) : context.samples(fromNs, toNs);
    const sums = LoadSums.of(samples);
    const whyUnknown = sums.samples === 0 ? noSamples : sums.whyNot('cpuPercent');
    return { name, cores, whyUnknown, cpuPercent: remote ? sums.cpuPercent.mean : await ownCpu };
  });
  return Promise.all(measured);
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

/** Its samples are on their way for a second or more. */
async function sampledTo(
  machine: RemoteMachine,
  toNs: number,
  { clock }: Measuring,
  signal: AbortSignal,
): Promise<void> {
  const untilNs = toNs + leaseSeconds * 1e9;
  const isSampled = (): boolean => (machine.samples.at(-1)?.atNs ?? 0) >= toNs - sampledNs;
  while (!isSampled() && clock.monotonicNs() < untilNs && !signal.aborted) await clock.sleep(lookMs, signal);
}
