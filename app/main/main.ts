import { app, Menu, nativeTheme } from 'electron';
import { EngineSupervisor } from './engine-supervisor';
import { listenToWindows } from './ipc';
import { denyPermissions, lockDownContents } from './security';
import { Windows } from './windows';

// Every action has a button and a key of its own; macOS needs its menu for copy and paste.
if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
lockDownContents();
// A system without a preference counts as light; the rack it stands in is dark.
nativeTheme.themeSource = 'dark';

void app.whenReady().then(() => {
  denyPermissions();
  const windows = new Windows();
  const supervisor = new EngineSupervisor((channel, life) => {
    for (const window of windows.all()) window.webContents.send(channel, life);
  });
  listenToWindows(windows, supervisor);
  windows.openConsole();

  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    void supervisor.shutDown().finally(() => app.exit(0));
  });
});
