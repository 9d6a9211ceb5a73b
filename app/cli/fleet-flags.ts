import { resolve } from 'node:path';
import { Option } from 'commander';
import { fleetFolderIn } from '../protocol/machine-settings';
import { appFolder } from './app-folder';
import { finishing, optionFlag, typedFlag, typedOption } from './finishing';
import { foldersOfUser } from './settings';

/** What the commands of a fleet have in common. */

export interface FleetFlags {
  folder?: string;
}

export function folderOption(): Option {
  return new Option(
    '--folder <folder>',
    "folder of the fleet's keys and secrets; default: in the folder of the console's settings",
  );
}

export function fleetFolder({ folder }: FleetFlags): string {
  return folder === undefined ? fleetFolderIn(foldersOfUser(appFolder).userData) : resolve(folder);
}

export const finishFleet = finishing({
  flagOfField: typedFlag,
  flagOfWord: optionFlag,
  typedText: typedOption,
});
