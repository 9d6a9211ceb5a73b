import { z } from 'zod';
import type { Run } from '../../facts/run';
import { type Reads, readModes } from '../../protocol/records';

/** As `chooseSource` records it. A run without `reads` is older than the choice, and read its movie through the cache. */
const sourceSchema = z
  .object({
    kind: z.string(),
    playedBy: z.string().optional(),
    preload: z.boolean().optional(),
    reads: z.enum(readModes).optional(),
  })
  .transform(({ kind, playedBy, preload, reads }): Reads | null => {
    const isOffDisk = kind === 'hap' && playedBy === 'Whiteline' && preload === false;
    return isOffDisk ? (reads ?? 'cached') : null;
  })
  .catch(null);

/** How the run read files that were measured, movies or those of a folder under test; empty if it read none. */
export function readsOf({ environment, rows }: Pick<Run, 'environment' | 'rows'>): Reads[] {
  const { source, sources } = environment;
  const played = Array.isArray(sources) ? sources : [source];
  const found = new Set<Reads | null>(played.map((each) => sourceSchema.parse(each)));
  for (const { details } of rows) {
    if (typeof details?.direct === 'boolean') found.add(details.direct ? 'direct' : 'cached');
  }
  return readModes.filter((mode) => found.has(mode));
}
