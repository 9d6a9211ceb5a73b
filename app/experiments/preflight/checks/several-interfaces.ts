import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { NotKnown } from '../../../engine/machine/facts';
import { ndiConfigurationPath, readNdiConfiguration } from '../../../engine/machine/ndi-configuration';
import { safeParse } from '../../../protocol/safe-parse';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, warning } from '../line';
import { lined } from '../shared-reasons';

export interface AddressFacts {
  /** Of IPv4, without loopback. */
  addresses: { interface: string; address: string; mask: string }[];
  /** Addresses that NDI is set to use; empty: all. */
  allowed: string[];
}

function networkOf({ address, mask }: { address: string; mask: string }): string {
  const masks = mask.split('.').map(Number);
  return address
    .split('.')
    .map((part, index) => Number(part) & (masks[index] ?? 0))
    .join('.');
}

export function judgeInterfaces(facts: AddressFacts): Line {
  const { addresses, allowed } = facts;
  const details = { ...facts };
  const said = lined(addresses.map((entry) => `${entry.interface} (${entry.address})`));
  const interfaces = new Set(addresses.map((entry) => entry.interface));
  if (addresses.length === 0) return warning(foundOf('no-address'), details);
  if (interfaces.size === 1) return ok(foundOf('one-interface', { addresses: said }), details);
  const networks = addresses.map(networkOf);
  const second = addresses.find(
    (entry, index) =>
      networks.indexOf(networks[index] ?? '') !== index &&
      addresses[networks.indexOf(networks[index] ?? '')]?.interface !== entry.interface,
  );
  if (second) {
    const data = { addresses: said, second: second.interface };
    return problem(foundOf('interfaces-in-one-network', data), details);
  }
  if (allowed.length > 0) return ok(foundOf('interfaces-chosen', { addresses: said }), details);
  const path = ndiConfigurationPath();
  return warning(foundOf('several-interfaces', { addresses: said, path }), details);
}

const adapters = z.object({ ndi: z.object({ adapters: z.object({ allowed: z.array(z.string()) }) }) });

function allowedAdapters(): string[] {
  try {
    const parsed = safeParse(adapters, readNdiConfiguration().settings);
    return parsed.success ? parsed.data.ndi.adapters.allowed : [];
  } catch (error) {
    if (error instanceof NotKnown) return [];
    throw error;
  }
}

function gather(): AddressFacts {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, entries = []]) =>
    entries
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address, netmask }) => ({ interface: name, address, mask: netmask })),
  );
  return { addresses, allowed: allowedAdapters() };
}

export const severalInterfaces: Check = {
  id: 'several-interfaces',
  run: async () => judgeInterfaces(gather()),
};
