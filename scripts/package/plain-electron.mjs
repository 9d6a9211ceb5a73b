import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

// What an Electron that was taken out of another app's AppImage has beside Electron's own: that app's icon, and what
// starts it; and the launcher of ours that stands in its resources, where a packaged app's archive belongs.
const foreign = /^(AppRun|\.DirIcon|usr|.*\.(desktop|png))$/;

/** The builder calls this when it has copied Electron, and before anything of ours is there. */
export default function leavePlainElectron({ appOutDir }) {
  const resources = path.join(appOutDir, 'resources');
  const left = [
    ...readdirSync(appOutDir)
      .filter((name) => foreign.test(name))
      .map((name) => path.join(appOutDir, name)),
    ...['app', 'default_app.asar'].map((name) => path.join(resources, name)),
  ];
  for (const name of left) rmSync(name, { recursive: true, force: true });
}
