import { ensureAppBuilt } from './app.mjs';
import { ensureSystemPackages } from './apt.mjs';
import { ensureCyndilib } from './cyndilib.mjs';
import { ensureElectron } from './electron.mjs';
import { ensureAddon } from './native.mjs';
import { ensureNdiHeaders } from './ndi.mjs';
import { checkNode } from './node.mjs';
import { ensureNpmDependencies } from './npm.mjs';
import { note, seconds, sideBySide } from './report.mjs';
import { ensureDiscoveryServices } from './services.mjs';

/**
 * Brings everything in place that these purposes need, and leaves alone what is there already.
 * `run` and `build` are always needed; `console` adds Electron, `test` and `bench` their tools.
 * @param {Array<'console' | 'test' | 'bench' | 'package' | 'deep' | 'windows'>} purposes
 * @returns {Promise<{electron: {executable: string, version: string} | null, ndiIncludeFolder: string}>}
 */
export async function setUp(purposes) {
  const startedMs = Date.now();
  checkNode();
  await sideBySide(ensureSystemPackages(['run', 'build', ...purposes]), ensureNpmDependencies());
  const electron = purposes.includes('console') ? await ensureElectron() : null;
  const ndiIncludeFolder = await ensureNdiHeaders();
  if (purposes.includes('deep')) await ensureCyndilib();
  await ensureAddon(ndiIncludeFolder);
  await ensureAppBuilt();
  await ensureDiscoveryServices();
  note('set-up', `ready after ${seconds(startedMs)}`);
  return { electron, ndiIncludeFolder };
}
