import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Each of Playwright's workers has a display of its own, and a group of NDI sources of its own, so that neither the focus
 * nor the sources of one reach the other's windows.
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
  // Names on a network are told apart by the machine's, and of two that are the same only one is announced.
  JSON.stringify({ ndi: { machinename: group, groups: { send: group, recv: group } } }),
);
process.env.NDI_CONFIG_DIR = folder;
