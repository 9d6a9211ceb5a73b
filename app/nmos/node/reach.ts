import { isLoopback } from '../interfaces';

/**
 * Why other machines cannot reach a node that they see, and the remedy; null if they can, or where all registries are at loopback too.
 * @param hosts addresses at which the node listens
 * @param registries URLs, as they were checked
 * @param setting what its address is set by
 */
export function outOfReachText(
  hosts: readonly string[],
  registries: readonly string[],
  setting = '--listen',
): string | null {
  if (!hosts.every(isLoopback)) return null;
  const elsewhere = registries.find((url) => !isAtLoopback(new URL(url).hostname));
  if (elsewhere === undefined) return null;
  return (
    `Other machines cannot reach this node at ${hosts.join(' and ')}, and its registry ${elsewhere} is not at loopback. ` +
    `Give ${setting} an address of this machine that other machines can reach`
  );
}

function isAtLoopback(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
