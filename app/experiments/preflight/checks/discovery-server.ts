import { NotKnown } from '../../../engine/machine/facts';
import { type Line, ok, problem } from '../../../engine/machine/line';
import {
  discoveryServersOf,
  ndiConfigurationPath,
  readNdiConfiguration,
} from '../../../engine/machine/ndi-configuration';
import type { Check } from '../check';
import { ndiPorts, type PortState, tryPort } from '../ports';

export interface ServerFacts {
  path: string;
  servers: { host: string; port: number; state: PortState }[];
}

export function judgeServers({ path, servers }: ServerFacts): Line {
  const details = { path, servers };
  if (servers.length === 0) return ok('no discovery server is set: senders are found by mDNS', details);
  const said = servers.map(({ host, port, state }) => `${host}:${port} (${state})`).join(', ');
  if (servers.every(({ state }) => state === 'open'))
    return ok(`the discovery servers answer: ${said}`, details);
  const advice =
    'With a server set, NDI does not use mDNS: senders are not found at all. Start the server, or take it out of the settings';
  return problem(`a discovery server does not answer: ${said}`, advice, `"$EDITOR" ${path}`, details);
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
