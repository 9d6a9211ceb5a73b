import { randomBytes } from 'node:crypto';
import { agentPermissions, consolePermissions } from '../../protocol/fleet/subjects';
import { lastPort } from '../../protocol/network-address';
import type { InvitedAgent } from './agents';
import { urlOf } from './server-url';

/** What nats-server is told: who may come in, and what each may say and hear. */

export interface ServerSettings {
  listen: string;
  port: number;
  /** File with the server's key and certificate. */
  identityFile: string;
  consoleSecret: string;
  name: string;
  /** Names or addresses of all machines that run a server of this fleet; fewer than two: there is no other server. */
  servers: readonly string[];
  /** File with the certificate of the authority that has signed all of them. */
  authorityFile: string;
}

export const consoleUser = 'console';
/** How a server calls itself in its greeting begins with this. */
export const fleetServerName = 'whiteline-fleet';

/** Servers that know each other need different names. */
export function newServerName(servers: readonly string[]): string {
  return servers.length < 2 ? fleetServerName : `${fleetServerName}-${randomBytes(8).toString('hex')}`;
}

/** Of one message, bytes; larger ones go in pieces. */
const mostPayloadBytes = 1_048_576;
/** For TLS over a slow link, or on a busy machine. */
const handshakeSeconds = 10;
/** How many messages may answer one request: an answer may come in pieces. */
const mostAnswers = 64;
const answerWithin = '1m';

/** Servers reach each other at the agents’ port plus this, as is usual with NATS. */
const routePortAbove = 2000;
/** With a higher port for agents, the port of the servers would exceed 65535. */
export const lastClusterPort = lastPort - routePortAbove;

/** The port at which the servers of a fleet reach each other; null: the fleet has only one. */
export function routePortOf({ port, servers }: Pick<ServerSettings, 'port' | 'servers'>): number | null {
  return servers.length < 2 ? null : port + routePortAbove;
}

/** nats-server reads JSON as its own language. */
export function configurationText(settings: ServerSettings, agents: readonly InvitedAgent[]): string {
  const { name, listen, port, identityFile, consoleSecret } = settings;
  const configuration = {
    ...{ server_name: name, host: listen, port, max_payload: mostPayloadBytes },
    // Nothing watches the server from inside, and it serves no further port.
    ...{ no_system_account: true, logtime: false },
    ...clusterOf(settings),
    tls: { cert_file: identityFile, key_file: identityFile, timeout: handshakeSeconds },
    authorization: {
      timeout: handshakeSeconds + 1,
      users: [
        { user: consoleUser, password: consoleSecret, permissions: consolePermissions },
        ...agents.map(({ id, secret }) => ({
          ...{ user: id, password: secret },
          permissions: {
            ...agentPermissions(id),
            allow_responses: { max: mostAnswers, expires: answerWithin },
          },
        })),
      ],
    },
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

/** Whoever has a certificate of this fleet's authority is one of its servers, and nobody else is. A route to itself is left out by a server. */
function clusterOf(settings: ServerSettings): object {
  const { listen, identityFile, authorityFile, servers } = settings;
  const port = routePortOf(settings);
  if (port === null) return {};
  const tls = { cert_file: identityFile, key_file: identityFile, ca_file: authorityFile };
  return {
    cluster: {
      ...{ name: fleetServerName, host: listen, port, no_advertise: true },
      tls: { ...tls, verify: true, timeout: handshakeSeconds },
      routes: servers.map((host) => urlOf('nats-route', host, port)),
    },
  };
}
