import type { ArchiveCommandName } from './archive';
import type { NameIn } from './command-table';
import type { CommandName } from './console-commands';
import type { ServedChannel, servedCommands } from './served';

/**
 * All that a page may send that only looks; what is not named here is refused. None of it starts, changes or deletes anything, writes a file, or
 * reads one by its path.
 */
export const lookCommands: {
  engine: readonly CommandName[];
  archive: readonly ArchiveCommandName[];
  shell: readonly NameIn<typeof servedCommands>[];
} = {
  engine: [
    ...([
      'hello',
      'previewElsewhere',
      'listLiveSources',
      'listMachines',
      'timeline',
      'explainLoss',
      'viewFleet',
      'readMachine',
    ] as const),
    ...(['listExperiments', 'listBattery'] as const),
  ],
  archive: [
    'listRuns',
    'openRun',
    'listEvents',
    'compareRuns',
    'listPreflights',
    'listDeleted',
    'openSession',
  ],
  shell: ['readAbout'],
};

/** Of the port of small pictures, which has no commands: types of its messages. Textures of a full size are for who operates. */
const lookMessages: readonly string[] = ['subscribe', 'confirmed'];

/** Whether a page that only looks may send this there. */
export function mayLookBy(channel: ServedChannel, message: unknown): boolean {
  const type = textOf(message, 'type');
  if (channel === 'textures') return false;
  if (channel === 'previews') return lookMessages.includes(type);
  const names: readonly string[] = lookCommands[channel];
  return type === 'request' && names.includes(textOf(fieldOf(message, 'command'), 'name'));
}

function textOf(value: unknown, field: string): string {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : '';
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? Reflect.get(value, field)
    : undefined;
}
