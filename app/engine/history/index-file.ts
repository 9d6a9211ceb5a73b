import { join } from 'node:path';
import { z } from 'zod';
import { type RunSummary, runSummarySchema } from '../../protocol/history';
import { safeParse } from '../../protocol/safe-parse';
import { AppendFile } from '../sessions/append-file';
import { jsonLines } from '../sessions/json-lines';
import { replaceFileBy } from '../sessions/replace-file';
import { findRuns } from './run-folders';
import { asItIsNow, summaryOf } from './summary';

/** Beside the runs; made again whenever it is absent, old or spoilt. */
export const indexFile = '.whiteline-history.jsonl';

/** Null: its files were read, and hold no run. */
const lineSchema = z.object({
  /** Of the format that the summary was read in: what read another one wrote another summary. */
  format: z.literal(5),
  ...{ folder: z.string(), key: z.string(), summary: runSummarySchema.nullable() },
});
type Line = z.infer<typeof lineSchema>;

/**
 * Summaries of all runs below a folder. The run folders are the truth: a line of the index is taken only where the files
 * that it was made of are as they were. Where the index cannot be written, the next look takes longer.
 */
export function readSummaries(root: string): RunSummary[] {
  const path = join(root, indexFile);
  const known = new Map<string, Line>();
  let lines = 0;
  for (const value of jsonLines(path)) {
    lines += 1;
    const result = safeParse(lineSchema, value);
    if (result.success) known.set(result.data.folder, result.data);
  }
  const current: Line[] = [];
  const fresh: Line[] = [];
  for (const { folder, key } of findRuns(root)) {
    const line = known.get(folder);
    if (line?.key === key) current.push(line);
    else fresh.push({ format: 5, folder, key, summary: summaryOf(root, folder) });
  }
  const all = [...current, ...fresh];
  writeIndex(path, lines > 2 * all.length + 100 ? { whole: all } : { more: fresh });
  return all.flatMap(({ summary }) => (summary ? asItIsNow(root, summary) : []));
}

function writeIndex(path: string, { whole, more = [] }: { whole?: Line[]; more?: Line[] }): void {
  if (!whole && more.length === 0) return;
  try {
    if (whole) {
      replaceFileBy(path, (write) => {
        for (const line of whole) write(`${JSON.stringify(line)}\n`);
      });
      return;
    }
    const file = new AppendFile(path);
    try {
      file.appendAll(more);
    } finally {
      file.close();
    }
  } catch {
    // A full disk, or a folder that may only be read: the runs are there all the same.
  }
}
