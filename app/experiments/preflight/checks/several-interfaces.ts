import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { NotKnown } from '../../../engine/machine/facts';
import { type Line, ok, problem, warning } from '../../../engine/machine/line';
import { ndiConfigurationPath, readNdiConfiguration } from '../../../engine/machine/ndi-configuration';
import { safeParse } from '../../../protocol/safe-parse';
import type { Check } from '../check';

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
  const said = addresses.map((entry) => `${entry.interface} (${entry.address})`).join(', ');
  const interfaces = new Set(addresses.map((entry) => entry.interface));
  if (addresses.length === 0)
    return warning('no interface has an address of IPv4', 'Give it one: NDI needs it', 'ip address', details);
  if (interfaces.size === 1) return ok(`one interface is in use: ${said}`, details);
  const networks = addresses.map(networkOf);
  const twice = addresses.filter(
    (entry, index) =>
      networks.indexOf(networks[index] ?? '') !== index &&
      addresses[networks.indexOf(networks[index] ?? '')]?.interface !== entry.interface,
  );
  if (twice.length > 0) {
    const found = `two interfaces are in one network: ${said}`;
    const advice =
      'What comes in by one may be answered by the other: give each a network of its own, or take one away';
    const [second] = twice;
    return problem(found, advice, `ip link set dev ${second?.interface} down`, details);
  }
  if (allowed.length > 0)
    return ok(`several interfaces are in use, and NDI’s settings choose among them: ${said}`, details);
  const advice =
    'NDI reports all of its addresses to others, which may choose the wrong one: name the one for video in adapters.allowed';
  return warning(
    `several interfaces are in use: ${said}`,
    advice,
    `"$EDITOR" ${ndiConfigurationPath()}`,
    details,
  );
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
