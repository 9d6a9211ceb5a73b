import { BlockList, isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { isLoopback } from '../interfaces';
import type { WholeAnswer } from '../node/http-client';
import type { Question, RestClient } from './rest-client';

const unspecified = new BlockList();
unspecified.addSubnet('0.0.0.0', 8);
unspecified.addAddress('::', 'ipv6');
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16);
linkLocal.addSubnet('fe80::', 10, 'ipv6');

/**
 * Asks at addresses that a registry gives: those of devices and transport files. What only this machine or its link reaches is not
 * asked for a registry elsewhere, which could make this machine read there for it.
 */
export class DeviceClient {
  private readonly registryHost: string;

  /** @param registry its origin */
  constructor(
    private readonly client: RestClient,
    registry: string,
  ) {
    this.registryHost = hostOf(registry);
  }

  /** @throws WhitelineError NOT_FOUND if no answer comes, and for an address that is not asked */
  async ask(question: Question): Promise<WholeAnswer> {
    const host = hostOf(question.url);
    if (host === this.registryHost) return this.client.ask(question);
    if (this.isKept(host)) throw kept(question.url);
    const refusal = (address: string): string | null =>
      this.isKept(address) ? `${host} is a name of a loopback or link-local address` : null;
    return this.client.ask({ ...question, refusal });
  }

  private isKept(host: string): boolean {
    if (isLocal(this.registryHost)) return false;
    if (isLocal(host)) return !isOwn(this.registryHost);
    return isIn(linkLocal, host) && !isIn(linkLocal, this.registryHost);
  }
}

function isLocal(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host) || isLoopback(host) || isIn(unspecified, host);
}

/** An address of this machine, or its name, also as multicast DNS has it. */
function isOwn(host: string): boolean {
  const name = host.toLowerCase().replace(/(\.local)?\.?$/, '');
  const interfaces = Object.values(networkInterfaces()).flatMap((entries = []) => entries);
  return name === hostname().toLowerCase() || interfaces.some(({ address }) => address === host);
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** Without the brackets of IPv6. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function kept(url: string): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `Refused to ask ${plainLine(url)}: the registry’s address is not of this machine, and this is a loopback or link-local address`,
    ...{ field: 'url', value: url },
    remedy:
      'Let the device register an address that other machines can reach, or read a registry on this machine',
  });
}
