import { isLoopback } from '../interfaces';

/**
 * Why others see a node that they cannot reach, and what to do; null where they can, or where all registries are at loopback too.
 * @param hosts addresses at which the node listens
 * @param registries URLs, as they were checked
 * @param setting what its address is set by
 */
export function outOfReachText(
  hosts: readonly string[],
  registries: readonly string[],
  setting = '--host',
): string | null {
  if (!hosts.every(isLoopback)) return null;
  const elsewhere = registries.find((url) => !isAtLoopback(new URL(url).hostname));
  if (elsewhere === undefined) return null;
  return (
    `No other machine reaches this node at ${hosts.join(' and ')}, and its registry ${elsewhere} is not at loopback. ` +
    `Give ${setting} an address of this machine that others reach`
  );
}

function isAtLoopback(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
