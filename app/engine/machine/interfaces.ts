import { existsSync } from 'node:fs';
import type { InterfaceEnvironment } from '../../protocol/environment';
import type { NetworkInterfaceFacts } from '../../protocol/network-interface';
import type { NativeHost } from '../capabilities/native-host';
import { readInterfaces } from '../load/network';
import { factOf, NotKnown, readAmount, readText } from './facts';
import { within } from './patience';
import { readPcie } from './pcie';

/**
 * A process that was moved into another network namespace still sees the interfaces of the first one in sysfs: those of
 * /proc are its own.
 */
export function interfaceNames(): string[] {
  return (readInterfaces() ?? []).map(({ name }) => name);
}

/** Folder of an interface in sysfs. */
export function interfaceFolder(name: string): string {
  return `/sys/class/net/${name}`;
}

/**
 * What an interface's driver reports.
 * @throws NotKnown if this system is not asked; WhitelineError NOT_FOUND; what the host answers
 */
export async function askInterface(host: NativeHost, interfaceName: string): Promise<NetworkInterfaceFacts> {
  const asked = host.request({ name: 'networkInterface', interfaceName });
  const facts = (await within(asked)) as NetworkInterfaceFacts | null;
  if (!facts) throw new NotKnown('this system’s drivers are not asked');
  return facts;
}

/** Every interface of this machine; `host` null: no host that could ask the drivers. */
export function readInterfaceEnvironments(host: NativeHost | null): Promise<InterfaceEnvironment[]> {
  return Promise.all(interfaceNames().map((name) => readInterface(name, host)));
}

async function readInterface(name: string, host: NativeHost | null): Promise<InterfaceEnvironment> {
  const notKnown: Record<string, string> = {};
  const folder = interfaceFolder(name);
  const facts = await factOf(notKnown, 'driver', () => {
    if (!host) throw new NotKnown('no host was there to ask it');
    return askInterface(host, name);
  });
  Object.assign(notKnown, facts?.notKnown);
  const pcie = await factOf(notKnown, 'pcie', () => readPcie(`${folder}/device`));
  const link = facts?.link;
  const duplex = link?.fullDuplex ?? null;
  return {
    name,
    state: existsSync(folder) ? readText(`${folder}/operstate`) : null,
    mtuBytes: facts?.mtuBytes ?? readAmount(`${folder}/mtu`),
    speedMbps: link?.speedMbps ?? null,
    duplex: duplex === null ? null : duplex ? 'full' : 'half',
    driver: facts?.driver?.name || null,
    driverVersion: facts?.driver?.version || null,
    firmware: facts?.driver?.firmware || null,
    eee: facts ? eeeText(facts) : null,
    pcie,
    notKnown,
  };
}

function eeeText({ eee }: NetworkInterfaceFacts): InterfaceEnvironment['eee'] {
  if (!eee) return null;
  return eee.active ? 'on and agreed with the other end' : eee.enabled ? 'on' : 'off';
}
