import { mkdir, stat } from 'node:fs/promises';
import {
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  ipcMain,
  nativeTheme,
  shell,
  type WebContents,
} from 'electron';
import { z } from 'zod';
import { shellChannels } from '../protocol/bridge';
import type { FileGrants } from '../protocol/file-grants';
import { type FilePurpose, fileGrantSchema, type GrantedFile } from '../protocol/granted-file';
import { settingsPathSchema } from '../protocol/settings';
import { exportKindSchema, externalLinks } from '../protocol/shell';
import { machineNameSchema } from '../protocol/stream-parameters';
import { aboutThisApp } from './about';
import { openFile } from './archive-answers';
import type { ArchiveSupervisor } from './archive-supervisor';
import {
  chooseExport,
  chooseFolder,
  chooseJoinFile,
  chooseLibrary,
  chooseMovie,
  choosePicture,
  choosePlanFile,
  choosePlanToOpen,
} from './dialogs';
import type { EngineSupervisor } from './engine-supervisor';
import { machineSettings } from './machine-settings';
import { runsFolder } from './paths';
import { chooseSetting } from './settings-dialogs';
import type { Windows } from './windows';

const noArguments = z.tuple([]);
const viewedStream = z.int().positive().nullable();
const displayArguments = z.tuple([viewedStream]);
const moveArguments = z.tuple([z.string(), viewedStream]);
const refreshArguments = z.tuple([z.number().positive().max(1000).nullable()]);
const exportArguments = z.tuple([exportKindSchema]);
const planArguments = z.tuple([z.string()]);
const machineArguments = z.tuple([machineNameSchema]);
/** What is wrong with a change is an answer, not a refusal: `changeByWindow` checks it. */
const settingsArguments = z.tuple([z.unknown()]);
const settingArguments = z.tuple([settingsPathSchema]);
const pathArguments = z.tuple([z.string().min(1).max(4096)]);
const grantArguments = z.tuple([fileGrantSchema]);
const linkArguments = z.tuple([z.enum(externalLinks)]);

/** Everything a window can ask of main. The asker must be the top frame of one of our windows. */
export function listenToWindows(
  windows: Windows,
  supervisor: EngineSupervisor,
  archive: ArchiveSupervisor,
  grants: FileGrants,
): void {
  const settings = machineSettings();

  function isOwnWindow({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
    return windows.all().some(({ webContents }) => webContents.mainFrame === senderFrame);
  }

  /** Of messages without an answer; it is not reported that a stranger's was refused. */
  function listen(channel: string, answer: (contents: WebContents) => void): void {
    ipcMain.on(channel, (event) => {
      if (isOwnWindow(event)) answer(event.sender);
    });
  }

  function handle<Arguments>(
    channel: string,
    schema: z.ZodType<Arguments>,
    answer: (given: Arguments, contents: WebContents) => unknown,
  ): void {
    ipcMain.handle(channel, (event, ...given: unknown[]) => {
      if (!isOwnWindow(event)) throw new Error('Refused: the message comes from no window of this app');
      return answer(schema.parse(given), event.sender);
    });
  }

  function parentWindow() {
    const window = windows.consoleWindow();
    if (!window) throw new Error('Refused: the console is closed');
    return window;
  }

  async function granted(purpose: FilePurpose, chosen: Promise<string | null>): Promise<GrantedFile | null> {
    const path = await chosen;
    return path === null ? null : grants.grant(purpose, path);
  }

  /** Of a word that a window got for a file that was written: no window names a path. */
  function written(grant: string): string {
    const path = grants.writtenPath(grant);
    if (path === null) throw new Error('Refused: this word stands for no file that was written');
    return path;
  }

  listen(shellChannels.enginePort, (contents) => supervisor.connectWindow(contents));
  listen(shellChannels.previewPort, (contents) => supervisor.connectPreview(contents));
  listen(shellChannels.texturePort, (contents) => supervisor.connectTextures(contents));
  listen(shellChannels.archivePort, (contents) => archive.connectWindow(contents));
  handle(shellChannels.restartEngine, noArguments, async () => {
    await supervisor.restart();
    archive.followSettings();
  });
  handle(shellChannels.readSettings, noArguments, () => settings.view());
  handle(shellChannels.changeSettings, settingsArguments, ([change]) => settings.changeByWindow(change));
  handle(shellChannels.chooseSetting, settingArguments, async ([name]) => {
    const chosen = await chooseSetting(parentWindow(), name);
    return chosen && settings.change(chosen);
  });
  handle(shellChannels.readAbout, noArguments, () => aboutThisApp());
  handle(shellChannels.chooseMovie, noArguments, () => chooseMovie(parentWindow()));
  handle(shellChannels.chooseFolder, noArguments, () => chooseFolder(parentWindow()));
  handle(shellChannels.chooseLibrary, noArguments, () => chooseLibrary(parentWindow()));
  handle(shellChannels.chooseExport, exportArguments, ([kind]) =>
    granted('export', chooseExport(parentWindow(), kind)),
  );
  handle(shellChannels.choosePlanFile, planArguments, ([name]) =>
    granted('plan', choosePlanFile(parentWindow(), name)),
  );
  handle(shellChannels.choosePlanToOpen, noArguments, () =>
    granted('plan-to-open', choosePlanToOpen(parentWindow())),
  );
  handle(shellChannels.choosePicture, noArguments, () => granted('picture', choosePicture(parentWindow())));
  handle(shellChannels.chooseJoinFile, machineArguments, ([machine]) =>
    granted('join-file', chooseJoinFile(parentWindow(), machine)),
  );
  // Asked by the preload script alone, which takes the path from a drop that the browser itself made.
  handle(shellChannels.grantFolder, pathArguments, async ([path]) => {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? grants.grant('import', path) : null;
  });
  handle(shellChannels.openExternal, linkArguments, ([link]) => shell.openExternal(link));
  handle(shellChannels.openFile, grantArguments, ([grant]) => openFile(written(grant)));
  handle(shellChannels.showFile, grantArguments, ([grant]) => shell.showItemInFolder(written(grant)));
  handle(shellChannels.openFolder, noArguments, async () => {
    await mkdir(runsFolder(), { recursive: true });
    await shell.openPath(runsFolder());
  });
  handle(shellChannels.toggleWhiteLine, noArguments, () => windows.toggleWhiteLine());
  handle(shellChannels.toggleDisplay, displayArguments, ([streamId]) => windows.display.toggle(streamId));
  handle(shellChannels.moveDisplay, moveArguments, ([displayId, streamId]) =>
    windows.display.move(displayId, streamId),
  );
  handle(shellChannels.toggleFullScreen, noArguments, () => windows.display.toggleFullScreen());
  handle(shellChannels.shareRefresh, refreshArguments, ([tickHz], contents) => {
    const window = windows.all().find((each) => each.webContents === contents);
    return window ? windows.display.shareRefresh(window, tickHz) : 0;
  });
  handle(shellChannels.listDisplays, noArguments, () => windows.display.list());
  windows.display.onDisplaysChanged((window) => window.webContents.send(shellChannels.displaysChanged));
  handle(shellChannels.toggleTheme, noArguments, () => {
    const theme = nativeTheme.shouldUseDarkColors ? 'light' : 'dark';
    // Shown even where it cannot be kept.
    nativeTheme.themeSource = theme;
    settings.change({ theme });
  });
}
