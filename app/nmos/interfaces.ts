import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../protocol/clock';
import { badInput } from '../protocol/errors';
import { monotonicMs } from './monotonic-ms';

/** An interface of this machine that is up. */
export interface RunningInterface {
  name: string;
  /** Without those of IPv6 that only its link knows. */
  addresses: string[];
  /** As NMOS writes it: 00-00-5e-00-53-07. */
  portId: string;
}

const ofThisMachine = new BlockList();
ofThisMachine.addSubnet('127.0.0.0', 8);
ofThisMachine.addAddress('::1', 'ipv6');

/** In 127.0.0.0/8, or ::1: no other machine reaches it. */
export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && ofThisMachine.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** The system says that an interface is up about a second after its cable is in. */
const longestWaitMs = 2000;
const lookMs = 50;

/**
 * Interfaces that have one of these addresses, each with those of its addresses that are meant. Waits
 * up to 2 s for those that are not up yet.
 * @param family null: IPv4 and IPv6
 * @throws WhitelineError BAD_INPUT for an address of none
 */
export async function interfacesWith(
  hosts: readonly string[],
  clock: Clock,
  family: 'IPv4' | null = null,
): Promise<RunningInterface[]> {
  const startedMs = monotonicMs(clock);
  for (;;) {
    const running = runningInterfaces();
    const isMeant = (address: string, host: string): boolean =>
      address === host && (family === null || isIPv4(address));
    const missing = hosts.find(
      (host) => !running.some(({ addresses }) => addresses.some((one) => isMeant(one, host))),
    );
    if (missing === undefined)
      return running
        .map((one) => ({
          ...one,
          addresses: one.addresses.filter((address) => hosts.some((host) => isMeant(address, host))),
        }))
        .filter(({ addresses }) => addresses.length > 0);
    if (monotonicMs(clock) - startedMs > longestWaitMs) {
      const names = running.map(({ name }) => name).join(', ');
      throw badInput(
        'host',
        `an ${family ?? 'IP'} address of an interface that is up`,
        missing,
        `Interfaces that are up: ${names}`,
      );
    }
    await clock.sleep(lookMs);
  }
}

function runningInterfaces(): RunningInterface[] {
  return Object.entries(networkInterfaces()).map(([name, entries = []]) => ({
    name,
    addresses: entries.map(({ address }) => address).filter((address) => !/^fe80:/i.test(address)),
    portId: (entries[0]?.mac ?? '00:00:00:00:00:00').replaceAll(':', '-').toLowerCase(),
  }));
}

/** An IPv4 address of each interface: for what listens and announces nothing. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) => {
    const first = entries.find(({ address }) => isIPv4(address));
    return first ? [first.address] : [];
  });
}
