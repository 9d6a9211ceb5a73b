/** Why no connection came about, in words. */

const words = new Map([
  ['ECONNREFUSED', 'nothing listens at that port'],
  ['ECONNRESET', 'the connection was cut off'],
  ['EPIPE', 'the connection was cut off'],
  ['EHOSTUNREACH', 'no way leads to that address'],
  ['ENETUNREACH', 'no network leads to that address'],
  ['EADDRNOTAVAIL', 'that address cannot be reached from here'],
  ['EHOSTDOWN', 'that machine is off'],
  ['ETIMEDOUT', 'no answer came'],
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'no name server answers'],
  ['EACCES', 'this machine does not allow it'],
  ['EPROTO', 'no HTTPS is spoken there'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no HTTPS is spoken there'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'no HTTPS is spoken there'],
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'it sent a message that is longer than is allowed'],
  ['HPE_INVALID_CONSTANT', 'no HTTP is spoken there'],
]);

/** @param error as Node's sockets and HTTP have it; one of several addresses has several */
export function connectionWords(error: unknown): string {
  const known = words.get(codeOf(error));
  if (known !== undefined) return known;
  if (error instanceof AggregateError && error.errors.length > 0) return connectionWords(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error) || error.name;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
