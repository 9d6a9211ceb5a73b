import { basename, resolve } from 'node:path';
import { Option } from 'commander';
import { packagedResources } from '../engine/packaged';
import { shellWord } from '../engine/runs/parameters';
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

/** What starts the agent on another machine, beside its join file. There Whiteline is a checkout or a package, as here. */
export function agentCommand(joinFile: string): string {
  const whiteline = packagedResources(appFolder) === null ? 'npm start --' : 'whiteline';
  return `${whiteline} agent ${shellWord(basename(joinFile))}`;
}

export function fleetFolder({ folder }: FleetFlags): string {
  return folder === undefined ? fleetFolderIn(foldersOfUser(appFolder).userData) : resolve(folder);
}

/** An argument stands in capitals where people read of it: NAME. */
export const finishFleet = finishing({
  flagOfField: (command, field) =>
    command.registeredArguments.some((argument) => argument.name() === field)
      ? field.toUpperCase()
      : typedFlag(command, field),
  flagOfWord: optionFlag,
  typedText: typedOption,
});
