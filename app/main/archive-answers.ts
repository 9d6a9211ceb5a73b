import { type BrowserWindow, shell } from 'electron';
import type { ArchiveAsk } from '../protocol/archive-process';
import type { FileGrants } from '../protocol/file-grants';
import { chooseExport, chooseImport, choosePicture } from './dialogs';
import { printPage } from './print-page';

/** Does for the archive what only main can do; every path that it gets is one that the operator chose here. */
export async function answerArchive(
  ask: ArchiveAsk,
  parent: BrowserWindow | null,
  grants: FileGrants,
): Promise<string | null> {
  switch (ask.what) {
    case 'print-page':
      await printPage(ask.htmlFile, ask.pdfFile);
      return null;
    case 'open':
      await open(ask.path);
      return null;
    case 'show':
      shell.showItemInFolder(ask.path);
      return null;
    case 'redeem-grant':
      return grants.redeem(ask.purpose, ask.grant);
    case 'choose-picture':
      return parent && choosePicture(parent);
    case 'choose-import':
      return parent && chooseImport(parent);
    case 'choose-export':
      return parent && chooseExport(parent, ask.kind, ask.suggestedName);
  }
}

async function open(path: string): Promise<void> {
  const problem = await shell.openPath(path);
  if (problem !== '') throw new Error(`${path} could not be opened: ${problem}`);
}
