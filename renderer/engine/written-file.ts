import type { GrantedFile } from '../../app/protocol/granted-file';
import { texts } from '../texts';
import { isInBrowser, shell } from './connection';
import { useConsole, withAlert } from './console-store';

/** Says what was written, and where from the window it is opened or shown. A browser downloads it at once. */
export function reportWritten(key: string, message: string, written: GrantedFile): void {
  useConsole.setState((view) => withAlert(view, { key, severity: 'info', message, written }));
  if (isInBrowser) void shell.showFile(written.grant);
}

/** Opens it with the system's own program; where there is none, the alert leads to its folder. */
export async function openWritten({ grant: written, path }: GrantedFile): Promise<void> {
  try {
    await shell.openFile(written);
  } catch (error) {
    const { notOpened, notOpenedRemedy: remedy } = texts.alerts;
    const details = error instanceof Error ? error.message : String(error);
    const alert = { key: 'open-file', severity: 'error', message: notOpened(path), remedy, details } as const;
    useConsole.setState((view) => withAlert(view, { ...alert, written: { grant: written, path } }));
  }
}
