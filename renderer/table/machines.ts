import type { Row } from '../../app/facts/row';
import { hostsWith } from '../../app/facts/row-figures';

/** What a machine does for a stream. */
export type StreamEnd = 'sender' | 'receiver';

/** The machines that have this end of the streams of these rows, in their order; empty if it is only the one that counts. */
export function machinesOf(rows: readonly Row[], end: StreamEnd): string[] {
  const hosts = new Set(
    rows.flatMap(({ subjects }) => subjects.flatMap((stream) => stream.hosts[end] ?? [])),
  );
  const consoles = new Set(rows.flatMap((row) => hostsWith(row, 'instrument').map(([host]) => host)));
  // Runs of an older version do not say which one counts.
  const isElsewhere = consoles.size > 0 && [...hosts].some((host) => !consoles.has(host));
  return hosts.size > 1 || isElsewhere ? [...hosts] : [];
}
