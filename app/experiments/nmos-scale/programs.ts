import type { z } from 'zod';
import type { HelperProgram, Message } from '../../engine/capabilities/helper/helper-program';
import type { ProgramNetwork } from '../../engine/tools/namespace';
import { findTool } from '../../engine/tools/run-tool';
import { controllerCommands, controllerMessages } from '../../nmos/programs/controller-messages';
import {
  nodesCommands,
  nodesMessages,
  readyMessage,
  registryCommands,
  registryMessages,
} from '../../nmos/programs/messages';
import { findBundle } from '../../protocol/built-bundle';

const file = 'nmos-programs.cjs';
/** Null: it was not built. */
export function findPrograms(): string | null {
  return findBundle(file);
}

/** What this machine lacks for them, as sentences; null: nothing. */
export function programsMissing(): string | null {
  return findPrograms()
    ? null
    : 'The programs of the registry and the simulated nodes are missing. Build them: npm run build';
}

type Ready = z.infer<typeof readyMessage>;

/** @param number 1 for the first of several */
export function registryProgram(
  network: ProgramNetwork,
  number: number,
): HelperProgram<Ready, z.infer<typeof registryCommands>, z.infer<typeof registryMessages>> {
  const messages = { commands: registryCommands, messages: registryMessages };
  return { ...programOf(`registry ${number}`, 'registry', network), ...messages };
}

export function nodesProgram(
  network: ProgramNetwork,
): HelperProgram<Ready, z.infer<typeof nodesCommands>, z.infer<typeof nodesMessages>> {
  const messages = { commands: nodesCommands, messages: nodesMessages };
  return { ...programOf('process of the simulated nodes', 'nodes', network), ...messages };
}

export function controllerProgram(
  network: ProgramNetwork,
): HelperProgram<Ready, z.infer<typeof controllerCommands>, z.infer<typeof controllerMessages>> {
  const messages = { commands: controllerCommands, messages: controllerMessages };
  return { ...programOf('controller', 'controller', network), ...messages };
}

/** This executable as Node, with our bundle: Electron is one too. */
function programOf(
  name: string,
  role: string,
  { inside }: ProgramNetwork,
): Omit<HelperProgram<Ready, Message, Message>, 'commands' | 'messages'> {
  const [program = process.execPath, ...args] = [...inside, process.execPath, findPrograms() ?? file, role];
  return {
    ...{ name, role, args, ready: readyMessage, howToGet: '`npm run build` makes it' },
    file: inside.length > 0 ? (findTool(program) ?? program) : program,
    environment: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
