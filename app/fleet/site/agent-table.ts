import type { InvitedAgent } from './agents';

/** What of an agent may be shown: nothing of its secret. */
export type ListedAgent = Pick<InvitedAgent, 'id' | 'name' | 'invitedAt'>;

/** What it says of itself at the moment: the version of Whiteline there, and which console has its lease. */
export interface ConnectedAgent {
  version: string;
  presence: { holder: string | null } | null;
}

const heads = ['NAME', 'ID', 'INVITED'];
const headsOfConnected = ['CONNECTED', 'VERSION', 'CONSOLE'];
const notConnected = ['no', '-', '-'];

/**
 * The invited agents as lines of a table, under a head.
 * @param connected those that are connected, by their ids; null: it is not known
 */
export function agentTable(
  agents: readonly ListedAgent[],
  connected: ReadonlyMap<string, ConnectedAgent> | null,
): string[] {
  const head = connected ? [...heads, ...headsOfConnected] : heads;
  const rows = agents.map(({ id, name, invitedAt }) => {
    const cells = [name, id, invitedAt.replace(/\.\d+Z$/, 'Z')];
    if (!connected) return cells;
    const here = connected.get(id);
    return [...cells, ...(here ? ['yes', here.version, here.presence?.holder ?? '-'] : notConnected)];
  });
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
