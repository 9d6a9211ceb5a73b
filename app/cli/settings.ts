import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../engine/small-file';
import { WhitelineError } from '../protocol/errors';
import {
  hasNdiNetwork,
  ndiFolderIn,
  reportHeaderOf,
  settingsEnvironment,
  settingsFileIn,
  usualRunsFolderIn,
} from '../protocol/machine-settings';
import { ndiConfigurationVariable } from '../protocol/ndi-configuration';
import type { ReportHeader } from '../protocol/report-header';
import { parseSettings, type Settings } from '../protocol/settings';
import { engineEnvironment } from '../protocol/shell';
import { type UserFolders, userFolders } from './user-folders';

/**
 * Puts the console's settings in force for this process and all that it starts, wherever no variable says otherwise. Gives why
 * they are not, and the usual ones are instead; null if they are.
 */
export function applyConsoleSettings(appFolder: string): string | null {
  const { env } = process;
  const { userData, documents } = foldersOfUser(appFolder);
  const { settings, problem } = readSettings(settingsFileIn(userData));
  Object.assign(env, settingsEnvironment(settings, usualRunsFolderIn(documents), env));
  // The console writes it when its engine starts.
  const ndiFolder = ndiFolderIn(userData);
  if (hasNdiNetwork(settings) && existsSync(ndiFolder)) env[ndiConfigurationVariable] = ndiFolder;
  return problem;
}

/** Why the settings are not in force, for who shows alerts; null where they are. */
export function settingsProblem(appFolder: string): WhitelineError | null {
  const { problem } = readSettings(settingsFileIn(foldersOfUser(appFolder).userData));
  if (problem === null) return null;
  const remedy = 'Correct or remove that file, then start this command again';
  return new WhitelineError({ code: 'BAD_INPUT', message: problem, remedy });
}

export function foldersOfUser(appFolder: string): UserFolders {
  return userFolders(appName(appFolder), homedir(), process.env, process.platform);
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

/** What stands at the head of reports, as the console's settings say now. */
export function setReportHeader(appFolder: string): ReportHeader {
  return reportHeaderOf(readSettings(settingsFileIn(foldersOfUser(appFolder).userData)).settings);
}

/** Electron takes the name of the console's folder from there. */
function appName(appFolder: string): string {
  const text = readFileSync(join(appFolder, 'package.json'), 'utf8');
  const { name, productName } = JSON.parse(text) as { name: string; productName?: string };
  return productName ?? name;
}

/** The usual ones, where the settings cannot be read. */
function readSettings(file: string): { settings: Settings; problem: string | null } {
  const usual = parseSettings({});
  if (!existsSync(file)) return { settings: usual, problem: null };
  try {
    return { settings: parseSettings(JSON.parse(readSmallFile(file, 'settings'))), problem: null };
  } catch (error) {
    const { message } = error as Error;
    return {
      settings: usual,
      problem: `${file} cannot be read (${message}), so the default settings are used`,
    };
  }
}
