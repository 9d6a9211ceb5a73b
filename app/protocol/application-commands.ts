import { z } from 'zod';
import { command, nothing } from './command-table';
import { filePurposeSchema } from './granted-file';
import { reportHeaderSchema } from './report-header';
import { exportKindSchema } from './shell';

/**
 * What the engine and the archive ask of the application around them: Electron's main process, or the one that serves the console
 * to browsers.
 */

/** Null: the operator chose none, or a word of a window stands for none. */
const path = z.string().nullable();
/** With a word by which a window may have the file opened; null: there is none to open. */
const offered = z.object({ grant: z.string(), path: z.string() }).nullable();

export const engineApplicationCommands = {
  /** Prints a page as PDF. */
  printPage: command({ htmlFile: z.string(), pdfFile: z.string() }, nothing),
  /** What stands at the head of reports, as it is set now. */
  reportHeader: command({}, reportHeaderSchema),
  /** What the word that a window names a file by stands for. */
  redeemGrant: command({ purpose: filePurposeSchema, grant: z.string() }, path),
};

export const archiveApplicationCommands = {
  ...engineApplicationCommands,
  choosePicture: command({}, path),
  chooseImport: command({}, path),
  chooseExport: command({ kind: exportKindSchema, suggestedName: z.string() }, offered),
  /** Opens a file with the system's own program for it. Where only the window's browser can open it, what it is offered by. */
  open: command({ path: z.string() }, offered),
  /** Shows a file in its folder; starts nothing, whatever the folder is called. */
  show: command({ path: z.string() }, nothing),
};
