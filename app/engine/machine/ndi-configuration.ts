import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { HostEnvironment } from '../../protocol/environment';
import type { NdiNetwork } from '../../protocol/ndi-configuration';
import { ndiConfigurationFolder } from '../../protocol/ndi-configuration-folder';
import { safeParse } from '../../protocol/safe-parse';
import { NotKnown } from './facts';

export function ndiConfigurationPath(environment = process.env): string {
  return join(ndiConfigurationFolder(environment), 'ndi-config.v1.json');
}

/** @throws NotKnown if there is no file: libndi's own settings are in force then */
export function readNdiConfiguration(
  path = ndiConfigurationPath(),
): NonNullable<HostEnvironment['ndiConfiguration']> {
  if (!existsSync(path)) throw new NotKnown(`there is no ${path}: NDI’s own settings are in force`);
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, settings: settingsOf(bytes.toString('utf8')) };
}

/** A file that is not JSON is left out; its hash says which one it was. */
function settingsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const discovery = z.object({ ndi: z.object({ networks: z.object({ discovery: z.string() }) }) });

/** Hosts of discovery servers that a configuration names. */
export function discoveryServersOf(settings: unknown): string[] {
  const parsed = safeParse(discovery, settings);
  if (!parsed.success) return [];
  const { networks } = parsed.data.ndi;
  return networks.discovery
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean);
}

const network = z.object({
  ndi: z.object({
    groups: z.object({ send: z.string() }).optional(),
    adapters: z.object({ allowed: z.array(z.string()) }).optional(),
  }),
});

/** What libndi is given of the network by its file; empty: its own. */
export function ndiNetworkOf(path = ndiConfigurationPath()): Required<NdiNetwork> {
  const settings = existsSync(path) ? settingsOf(readFileSync(path, 'utf8')) : null;
  const { groups, adapters } = safeParse(network, settings).data?.ndi ?? {};
  return {
    discoveryServers: discoveryServersOf(settings),
    groups: groups?.send.split(',').filter(Boolean) ?? [],
    addresses: adapters?.allowed ?? [],
  };
}
