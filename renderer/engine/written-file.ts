import type { GrantedFile } from '../../app/protocol/granted-file';
import { isInBrowser, shell } from './connection';
import { useConsole, withAlert } from './console-store';

/** Says what was written, and where from the window it is opened or shown. A browser downloads it at once. */
export function reportWritten(key: string, message: string, { grant: written }: GrantedFile): void {
  useConsole.setState((view) => withAlert(view, { key, severity: 'info', message, written }));
  if (isInBrowser) void shell.showFile(written);
}
