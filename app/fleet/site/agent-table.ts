import type { InvitedAgent } from './agents';

/** What of an agent may be shown: nothing of its secret. */
export type ListedAgent = Pick<InvitedAgent, 'id' | 'name' | 'invitedAt'>;

const heads = ['NAME', 'ID', 'INVITED'];

/**
 * The invited agents as lines of a table, under a head.
 * @param presenceOf says in words whether an agent of this id is connected; null: the caller does not listen to agents
 */
export function agentTable(
  agents: readonly ListedAgent[],
  presenceOf: ((agentId: string) => string) | null,
): string[] {
  const head = presenceOf ? [...heads, 'PRESENCE'] : heads;
  const rows = agents.map(({ id, name, invitedAt }) => {
    const cells = [name, id, invitedAt.replace(/\.\d+Z$/, 'Z')];
    return presenceOf ? [...cells, presenceOf(id)] : cells;
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
