import path from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { planFileName } from '../protocol/file-name';
import { movieExtensions } from '../protocol/movie-files';
import type { ExportKind } from '../protocol/shell';

const exportFilters: Record<ExportKind, { name: string; extension: string }> = {
  html: { name: 'Report', extension: 'html' },
  pdf: { name: 'Report as PDF', extension: 'pdf' },
  json: { name: 'Run as JSON', extension: 'json' },
  csv: { name: 'Rows as CSV', extension: 'csv' },
  junit: { name: 'Rows as JUnit XML', extension: 'xml' },
  parquet: { name: 'Rows as Parquet', extension: 'parquet' },
};

export async function chooseMovie(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose a movie',
    properties: ['openFile'],
    filters: [
      { name: 'Movies', extensions: [...movieExtensions] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

export async function chooseFolder(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose a folder',
    properties: ['openDirectory'],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

export async function chooseLibrary(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose an NDI runtime (libndi)',
    properties: ['openFile'],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

export async function chooseExport(
  parent: BrowserWindow,
  kind: ExportKind,
  name = `whiteline-${new Date().toISOString().slice(0, 10)}`,
): Promise<string | null> {
  const { name: kindName, extension } = exportFilters[kind];
  const chosen = await dialog.showSaveDialog(parent, {
    title: 'Export the run',
    defaultPath: path.join(app.getPath('documents'), `${name}.${extension}`),
    filters: [{ name: kindName, extensions: [extension] }],
  });
  return chosen.canceled ? null : (chosen.filePath ?? null);
}

export async function chooseImport(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose the folder of a run, or of a plan with its runs',
    properties: ['openDirectory'],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

/** @param plan its name, which the file is called by */
export async function choosePlanFile(parent: BrowserWindow, plan: string): Promise<string | null> {
  const chosen = await dialog.showSaveDialog(parent, {
    title: 'Save the plan',
    defaultPath: path.join(app.getPath('documents'), planFileName(plan)),
    filters: [{ name: 'Plan', extensions: ['yaml'] }],
  });
  return chosen.canceled ? null : (chosen.filePath ?? null);
}

export async function chooseJoinFile(parent: BrowserWindow, machine: string): Promise<string | null> {
  const chosen = await dialog.showSaveDialog(parent, {
    title: `Save the join file of ${machine}`,
    // What no machine is called leads nowhere else.
    defaultPath: path.join(app.getPath('documents'), `${machine.replace(/[^\w.-]/g, '-')}.join.json`),
    filters: [{ name: 'Join file', extensions: ['json'] }],
  });
  return chosen.canceled ? null : (chosen.filePath ?? null);
}

export async function choosePlanToOpen(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Open a plan',
    properties: ['openFile'],
    filters: [{ name: 'Plans', extensions: ['yaml', 'yml'] }],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

export async function choosePicture(parent: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(parent, {
    title: 'Choose a picture',
    properties: ['openFile'],
    filters: [{ name: 'Pictures', extensions: ['png', 'jpg', 'jpeg', 'webp'] }],
  });
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}
