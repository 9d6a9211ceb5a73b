import { existsSync, readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

/** The user's folders as Electron gives them to the console. */
export interface UserFolders {
  /** Of the console: its settings. */
  userData: string;
  documents: string;
}

/** `appName` as in the app's package.json. Windows and macOS are untested. */
export function userFolders(
  appName: string,
  home: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): UserFolders {
  if (platform === 'win32') {
    const roaming = environment.APPDATA || win32.join(home, 'AppData', 'Roaming');
    return { userData: win32.join(roaming, appName), documents: win32.join(home, 'Documents') };
  }
  if (platform === 'darwin') {
    const support = posix.join(home, 'Library', 'Application Support');
    return { userData: posix.join(support, appName), documents: posix.join(home, 'Documents') };
  }
  const configuration = environment.XDG_CONFIG_HOME || join(home, '.config');
  return {
    userData: join(configuration, appName),
    documents: xdgDocuments(join(configuration, 'user-dirs.dirs'), home),
  };
}

/** As xdg-user-dirs keeps it; the home folder where it keeps none. */
function xdgDocuments(file: string, home: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const named = /^\s*XDG_DOCUMENTS_DIR="(\$HOME\/|\/)(.*)"\s*$/m.exec(text);
  if (!named) return home;
  const [, from, folder = ''] = named;
  return join(from === '/' ? '/' : home, folder.replace(/\\(.)/g, '$1')).replace(/(.)\/+$/, '$1');
}
