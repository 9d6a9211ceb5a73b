import { z } from 'zod';
import { type Verdict, worseVerdict } from './verdict';

const count = z.int().nonnegative();

/** What was recorded of a run but is gone, or cannot be read. It counts in no figure. */
export const missingSchema = z.object({
  rows: count,
  /** Numbers of the first of these rows, as far as they are known. */
  rowNumbers: z.array(count),
  events: count,
  samples: count,
  /** Files that are absent, are no files of their own, or end where a disk gives no more of them. */
  files: z.array(z.string()),
  /** The rows are there, in version 1 of the format. */
  isOfVersion1: z.literal(true).optional(),
  /** What is there is in this version of the format, which is newer than ours. */
  newerFormat: count.optional(),
});
export type Missing = z.infer<typeof missingSchema>;

/** How many numbers of missing rows are reported. */
export const mostRowNumbers = 100;
const mostInWords = 10;

/** What such a run is, and what to do. */
export const ofVersion1 =
  'This run was recorded in version 1 of the format, which this version of Whiteline does not read: record it again';

/** The same for a run of a newer version. */
export function ofNewerFormat(version: number): string {
  return `This run was recorded in version ${version} of the format, which this version of Whiteline does not read: open it with the Whiteline that recorded it`;
}

/** "2 of 5 rows (1, 3) and 1 sample are missing or unreadable". `rowsRead`: those that are there. */
export function missingText(missing: Missing, rowsRead: number): string {
  const { rows, rowNumbers, events, samples, files, isOfVersion1, newerFormat } = missing;
  if (isOfVersion1) return ofVersion1;
  if (newerFormat !== undefined) return ofNewerFormat(newerFormat);
  const named = rowNumbers.slice(0, mostInWords).join(', ') + (rowNumbers.length > mostInWords ? ', …' : '');
  const numbers = named === '' ? '' : ` (${named})`;
  const parts = [
    ...(rows > 0
      ? [`${rows} of ${rows + rowsRead} ${rows + rowsRead === 1 ? 'row' : 'rows'}${numbers}`]
      : []),
    ...(events > 0 ? [`${events} ${events === 1 ? 'event' : 'events'}`] : []),
    ...(samples > 0 ? [`${samples} ${samples === 1 ? 'sample' : 'samples'}`] : []),
    ...files,
  ];
  const last = parts.pop() ?? '';
  const list = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
  const isOne = parts.length === 0 && rows + events + samples <= 1;
  return `${list} ${isOne ? 'is' : 'are'} missing or unreadable`;
}

interface Ending {
  verdict: Verdict | null;
  reason: string;
}

/** Of a run that is not all there it cannot be said that all was well: what was recorded as such is reported, and no more. */
export function withMissing({ verdict, reason }: Ending, missing: Missing, rowsRead: number): Ending {
  const text = missingText(missing, rowsRead);
  // A run without a verdict begins with what ended it. Other reasons may be long, and are cut where there is little room.
  if (verdict === null) return { verdict, reason: [reason, text].filter(Boolean).join('; ') };
  if (verdict !== 'PASS' && verdict !== 'WARN')
    return { verdict, reason: [text, reason].filter(Boolean).join('; ') };
  const recorded = `the recorded verdict was ${verdict}${reason === '' ? '' : `: ${reason}`}`;
  return { verdict: worseVerdict(verdict, 'INVALID'), reason: `${text}; ${recorded}` };
}
