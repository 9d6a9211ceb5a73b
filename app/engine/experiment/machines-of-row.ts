import { hostname } from 'node:os';
import type { ClosedRow } from '../../facts/row';
import type { LoadSample } from '../../protocol/load';
import type { RemoteMachine } from '../host-application';
import { LoadSums } from '../load/load-sums';
import type { ProcessStandstill } from '../load/standstills';
import { hostLoad, samplesWithin } from '../load/window';
import type { MeasuredTime } from '../streams/rows/instrument-faults';
import { standstillsOfEnds } from '../streams/rows/machines-of';

/** A machine of a row that is measured on several, without streams. */
export interface MachineOfRow {
  /** As the row calls it. */
  name: string;
  /** Null: it is this one. */
  remote: Pick<RemoteMachine, 'samples' | 'unreachableSinceNs'> | null;
  /** The column of its load, and the role under which its samples count what measures there; absent: the experiment has its own. */
  column?: { side: 'sender' | 'receiver'; role: string };
}

/** What a row has of its machines. */
export type HostsOfRow = Pick<ClosedRow, 'load' | 'notMeasured'>;

/** As guards take them; none: this machine alone. */
export function sampledMachines(
  machines: readonly MachineOfRow[],
  ownSamples: readonly LoadSample[],
): Pick<MeasuredTime, 'machines' | 'ownName'> {
  if (machines.length === 0) return { machines: [{ samples: ownSamples }] };
  return {
    ownName: hostname(),
    machines: machines.map(({ name, remote }) => ({
      ...{ machine: name, isElsewhere: remote !== null, samples: remote?.samples ?? ownSamples },
    })),
  };
}

/** If this machine is not one of the row's, it only collects what they report, and its own standstills cost the row nothing. */
export function standstillsOfMachines(
  machines: readonly MachineOfRow[],
  own: readonly ProcessStandstill[],
): readonly ProcessStandstill[] {
  const isEndHere = machines.some(({ remote }) => remote === null);
  return standstillsOfEnds([...own], { ourName: hostname(), isEndHere });
}

/** Load of a machine between two moments. */
export function loadSumsOf(
  { remote }: Pick<MachineOfRow, 'remote'>,
  ownSamples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
): LoadSums {
  return LoadSums.of(samplesWithin(remote?.samples ?? ownSamples, fromNs, toNs));
}

/** The load of each of them in the time of a row. */
export function hostsOfRow(
  machines: readonly MachineOfRow[],
  ownSamples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
): HostsOfRow {
  const load: HostsOfRow['load'] = {};
  const notMeasured: HostsOfRow['notMeasured'] = {};
  for (const { name, remote, column } of machines) {
    load[name] = {};
    if (!column) continue;
    const { side, role } = column;
    const carrier = side === 'sender' ? 'wireTransmitMbps' : 'wireReceiveMbps';
    const host = hostLoad(loadSumsOf({ remote }, ownSamples, fromNs, toNs), role, carrier);
    load[name] = { [side]: host.load };
    for (const [field, why] of Object.entries(host.notMeasured)) {
      const id = `${side}.${field}`;
      notMeasured[id] = [notMeasured[id], `${name}: ${why}`].filter(Boolean).join('; ');
    }
  }
  return { load, notMeasured };
}
