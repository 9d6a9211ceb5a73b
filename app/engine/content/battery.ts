import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BatteryFile, ContentBattery } from '../../protocol/content-battery';
import type { Manifest } from './manifest';
import { clipOfFile } from './recipe';

/** The clips of the battery, and what was made of them in a folder; one that is not there yet holds none. */
export function contentBattery(manifest: Manifest, folder: string): ContentBattery {
  const made = filesIn(folder);
  return {
    folder: resolve(folder),
    clips: manifest.clips.map(({ name, stresses }) => ({ name, stresses, files: made.get(name) ?? [] })),
  };
}

function filesIn(folder: string): Map<string, BatteryFile[]> {
  const made = new Map<string, BatteryFile[]>();
  for (const file of namesIn(folder)) {
    const clip = clipOfFile(file);
    const path = resolve(join(folder, file));
    const bytes = clip && statSync(path, { throwIfNoEntry: false })?.size;
    if (!clip || !bytes) continue;
    const { name, ...reported } = clip;
    made.set(name, [...(made.get(name) ?? []), { path, bytes, ...reported }]);
  }
  for (const files of made.values()) files.sort((one, other) => other.bytes - one.bytes);
  return made;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // A reader of what is there finds below that nothing is, and where it would be.
    return [];
  }
}
