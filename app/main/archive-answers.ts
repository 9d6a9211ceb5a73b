import { type BrowserWindow, shell } from 'electron';
import type { archiveApplicationCommands } from '../protocol/application-commands';
import { WhitelineError } from '../protocol/errors';
import type { FileGrants } from '../protocol/file-grants';
import type { Handlers } from '../rpc/serve-commands';
import { chooseExport, chooseImport, choosePicture } from './dialogs';
import { engineAnswers } from './engine-answers';

/**
 * Does for the archive what only main can do; every path that it gets is one that the operator chose here.
 * @param parentWindow of dialogs; without one nothing is chosen
 */
export function archiveAnswers(
  parentWindow: () => BrowserWindow | null,
  grants: FileGrants,
): Handlers<typeof archiveApplicationCommands> {
  const chosen = async (
    choose: (parent: BrowserWindow) => Promise<string | null>,
  ): Promise<string | null> => {
    const parent = parentWindow();
    return parent && choose(parent);
  };
  return {
    ...engineAnswers(grants),
    choosePicture: () => chosen(choosePicture),
    chooseImport: () => chosen(chooseImport),
    chooseExport: async ({ kind, suggestedName }) => {
      const path = await chosen((parent) => chooseExport(parent, kind, suggestedName));
      return path === null ? null : grants.offer(path);
    },
    open: async ({ path }) => {
      await openFile(path);
      return null;
    },
    show: ({ path }) => {
      shell.showItemInFolder(path);
      return null;
    },
  };
}

/**
 * Opens a file with the system's own program for it.
 * @throws WhitelineError TOOL_FAILED
 */
export async function openFile(path: string): Promise<void> {
  const problem = await shell.openPath(path);
  if (problem !== '')
    throw new WhitelineError({ code: 'TOOL_FAILED', message: `${path} could not be opened: ${problem}` });
}
