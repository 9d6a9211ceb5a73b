import path from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { ExportKind } from '../protocol/shell';

const movieExtensions = ['mov', 'mp4', 'm4v', 'mkv', 'avi', 'mxf', 'webm', 'mpg', 'ts'];

const exportFilters: Record<ExportKind, { name: string; extension: string }> = {
  html: { name: 'Report', extension: 'html' },
  json: { name: 'Run as JSON', extension: 'json' },
  csv: { name: 'Rows as CSV', extension: 'csv' },
};

export async function chooseMovie(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose a movie',
    properties: ['openFile'],
    filters: [
      { name: 'Movies', extensions: movieExtensions },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

export async function chooseExport(parent: BrowserWindow, kind: ExportKind): Promise<string | null> {
  const { name, extension } = exportFilters[kind];
  const day = new Date().toISOString().slice(0, 10);
  const chosen = await dialog.showSaveDialog(parent, {
    title: 'Export the run',
    defaultPath: path.join(app.getPath('documents'), `whiteline-${day}.${extension}`),
    filters: [{ name, extensions: [extension] }],
  });
  return chosen.canceled ? null : (chosen.filePath ?? null);
}
