import { z } from 'zod';
import type { FilePurpose } from './granted-file';
import { keepDeletedDaysSchema } from './settings';
import type { ExportKind } from './shell';

/** What passes between Electron's main process and the archive process, beside the windows' ports. */

/** The archive's name in lists of processes. */
export const archiveServiceName = 'Whiteline archive';

/**
 * What only main can do. A path that is chosen is answered, or null where the dialog was closed without one, and where a
 * word of a window stands for none.
 */
export type ArchiveAsk =
  | { what: 'choose-picture' }
  | { what: 'choose-import' }
  | { what: 'redeem-grant'; purpose: FilePurpose; grant: string }
  | { what: 'choose-export'; kind: ExportKind; suggestedName: string }
  | { what: 'open'; path: string }
  /** Shows the file in its folder; starts nothing, whatever the folder is called. */
  | { what: 'show'; path: string }
  | { what: 'print-page'; htmlFile: string; pdfFile: string };

export type FromArchive = { type: 'ask'; askId: number; ask: ArchiveAsk };

export const toArchiveSchema = z.discriminatedUnion('type', [
  /** A window's port comes with this message. */
  z.object({ type: z.literal('window-port') }),
  /** For how long deleted runs are kept; until it comes, for good. */
  z.object({ type: z.literal('keep-deleted'), days: keepDeletedDaysSchema }),
  /** `problem`: why it could not be done. */
  z.object({
    type: z.literal('answer'),
    askId: z.int(),
    path: z.string().nullable(),
    problem: z.string().nullable(),
  }),
]);
export type ToArchive = z.infer<typeof toArchiveSchema>;
