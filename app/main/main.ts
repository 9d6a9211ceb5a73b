import { app, Menu, nativeTheme, session } from 'electron';
import { shellChannels } from '../protocol/bridge';
import { FileGrants } from '../protocol/file-grants';
import { machineClock } from '../protocol/machine-clock';
import { type EngineLife, printFlag } from '../protocol/shell';
import { endWithStarter } from '../protocol/starter';
import { archiveAnswers } from './archive-answers';
import { ArchiveSupervisor } from './archive-supervisor';
import { CloseGuard } from './close-guard';
import { EngineSupervisor } from './engine-supervisor';
import { listenToWindows } from './ipc';
import { machineSettings } from './machine-settings';
import { answerConsole, declareOwnScheme, isOfConsole } from './own-pages';
import { printPage } from './print-page';
import { lockDownContents, lockDownNetwork, lockDownSession } from './security';
import { Windows } from './windows';

// Every action has a button and a key of its own; macOS needs its menu for copy and paste.
if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
declareOwnScheme();
lockDownNetwork();
lockDownContents();

const flag = process.argv.indexOf(printFlag);
const isPrinting = flag >= 0;
if (!isPrinting && !app.requestSingleInstanceLock()) {
  // Two would write the same settings and runs. The first one hears of this start.
  process.stderr.write(
    `Whiteline already runs with the user data in ${app.getPath('userData')}: its window comes to the front. ` +
      'Start it with --user-data-dir=FOLDER for one of its own.\n',
  );
  app.exit(0);
} else {
  endWithStarter();
  void app.whenReady().then(() => {
    if (isPrinting) void printAndExit(process.argv[flag + 1] ?? '', process.argv[flag + 2] ?? '');
    else openConsole();
  });
}

function openConsole(): void {
  answerConsole(session.defaultSession);
  lockDownSession(session.defaultSession, isOfConsole);
  const windows = new Windows(machineClock);
  const settings = machineSettings();
  // Never by the system: one without a preference counts as light, and the rack it stands in is dark.
  nativeTheme.themeSource = settings.settings.theme;
  const grants = new FileGrants();
  const archive = new ArchiveSupervisor(
    archiveAnswers(() => windows.consoleWindow(), grants),
    () => settings.settings.keepDeletedDays,
    machineClock,
  );
  settings.onChange(() => {
    nativeTheme.themeSource = settings.settings.theme;
    for (const window of windows.all()) window.webContents.send(shellChannels.settings, settings.view());
    archive.sendKeeping();
  });
  const postToWindows = (channel: string, life: EngineLife): void => {
    for (const window of windows.all()) window.webContents.send(channel, life);
  };
  const supervisor = new EngineSupervisor(grants, postToWindows, machineClock);
  listenToWindows(windows, supervisor, archive, grants);
  const guard = new CloseGuard(() => supervisor.activity());
  guard.watch(windows.openConsole());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => guard.quitAtOnce());
  app.on('second-instance', () => windows.showConsole());

  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    archive.shutDown();
    void supervisor.shutDown().finally(() => app.exit(0));
  });
}

/** For `whiteline report --pdf`, which has no window of its own. */
async function printAndExit(htmlFile: string, pdfFile: string): Promise<void> {
  // The printing window is the only one, and closes before the file is known to be written.
  app.on('window-all-closed', () => undefined);
  try {
    await printPage(htmlFile, pdfFile);
    app.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    app.exit(1);
  }
}
