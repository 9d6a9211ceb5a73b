import { lookup } from 'node:dns/promises';
import { type Line, lineTowards } from '../../engine/tools/line-towards';
import type { RunTool } from '../../engine/tools/run-tool';
import { badInput } from '../../protocol/errors';
import { iperfPort, type LinkParameters } from './declaration';
import { type LineRate, lineRateOf } from './line-rate';

/** The other end of the link, and the way there. */
export interface Endpoint {
  address: string;
  ipVersion: 4 | 6;
  /** A server of our own is started: the host is this machine, and no port of a server was given. */
  own: boolean;
  /** Of a server that is there already. */
  port: number;
  line: Line;
  rate: LineRate;
}

/** @throws WhitelineError BAD_INPUT for an unknown name */
export async function findEndpoint(parameters: LinkParameters, run: RunTool): Promise<Endpoint> {
  const { address, ipVersion } = await addressOf(parameters.host);
  const line = await lineTowards(address, run);
  const own = parameters.port === undefined && isLoopbackAddress(address);
  const { port = iperfPort } = parameters;
  return { address, ipVersion, own, port, line, rate: lineRateOf(parameters, line) };
}

/** @throws WhitelineError BAD_INPUT for a host that cannot be found */
export async function addressOf(host: string): Promise<{ address: string; ipVersion: 4 | 6 }> {
  if (host === '' || host === 'localhost') return { address: '127.0.0.1', ipVersion: 4 };
  try {
    const { address, family } = await lookup(host);
    return { address, ipVersion: family === 6 ? 6 : 4 };
  } catch {
    throw badInput(
      'host',
      'a host that can be found',
      host,
      'Give its address, for example 192.0.2.7; left out: this machine alone, over loopback',
    );
  }
}

function isLoopbackAddress(address: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(address) || address === '::1';
}
