import { z } from 'zod';
import type { archiveApplicationCommands } from './application-commands';
import { type CommandOf, type CommandRequest, commandReplySchema } from './command-table';
import { keepDeletedDaysSchema } from './settings';

/** What passes between Electron's main process and the archive process, beside the windows' ports. */

/** The archive's name in lists of processes. */
export const archiveServiceName = 'Whiteline archive';

export type FromArchive = CommandRequest<CommandOf<typeof archiveApplicationCommands>>;

export const toArchiveSchema = z.discriminatedUnion('type', [
  /** A window's port comes with this message. */
  z.object({ type: z.literal('window-port') }),
  /** For how long deleted runs are kept; until it comes, for good. */
  z.object({ type: z.literal('keep-deleted'), days: keepDeletedDaysSchema }),
  commandReplySchema,
]);
export type ToArchive = z.infer<typeof toArchiveSchema>;
