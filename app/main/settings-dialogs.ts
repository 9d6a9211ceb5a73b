import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import type { Settings, SettingsPath } from '../protocol/settings';

const options: Record<SettingsPath, OpenDialogOptions> = {
  ndiPath: { title: 'Choose the NDI runtime (libndi)', properties: ['openFile'] },
  runsFolder: {
    title: 'Choose the folder of the runs',
    properties: ['openDirectory', 'createDirectory'],
  },
  thresholds: {
    title: 'Choose a profile of thresholds',
    properties: ['openFile'],
    filters: [{ name: 'Thresholds', extensions: ['yaml', 'yml'] }],
  },
  reportLogo: {
    title: 'Choose the logo of reports',
    properties: ['openFile'],
    filters: [{ name: 'Pictures', extensions: ['png', 'jpg', 'jpeg', 'webp'] }],
  },
};

/** What a dialog gives as the change of a setting; null when it was cancelled. */
export async function chooseSetting(
  parent: BrowserWindow,
  name: SettingsPath,
): Promise<Partial<Settings> | null> {
  const chosen = await dialog.showOpenDialog(parent, options[name]);
  const [path] = chosen.canceled ? [] : chosen.filePaths;
  if (path === undefined) return null;
  return name === 'thresholds' ? { thresholds: { file: path } } : { [name]: path };
}
