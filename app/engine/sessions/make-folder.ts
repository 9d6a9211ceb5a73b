import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; one that is there is kept. Not by mkdir's own `recursive`: it never ends where the system
 * answers ENOENT below a folder that exists, as /proc does.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isFolder(path)) return;
    const above = dirname(path);
    const isAboveAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT' && !isFolder(above);
    if (!isAboveAbsent || above === path) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
