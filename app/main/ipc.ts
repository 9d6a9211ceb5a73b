import { mkdir } from 'node:fs/promises';
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, nativeTheme, shell } from 'electron';
import { z } from 'zod';
import { shellChannels } from '../protocol/bridge';
import { exportKindSchema, externalLinks } from '../protocol/shell';
import { chooseExport, chooseMovie } from './dialogs';
import type { EngineSupervisor } from './engine-supervisor';
import { runsFolder } from './paths';
import type { Windows } from './windows';

const noArguments = z.tuple([]);
const exportArguments = z.tuple([exportKindSchema]);
const linkArguments = z.tuple([z.enum(externalLinks)]);

/** Everything a window can ask of main. Whoever asks must be the top frame of one of our windows. */
export function listenToWindows(windows: Windows, supervisor: EngineSupervisor): void {
  function assertOwnWindow(event: IpcMainEvent | IpcMainInvokeEvent): void {
    const isOwn = windows.all().some(({ webContents }) => webContents.mainFrame === event.senderFrame);
    if (!isOwn) throw new Error('Refused: the message does not come from a window of this app');
  }

  function handle<Arguments>(
    channel: string,
    schema: z.ZodType<Arguments>,
    answer: (given: Arguments) => unknown,
  ): void {
    ipcMain.handle(channel, (event, ...given: unknown[]) => {
      assertOwnWindow(event);
      return answer(schema.parse(given));
    });
  }

  function parentWindow() {
    const window = windows.consoleWindow();
    if (!window) throw new Error('Refused: the console is closed');
    return window;
  }

  ipcMain.on(shellChannels.enginePort, (event) => {
    assertOwnWindow(event);
    supervisor.connectWindow(event.sender);
  });
  ipcMain.on(shellChannels.previewPort, (event) => {
    assertOwnWindow(event);
    supervisor.connectPreview(event.sender);
  });
  ipcMain.on(shellChannels.texturePort, (event) => {
    assertOwnWindow(event);
    supervisor.connectTextures(event.sender);
  });
  handle(shellChannels.restartEngine, noArguments, () => supervisor.restart());
  handle(shellChannels.chooseMovie, noArguments, () => chooseMovie(parentWindow()));
  handle(shellChannels.chooseExport, exportArguments, ([kind]) => chooseExport(parentWindow(), kind));
  handle(shellChannels.openExternal, linkArguments, ([link]) => shell.openExternal(link));
  handle(shellChannels.openFolder, noArguments, async () => {
    await mkdir(runsFolder(), { recursive: true });
    await shell.openPath(runsFolder());
  });
  handle(shellChannels.toggleWhiteLine, noArguments, () => windows.toggleWhiteLine());
  handle(shellChannels.toggleTheme, noArguments, () => {
    nativeTheme.themeSource = nativeTheme.shouldUseDarkColors ? 'light' : 'dark';
  });
}
