import { useMemo } from 'react';
import type { MachinePreflight } from '../../app/protocol/archive';
import type { MachineLine } from '../../app/protocol/fleet/fleet-view';
import { mostMachines } from '../../app/protocol/stream-parameters';
import { useReading, useRecording } from '../sessions/archive';

/** By the id of the machine's agent; null: this machine. */
export type Preflights = ReadonlyMap<string | null, MachinePreflight>;

/** What the newest preflight of each machine found; read anew when a run has ended. */
export function usePreflights(): Preflights {
  const { result } = useReading({ name: 'listPreflights' }, useRecording());
  return useMemo(() => new Map(result?.map((one) => [one.machineId, one])), [result]);
}

/** Those that one preflight can look at side by side; null: there are none, or too many. */
export function checkable(machines: readonly MachineLine[]): string[] | null {
  const names = machines.filter(({ state }) => state === 'connected').map(({ name }) => name);
  return names.length > 0 && names.length <= mostMachines ? names : null;
}
