import { homedir } from 'node:os';
import { join, win32 } from 'node:path';
import { ndiConfigurationVariable } from './ndi-configuration';

/**
 * Where libndi looks for its settings: NDI_CONFIG_DIR, else a folder of the user's, or of the machine on Windows. Source: the NDI SDK's
 * documentation, and the files that libndi 6.3 for Windows asks for.
 */
export function ndiConfigurationFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = environment[ndiConfigurationVariable];
  if (named) return named;
  if (platform === 'win32') return win32.join(environment.ProgramData || 'C:\\ProgramData', 'NDI');
  return join(homedir(), '.ndi');
}
