import type { Console } from './app';

/** Notes what the system is asked to open, in its place, and answers its dialogs for files with one path; empty: cancelled. */
export async function standInForSystem({ app }: Console, chosen = ''): Promise<void> {
  await app.evaluate(({ shell, dialog }, path) => {
    const opened: string[] = [];
    const open = async (what: string): Promise<string> => {
      opened.push(what);
      return '';
    };
    const showItemInFolder = (what: string): void => void opened.push(what);
    Object.assign(shell, { openPath: open, openExternal: open, showItemInFolder, opened });
    dialog.showOpenDialog = async () => ({ canceled: path === '', filePaths: path === '' ? [] : [path] });
  }, chosen);
}

export function openedBySystem({ app }: Console): Promise<string[]> {
  return app.evaluate(({ shell }) => (shell as unknown as { opened: string[] }).opened);
}
