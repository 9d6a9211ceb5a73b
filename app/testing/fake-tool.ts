import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTool } from '../engine/tools/run-tool';

/** A shell script that stands before a tool of the same name in the PATH that is returned; `$REAL` is the tool itself. */
export function fakeTool(folder: string, name: string, script: string): { PATH: string } {
  const place = mkdtempSync(join(folder, 'tool-'));
  const file = join(place, name);
  writeFileSync(file, `#!/bin/sh\nREAL=${findTool(name) ?? name}\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${place}${delimiter}${process.env.PATH ?? ''}` };
}
