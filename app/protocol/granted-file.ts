import { z } from 'zod';
import { badInput } from './errors';

/** What a chosen file may be used for. */
export const filePurposeSchema = z.enum(['export', 'plan', 'plan-to-open', 'picture', 'import', 'join-file']);
export type FilePurpose = z.infer<typeof filePurposeSchema>;

/** Stands for a path in what a window sends: a window's own word for a path counts for nothing. */
export const fileGrantSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('the word for a file that was chosen in a dialog');

/** A file that an operator chose in a dialog, or a folder that was dropped onto the window. */
export interface GrantedFile {
  grant: string;
  /** To be shown; what a window says is never opened. */
  path: string;
}

const dialogs: Record<FilePurpose, string> = {
  export: 'a file to write to, chosen in the dialog',
  plan: 'a file for the plan, chosen in the dialog',
  'plan-to-open': 'a plan, chosen in the dialog',
  picture: 'a picture, chosen in the dialog',
  'join-file': 'a file for the invitation, chosen in the dialog',
  import: 'a folder that was dropped onto the window',
};

/** @throws WhitelineError BAD_INPUT if no file was chosen, or it was used already */
export function grantedPath(purpose: FilePurpose, path: string | null): string {
  if (path !== null) return path;
  throw badInput('grant', dialogs[purpose], 'a word that stands for none', 'Choose it again');
}
