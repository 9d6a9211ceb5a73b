import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** Whether a URL leads to this machine; false for a name that no one knows. */
export async function leadsHere(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.map(({ address }) => address),
  );
  return found.some(({ address }) => /^127\./.test(address) || own.includes(address));
}
