import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NdiNetwork, ndiConfigurationFile, ndiConfigurationWith } from '../protocol/ndi-configuration';
import { ndiConfigurationFolder } from '../protocol/ndi-configuration-folder';

/**
 * Writes NDI's configuration as this machine has it, with settings of our own, into a folder that `NDI_CONFIG_DIR` is to
 * name: libndi reads it there, and so do the preflight and the facts of a run's environment.
 */
export function writeNdiConfiguration(
  folder: string,
  network: NdiNetwork,
  environment: NodeJS.ProcessEnv,
): void {
  const own = ndiConfigurationFolder(environment);
  mkdirSync(folder, { recursive: true });
  const text = ndiConfigurationWith(textOf(join(own, ndiConfigurationFile)), network);
  writeFileSync(join(folder, ndiConfigurationFile), text);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
