import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../engine/small-file';
import {
  ndiFolderIn,
  settingsEnvironment,
  settingsFileIn,
  usualRunsFolderIn,
} from '../protocol/machine-settings';
import { parseSettings, type Settings } from '../protocol/settings';
import { engineEnvironment } from '../protocol/shell';
import { userFolders } from './user-folders';

const ndiConfiguration = 'NDI_CONFIG_DIR';

let settingsProblem: string | null = null;

/** Puts the console's settings in force for this command and all that it starts, wherever no variable says otherwise. */
export function applyConsoleSettings(appFolder: string): void {
  const { env } = process;
  const { userData, documents } = userFolders(appName(appFolder), homedir(), env, process.platform);
  const settings = readSettings(settingsFileIn(userData));
  Object.assign(env, settingsEnvironment(settings, usualRunsFolderIn(documents), env));
  // The console writes it when its engine starts.
  const ndiFolder = ndiFolderIn(userData);
  if (settings.discoveryServers.length > 0 && existsSync(ndiFolder)) env[ndiConfiguration] = ndiFolder;
}

/** Why the console's settings are not in force; null where they are. */
export function problemOfSettings(): string | null {
  return settingsProblem;
}

/** Folder of all runs; a flag names another. */
export function runsFolder(): string {
  return process.env[engineEnvironment.runsFolder] ?? '';
}

/** Profile of thresholds that is set for this machine; undefined for the usual one. */
export function setThresholds(): string | undefined {
  const profile = process.env[engineEnvironment.thresholds];
  return profile === 'study' ? undefined : profile;
}

export function thresholdsFlag(): readonly [flag: string, help: string] {
  const usual = setThresholds() ?? 'study';
  return [
    '--thresholds <profile>',
    `limits of the verdicts: study, flawless, or a YAML file; default: ${usual}`,
  ];
}

/** Electron takes the name of the console's folder from there. */
function appName(appFolder: string): string {
  const text = readFileSync(join(appFolder, 'package.json'), 'utf8');
  const { name, productName } = JSON.parse(text) as { name: string; productName?: string };
  return productName ?? name;
}

/** The defaults, where the settings cannot be read. */
function readSettings(file: string): Settings {
  if (!existsSync(file)) return parseSettings({});
  try {
    return parseSettings(JSON.parse(readSmallFile(file, 'settings')));
  } catch (error) {
    settingsProblem = `${file} cannot be read (${(error as Error).message}), so the usual settings are in force`;
    return parseSettings({});
  }
}
