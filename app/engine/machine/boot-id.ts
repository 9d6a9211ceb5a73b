import { readFileSync, readlinkSync } from 'node:fs';

/** Names this start of this machine; empty if the system does not report it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

/**
 * Names the network of this process: two of one id reach each other over loopback. Containers and network namespaces of one start of a
 * machine have networks of their own. Empty if the system does not report it.
 */
export function networkId(): string {
  const boot = bootId();
  try {
    return boot && `${boot} ${readlinkSync('/proc/self/ns/net')}`;
  } catch {
    return '';
  }
}
