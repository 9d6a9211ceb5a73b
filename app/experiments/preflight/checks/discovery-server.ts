import { NotKnown } from '../../../engine/machine/facts';
import {
  discoveryServersOf,
  ndiConfigurationPath,
  readNdiConfiguration,
} from '../../../engine/machine/ndi-configuration';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem } from '../line';
import { ndiPorts, type PortState, tryPort } from '../ports';
import { lined } from '../shared-reasons';

export interface ServerFacts {
  path: string;
  servers: { host: string; port: number; state: PortState }[];
}

export function judgeServers({ path, servers }: ServerFacts): Line {
  const details = { path, servers };
  if (servers.length === 0) return ok(foundOf('no-discovery-server'), details);
  const tried = lined(servers.map(({ host, port, state }) => `${host}:${port} (${state})`));
  if (servers.every(({ state }) => state === 'open'))
    return ok(foundOf('servers-answer', { servers: tried }), details);
  return problem(foundOf('server-silent', { servers: tried, path }), details);
}

/** An entry is a host, or a host with a port. */
function placeOf(entry: string): { host: string; port: number } {
  const [, host = entry, port] = /^([^:]+):(\d{1,5})$/.exec(entry) ?? [];
  return { host, port: port === undefined ? ndiPorts.discoveryServer : Number(port) };
}

function configured(): string[] {
  try {
    return discoveryServersOf(readNdiConfiguration().settings);
  } catch (error) {
    if (error instanceof NotKnown) return [];
    throw error;
  }
}

export const discoveryServer: Check = {
  id: 'discovery-server',
  async run({ signal }) {
    const servers = configured().map(placeOf);
    const tried = servers.map(async (place) => ({
      ...place,
      state: await tryPort(place.host, place.port, signal),
    }));
    return judgeServers({ path: ndiConfigurationPath(), servers: await Promise.all(tried) });
  },
};
