import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The SDK's own names for the folder's variable and for the file in it. */
export const ndiConfigurationVariable = 'NDI_CONFIG_DIR';
const fileName = 'ndi-config.v1.json';

type Configuration = Record<string, unknown>;

/**
 * Writes NDI's configuration as this machine has it, with discovery servers of our own, into a folder that
 * `NDI_CONFIG_DIR` is to name: libndi reads it there, and so do the preflight and the facts of a run's environment.
 */
export function writeNdiConfiguration(
  folder: string,
  servers: string[],
  environment: NodeJS.ProcessEnv,
): void {
  const own = read(join(environment[ndiConfigurationVariable] || join(homedir(), '.ndi'), fileName));
  const ndi = part(own, 'ndi');
  const networks = { ...part(ndi, 'networks'), discovery: servers.join(',') };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fileName), JSON.stringify({ ...own, ndi: { ...ndi, networks } }, null, 2));
}

/** Empty where there is none, or one that libndi could not read either. */
function read(path: string): Configuration {
  try {
    return asConfiguration(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

function part(whole: Configuration, name: string): Configuration {
  return asConfiguration(whole[name]);
}

function asConfiguration(value: unknown): Configuration {
  return typeof value === 'object' && value !== null ? (value as Configuration) : {};
}
