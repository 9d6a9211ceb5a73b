import { IncomingMessage, type ServerOptions } from 'node:http';

/**
 * A request that asks for another protocol than WebSocket, such as h2c, is answered as if it had not asked (RFC 9110, 7.8). The
 * server would hand over its connection, as it reads this property of each request that it takes.
 */
class LenientRequest extends IncomingMessage {
  private asksForUpgrade = false;

  set upgrade(asks: boolean) {
    this.asksForUpgrade = asks;
  }

  get upgrade(): boolean {
    const { method, headers } = this;
    return this.asksForUpgrade && (method === 'CONNECT' || headers.upgrade?.toLowerCase() === 'websocket');
  }
}

/** Options that these types do not have yet. */
interface LaterOptions extends ServerOptions {
  requireHostHeader: boolean;
  connectionsCheckingInterval: number;
}

/** Looks per limit, so that a request ends at most a fifteenth of it late. */
const looks = 15;

/** @param requestMs as in HttpLimits */
export function serverOptions(requestMs: number): ServerOptions {
  const options: LaterOptions = {
    IncomingMessage: LenientRequest,
    // Refused with a body like that of any other refusal.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(requestMs / looks),
  };
  return options;
}
