/** Why a connection failed, in words. */

const words = new Map([
  ['ECONNREFUSED', 'connection refused, nothing listens on that port'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed'],
  ['EHOSTUNREACH', 'no route to that address'],
  ['ENETUNREACH', 'no route to the network of that address'],
  ['EADDRNOTAVAIL', 'this machine cannot reach that address'],
  ['EHOSTDOWN', 'that machine is down'],
  ['ETIMEDOUT', 'timed out'],
  ['ENOTFOUND', 'unknown host name'],
  ['EAI_AGAIN', 'no DNS server answers'],
  ['EACCES', 'this machine denies permission'],
  ['EPROTO', 'that port does not speak HTTPS'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'that port does not speak HTTPS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'that port does not speak HTTPS'],
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'it sent a message over the size limit'],
  ['HPE_HEADER_OVERFLOW', 'its answer has headers over the size limit'],
]);

/** @param error as Node's sockets and HTTP have it; one of several addresses has several */
export function connectionWords(error: unknown): string {
  const code = codeOf(error);
  const known = words.get(code) ?? (code.startsWith('HPE_') ? 'that port does not speak HTTP' : undefined);
  if (known !== undefined) return known;
  if (error instanceof AggregateError && error.errors.length > 0) return connectionWords(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || code || error.name;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
