import { readFileSync } from 'node:fs';

/** Bits of Linux, as in capabilities(7). */
const rights = { networkAdmin: 12, raw: 13, systemAdmin: 21 } as const;

/** Whether this process, and what it starts, may make network namespaces and what lies in them. */
export function mayMakeNetworks(status = readFileSync('/proc/self/status', 'utf8')): boolean {
  const [, bits = '0'] = /^CapEff:\s*([\da-f]+)/m.exec(status) ?? [];
  return Object.values(rights).every((right) => (BigInt(`0x${bits}`) & (1n << BigInt(right))) !== 0n);
}
