import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives each Playwright worker its own display, NDI machine name and NDI group. Workers then share neither the keyboard focus
 * nor the list of sources.
 */
const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

const displays = (process.env.WHITELINE_DISPLAYS ?? '').split(' ');
if (displays[worker]) process.env.DISPLAY = displays[worker];

const group = `whiteline-e2e-${process.pid}`;
const folder = join(tmpdir(), group);
mkdirSync(folder, { recursive: true });
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, 'ndi-config.v1.json'),
  // If two senders have the same machine and stream names, mDNS announces only one of them.
  JSON.stringify({ ndi: { machinename: group, groups: { send: group, recv: group } } }),
);
process.env.NDI_CONFIG_DIR = folder;
