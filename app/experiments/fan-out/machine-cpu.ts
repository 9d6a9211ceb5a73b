import type { ContextWith } from '../../engine/experiment/experiment';
import type { MachineOfRow } from '../../engine/experiment/machines-of-row';
import { meanOf } from '../../engine/experiment/repeats';
import { compareMachineCpu } from '../../engine/load/cpu';
import { samplesWithin } from '../../engine/load/window';
import { leaseSeconds } from '../../protocol/thresholds';
import { type EndMachine, samplesOf } from './end-machine';
import type { MeasuredMachine } from './measure';
import type { OpenPath } from './path';

type Measuring = Pick<ContextWith<'machine'>, 'clock' | 'machine'>;

const lookMs = 100;
/** The next sample lies behind the row. */
const sampledNs = 0.5e9;

/** Those of a row, each once, that of the publisher first; empty where it is this one alone. */
function machinesOf({ publisher, subscribers }: OpenPath): EndMachine[] {
  return [...new Set([publisher, ...subscribers].flatMap(({ machine }) => machine ?? []))];
}

/** The same as a row knows them. */
export function machinesOfRow(path: OpenPath): MachineOfRow[] {
  return machinesOf(path).map(({ name, remote }) =>
    name === path.publisher.machine?.name
      ? { name, remote, side: 'sender', role: 'fan-out-publisher' }
      : { name, remote, side: 'receiver', role: 'fan-out-subscribers' },
  );
}

/** How busy each machine of a row is between two moments of our monotonic clock, the later one to come. */
export async function machinesBetween(
  context: Measuring,
  path: OpenPath,
  fromNs: number,
  toNs: number,
  signal: AbortSignal,
): Promise<MeasuredMachine[]> {
  const machines = machinesOf(path);
  if (machines.length === 0) {
    const cpuPercent = await ownCpuBetween(context, fromNs, toNs, signal);
    return [{ name: null, cores: context.machine.cores(), cpuPercent }];
  }
  return Promise.all(
    machines.map(async (machine) => ({
      ...{ name: machine.name, cores: machine.cores },
      cpuPercent: machine.remote
        ? await sampledCpuBetween(context, machine, fromNs, toNs, signal)
        : await ownCpuBetween(context, fromNs, toNs, signal),
    })),
  );
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

/** Of another machine, whose samples are on their way for a second or more. */
async function sampledCpuBetween(
  { clock }: Measuring,
  machine: EndMachine,
  fromNs: number,
  toNs: number,
  signal: AbortSignal,
): Promise<number | null> {
  const untilNs = toNs + leaseSeconds * 1e9;
  const isSampled = (): boolean => (samplesOf(machine, []).at(-1)?.atNs ?? 0) >= toNs - sampledNs;
  await clock.sleep(Math.max(0, (toNs - clock.monotonicNs()) / 1e6), signal);
  while (!isSampled() && clock.monotonicNs() < untilNs && !signal.aborted) await clock.sleep(lookMs, signal);
  const samples = samplesWithin(samplesOf(machine, []), fromNs, toNs);
  return meanOf(samples.flatMap(({ cpuPercent }) => cpuPercent ?? []));
}
