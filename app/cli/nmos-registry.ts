import { announceRegistry } from '../nmos/registry/announce-registry';
import { type RegistryOptions, startRegistry } from '../nmos/registry/registry';
import { peerAddress } from '../nmos/registry/replication/peer';
import { usualSystem } from '../nmos/registry/system-api';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes, problemText, toProblem } from '../protocol/errors';
import { abortOnInterrupt } from './interrupt';
import { print, printError, printJson } from './terminal';

export interface RegistryFlags {
  host: string[];
  port: string;
  expiry: string;
  heartbeat: string;
  ptpDomain: string;
  label: string;
  snapshot?: string;
  peer?: string[];
  priority: string;
  announce: boolean;
  json?: boolean;
}

/** A registry until Ctrl-C; what it refuses and who expires goes to standard error. */
export async function registryCommand(flags: RegistryFlags): Promise<number> {
  const options = optionsOf(flags);
  const priority = numberOf(flags.priority, 'priority', 65_535);
  for (const peer of flags.peer ?? []) peerAddress(peer);
  const { signal } = abortOnInterrupt();
  const registry = await startRegistry({ ...options, log: (line) => printError(line) });
  for (const peer of flags.peer ?? []) registry.addPeer(peer);
  const { origins } = registry.http;
  if (flags.json) printJson({ origins });
  else print(...sentences(origins));
  const withdraw = flags.announce ? await announce(flags.host, registry.http.port, priority) : null;
  await new Promise<void>((end) => (signal.aborted ? end() : signal.addEventListener('abort', () => end())));
  await withdraw?.();
  await registry.close();
  return exitCodes.pass;
}

/** A registry that cannot be announced is one that its nodes have to be given. */
async function announce(
  hosts: readonly string[],
  port: number,
  priority: number,
): Promise<() => Promise<void>> {
  try {
    return await announceRegistry({ hosts, port, priority, log: (line) => printError(line) });
  } catch (error) {
    printError(`It is not announced: ${problemText(toProblem(error))}`);
    return async () => undefined;
  }
}

/** @throws WhitelineError BAD_INPUT */
function optionsOf(flags: RegistryFlags): RegistryOptions {
  const expirySeconds = parseDuration(flags.expiry, 'expiry');
  const heartbeatSeconds = parseDuration(flags.heartbeat, 'heartbeat');
  if (!Number.isInteger(heartbeatSeconds) || heartbeatSeconds < 1 || heartbeatSeconds > 1000)
    throw badInput('heartbeat', 'whole seconds from 1s to 1000s', flags.heartbeat);
  if (expirySeconds <= heartbeatSeconds || expirySeconds > 86_400) {
    const expected = `more than the ${heartbeatSeconds} s between two heartbeats, and at most 24h,`;
    throw badInput('expiry', expected, flags.expiry, 'IS-04 has 12s with heartbeats of 5s');
  }
  return {
    ...{ hosts: flags.host, port: numberOf(flags.port, 'port', 65_535), expirySeconds },
    ...(flags.snapshot !== undefined && { snapshot: flags.snapshot }),
    system: {
      ...usualSystem,
      ...{ heartbeatSeconds, label: flags.label, ptpDomain: numberOf(flags.ptpDomain, 'ptpDomain', 127) },
    },
  };
}

/** @throws WhitelineError BAD_INPUT */
export function numberOf(text: string, field: string, largest: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > largest)
    throw badInput(field, `a whole number from 0 to ${largest}`, text);
  return Number(text);
}

function sentences(origins: readonly string[]): string[] {
  return [
    ...origins.flatMap((origin) => [
      `Registration API  ${origin}/x-nmos/registration/`,
      `Query API         ${origin}/x-nmos/query/`,
      `System API        ${origin}/x-nmos/system/`,
    ]),
    'Ctrl-C ends it.',
  ];
}
