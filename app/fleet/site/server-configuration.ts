import { agentPermissions, consolePermissions } from '../../protocol/fleet/subjects';
import type { InvitedAgent } from './agents';

/** What nats-server is told: who may come in, and what each may say and hear. */

export interface ServerSettings {
  listen: string;
  port: number;
  /** File with the server's key and certificate. */
  identityFile: string;
  consoleSecret: string;
}

export const consoleUser = 'console';
/** How the server calls itself in its greeting. */
export const fleetServerName = 'whiteline-fleet';

/** Of one message, bytes; larger ones go in pieces. */
const mostPayloadBytes = 1_048_576;
/** For TLS over a slow link, or on a busy machine. */
const handshakeSeconds = 10;
/** Of one request, so many messages: an answer may come in pieces. */
const mostAnswers = 64;
const answerWithin = '1m';

/** nats-server reads JSON as its own language. */
export function configurationText(settings: ServerSettings, agents: readonly InvitedAgent[]): string {
  const { listen, port, identityFile, consoleSecret } = settings;
  const configuration = {
    ...{ server_name: fleetServerName, host: listen, port, max_payload: mostPayloadBytes },
    // Nothing watches the server from inside, and it serves no port but this one.
    ...{ no_system_account: true, logtime: false },
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
