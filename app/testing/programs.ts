import { chmodSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A folder that has all programs of PATH, but these scripts of the shell in the place of some.
 * @param folder in which it is made
 * @param replaced script by name of program; null: there is no such program
 */
export function programs(folder: string, replaced: Record<string, string | null>): string {
  const own = mkdtempSync(join(folder, 'programs-'));
  const taken = new Set(Object.keys(replaced));
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of readNames(place)) {
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(join(place, name), join(own, name));
    }
  }
  for (const [name, script] of Object.entries(replaced)) {
    if (script === null) continue;
    writeFileSync(join(own, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(own, name), 0o755);
  }
  return own;
}

function readNames(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}
