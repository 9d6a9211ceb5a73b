import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Option } from 'commander';
import { ndiConfigurationPath } from '../engine/machine/ndi-configuration';
import {
  ndiConfigurationFile,
  ndiConfigurationVariable,
  ndiConfigurationWith,
} from '../protocol/ndi-configuration';
import { groupsOf } from '../protocol/ndi-groups';
import { addressesOf } from '../protocol/network-cards';
import { listOption } from './list-flag';

export interface NdiFlags {
  groups?: readonly string[];
  interface?: string;
}

export function groupsOption(): Option {
  return listOption(
    '--groups <names...>',
    'NDI groups in which to send and to search for senders, for example stage,public; default: those in the settings',
  );
}

export const interfaceFlag = [
  '--interface <name>',
  'network interface that NDI uses, for example eth0; default: the one in the settings, or all',
] as const;

/**
 * Gives NDI, in this process's stream hosts, these in place of what is set. libndi reads them from a folder, which is gone when
 * this process ends.
 * @throws WhitelineError BAD_INPUT
 */
export function applyNdiFlags({ groups, interface: name }: NdiFlags): void {
  if (groups === undefined && name === undefined) return;
  const set = {
    groups: groups && groupsOf(groups),
    addresses: name === undefined ? undefined : addressesOf(name, 'interface'),
  };
  const own = ndiConfigurationPath();
  const text = ndiConfigurationWith(existsSync(own) ? readFileSync(own, 'utf8') : null, set);
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-ndi-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, ndiConfigurationFile), text);
  process.env[ndiConfigurationVariable] = folder;
}
