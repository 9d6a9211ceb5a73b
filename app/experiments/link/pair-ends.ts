import { hostname } from 'node:os';
import type { RemoteMachine } from '../../engine/host-application';
import type { LinkEnd, LinkServer } from '../../engine/machines/link-end';
import { whyNoOwnServer } from '../../engine/tools/iperf-server';
import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import { linkPorts } from '../../protocol/fleet/link-commands';
import { howToGet } from '../../protocol/how-to-get';
import { thisMachine } from '../../protocol/stream-parameters';

/** One of the two machines of a pair. */
export interface PairEnd {
  /** For people. */
  name: string;
  /** As rows and samples name it. */
  host: string;
  link: LinkEnd;
  /** Null: this one. */
  machine: RemoteMachine | null;
}

export function endHere(link: LinkEnd): PairEnd {
  return { name: thisMachine, host: hostname(), link, machine: null };
}

export function endOn(machine: RemoteMachine): PairEnd {
  return { name: machine.name, host: machine.name, link: machine.link, machine };
}

export const howToGetIperf = `Install it (${howToGet('iperf3')})`;

/** Of iperf3 at the two ends. */
export interface PairVersions {
  caller: string | null;
  server: string | null;
}

/** @throws WhitelineError REQUIREMENT_MISSING naming each machine that lacks what it takes; those of bus and agent */
export async function iperfVersions(caller: PairEnd, server: PairEnd): Promise<PairVersions> {
  const [ofCaller, ofServer] = await Promise.all([versionOf(caller), versionOf(server)]);
  const whyNoServer = 'why' in ofServer ? null : whyNoOwnServer(ofServer.version);
  const missing = [
    ...('why' in ofCaller ? [ofCaller.why] : []),
    ...('why' in ofServer ? [ofServer.why] : []),
    ...(whyNoServer ? [`${server.name}: ${whyNoServer}`] : []),
  ];
  if ('why' in ofCaller || 'why' in ofServer || missing.length > 0)
    throw new WhitelineError({
      code: 'REQUIREMENT_MISSING',
      message: missing.join('. '),
      ...{ field: 'requires', value: 'iperf3' },
    });
  return { caller: ofCaller.version, server: ofServer.version };
}

async function versionOf({ name, link }: PairEnd): Promise<{ version: string | null } | { why: string }> {
  try {
    return { version: await link.iperfVersion() };
  } catch (error) {
    const problem = toProblem(error);
    const why =
      problem.code === 'TOOL_MISSING' ? `${problem.message}. ${howToGetIperf}` : problemText(problem);
    return { why: `${name}: ${why}` };
  }
}

/** How many addresses of a machine are tried. */
const mostAddresses = 16;

export interface Reached {
  address: string;
  server: LinkServer;
}

/**
 * Starts the server at the first address of its machine that the other one reaches by TCP.
 * @param sharesLoopback both are in one network, such as two agents of one machine
 * @throws WhitelineError REQUIREMENT_MISSING if none is reached, and those of starting a server, with the machine's name
 */
export async function reachedServer(
  caller: PairEnd,
  server: PairEnd,
  sharesLoopback: boolean,
): Promise<Reached> {
  // An address that both machines have, such as that of a bridge, would lead from each machine to itself.
  const own = sharesLoopback ? [] : caller.link.addresses;
  const addresses = [
    ...server.link.addresses.filter((address) => !own.includes(address)),
    ...(sharesLoopback ? ['127.0.0.1'] : []),
  ].slice(0, mostAddresses);
  for (const address of addresses) {
    const started = await at(server, () => server.link.serve(address));
    let isReached = false;
    try {
      isReached = await at(caller, () => caller.link.reaches(address, started.port));
    } finally {
      if (!isReached) await started.stop();
    }
    if (isReached) return { address, server: started };
  }
  const tried = addresses.length > 0 ? ` (${addresses.join(', ')})` : '';
  throw new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `${caller.name} reaches ${server.name} at none of its addresses${tried} by TCP`,
    ...{ field: 'receiveOn', value: server.name },
    remedy: `Let TCP and UDP from ${caller.name} to ports ${linkPorts.first} to ${linkPorts.last} of ${server.name} through its firewall, and look at the route between them`,
  });
}

async function at<Value>({ name }: PairEnd, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const problem = toProblem(error);
    throw new WhitelineError({ ...problem, message: `${name}: ${problem.message}` });
  }
}
