import type { NativeHost } from '../../engine/capabilities/native-host';
import { isLoopback } from '../../engine/load/network';
import { NotKnown, readAmount } from '../../engine/machine/facts';
import { interfaceFolder } from '../../engine/machine/interfaces';
import type { RunTool } from '../../engine/tools/run-tool';
import { wordsOf } from '../../facts/reason-words';
import type { Clock } from '../../protocol/clock';
import type { NetworkInterfaceFacts } from '../../protocol/network-interface';
import type { PreflightParameters } from './declaration';
import { type Found, foundOf, textOfFound } from './found-reasons';
import type { PreflightCheckId } from './labels';
import type { Line } from './line';

/** What a check is given to look with. */
export interface CheckContext {
  clock: Clock;
  parameters: PreflightParameters;
  /** The interface that is checked. */
  interfaceName: string;
  /** What its driver reports; a reason where it could not be asked. */
  driver: NetworkInterfaceFacts | string;
  /** Address of the other machine; null if none was named, or this one was. */
  hostAddress: string | null;
  host: NativeHost;
  runTool: RunTool;
  signal: AbortSignal;
}

/** One thing that is checked. `run` may throw: what could not be found out is unknown, with the reason. */
export interface Check {
  /** Of the row's details, and of the check's page in the documentation. */
  id: PreflightCheckId;
  run(context: CheckContext): Promise<Line>;
}

/** Why a check does not know what it asked for. */
export class NotFoundOut extends NotKnown {
  constructor(readonly found: Found) {
    super(textOfFound(found, wordsOf)?.found);
  }
}

/** @throws NotKnown with the reason if the driver could not be asked */
export function driverFacts({ driver }: CheckContext): NetworkInterfaceFacts {
  if (typeof driver === 'string') throw new NotKnown(driver);
  return driver;
}

/** Of the interface, by its driver or by sysfs; null if neither reports it. */
export function ownMtuBytes({ driver, interfaceName }: CheckContext): number | null {
  const reported = typeof driver === 'string' ? null : driver.mtuBytes;
  return reported ?? readAmount(`${interfaceFolder(interfaceName)}/mtu`);
}

/** @throws NotFoundOut if no other machine was named */
export function hostAddress({ hostAddress: address, parameters: { host } }: CheckContext): string {
  if (address !== null) return address;
  throw new NotFoundOut(host === undefined ? foundOf('host-not-named') : foundOf('host-is-here', { host }));
}

export function isLoopbackContext({ interfaceName }: CheckContext): boolean {
  return isLoopback(interfaceName);
}
