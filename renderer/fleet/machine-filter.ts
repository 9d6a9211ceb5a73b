import type { MachineLine } from '../../app/protocol/fleet/fleet-view';

export type MachineFilter = 'all' | 'connected' | 'problems';

/** Invited and never seen is no problem: it may be for the next day. */
export function hasProblem({ state, problems }: MachineLine): boolean {
  return problems.length > 0 || state === 'silent';
}

const passes: Record<MachineFilter, (line: MachineLine) => boolean> = {
  all: () => true,
  connected: ({ state }) => state === 'connected',
  problems: hasProblem,
};

/** @param sought as typed: part of a name, of who uses it, or of a problem */
export function filtered(
  machines: readonly MachineLine[],
  filter: MachineFilter,
  sought: string,
): readonly MachineLine[] {
  const text = sought.trim().toLowerCase();
  return machines.filter(
    (line) =>
      passes[filter](line) &&
      (text === '' ||
        [line.name, line.console ?? '', ...line.problems].some((one) => one.toLowerCase().includes(text))),
  );
}
