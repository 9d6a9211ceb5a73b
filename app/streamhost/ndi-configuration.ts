import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The SDK's own names for the folder's variable and for the file in it. */
const folderVariable = 'NDI_CONFIG_DIR';
const fileName = 'ndi-config.v1.json';

/**
 * Loads libndi with a configuration in place of the machine's own. libndi reads it while it is loaded and never again, so
 * that the folder it is read from is gone as soon as `load` returns. Without a text, libndi finds the machine's own.
 */
export function withNdiConfiguration<Loaded>(text: string | undefined, load: () => Loaded): Loaded {
  if (text === undefined) return load();
  const before = process.env[folderVariable];
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-ndi-'));
  try {
    writeFileSync(join(folder, fileName), text);
    process.env[folderVariable] = folder;
    return load();
  } finally {
    if (before === undefined) delete process.env[folderVariable];
    else process.env[folderVariable] = before;
    rmSync(folder, { recursive: true, force: true });
  }
}
