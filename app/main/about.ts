import { app } from 'electron';
import type { About } from '../protocol/about';
import { readNotices } from '../protocol/notices';
import { appFolder } from './paths';

export function aboutThisApp(): About {
  const { electron, chrome, node } = process.versions;
  return {
    versions: { whiteline: app.getVersion(), electron, chrome, node },
    notices: readNotices(app.isPackaged ? process.resourcesPath : appFolder),
  };
}
