import { NatsError } from 'nats';
import { toProblem, WhitelineError } from '../../protocol/errors';
import { plainLine, plainSentences } from '../../protocol/plain-text';

/** Why a connection to the bus failed, in words that an operator can act on. */

const newJoinFile = 'Ask for a new join file (whiteline fleet invite NAME)';

/** What the system and the TLS library call what went wrong. */
const wrongAuthority: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
]);
const wrongTime: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const wrongSecret: ReadonlySet<string> = new Set([
  'AUTHORIZATION_VIOLATION',
  'AUTHENTICATION_TIMEOUT',
  'AUTHENTICATION_EXPIRED',
  'ACCOUNT_EXPIRED',
]);
const noName: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

/**
 * Of several servers the problem of one that answers and refuses, where there is one: more can be done about it. Otherwise that of each.
 * @param servers the addresses of the join file that were asked, as they are written there
 */
export function connectionProblem(error: unknown, servers: readonly string[]): WhitelineError {
  if (error instanceof WhitelineError) return error;
  if (error instanceof AggregateError) {
    const problems = error.errors.map((one: unknown) => connectionProblem(one, servers));
    const [first = connectionProblem(undefined, servers)] = problems;
    const refused = problems.find(({ code }) => code !== 'BUS_UNREACHABLE');
    const messages = new Set(problems.map(({ message }) => message));
    if (refused || messages.size < 2) return refused ?? first;
    return new WhitelineError({ ...toProblem(first), message: [...messages].join('; ') });
  }
  const bus = `The bus at ${servers.map(plainLine).join(', ')}`;
  const code = codeOf(error);
  if (code === 'CONNECTION_REFUSED' || code === 'ECONNREFUSED')
    return new WhitelineError({
      code: 'BUS_UNREACHABLE',
      message: `${bus} does not answer: nothing listens there`,
      remedy: 'Start it there (whiteline fleet start), or check address and port in the join file',
    });
  if (code === 'TIMEOUT' || code === 'CONNECTION_TIMEOUT')
    return new WhitelineError({
      code: 'BUS_UNREACHABLE',
      message: `${bus} does not answer in time`,
      remedy: 'Check that this machine reaches that address, and that no firewall is between them',
    });
  if (noName.has(code))
    return new WhitelineError({
      code: 'BUS_UNREACHABLE',
      message: `${bus} is not found: this machine cannot resolve the name`,
      remedy: 'Check the name in the join file, or use an IP address',
    });
  if (wrongSecret.has(code))
    return new WhitelineError({
      code: 'BUS_REFUSED',
      message: `${bus} does not accept the name and the secret of the join file`,
      remedy: `If it was written within the last minute, wait a minute: a server reads new names once a minute. Otherwise: ask for a new one (whiteline fleet invite NAME)`,
    });
  if (code === 'SERVER_OPT_NA')
    return new WhitelineError({
      code: 'BUS_UNTRUSTED',
      message: `${bus} has no TLS, so that others on the network could read and change what it carries`,
      remedy: 'Give its server a certificate, or check the port in the join file',
    });
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new WhitelineError({
      code: 'BUS_UNTRUSTED',
      message: `${bus} shows a certificate for another name (${messageOf(error)})`,
      remedy: 'Use an address in the join file that stands in the certificate of the bus',
    });
  if (wrongAuthority.has(code))
    return new WhitelineError({
      code: 'BUS_UNTRUSTED',
      message: `${bus} shows a certificate that the authority of the join file has not signed (${code})`,
      remedy: newJoinFile,
    });
  if (wrongTime.has(code))
    return new WhitelineError({
      code: 'BUS_UNTRUSTED',
      message: `${bus} shows a certificate that is not valid at this time (${code})`,
      remedy: 'Check the clock of this machine and of the one with the bus',
    });
  if (code === 'TLS' || code === 'EPROTO' || /^ERR_(SSL|TLS|OSSL)_/.test(code))
    return new WhitelineError({
      code: 'BUS_UNTRUSTED',
      message: `${bus} and this machine do not agree on TLS (${messageOf(error)})`,
      remedy: newJoinFile,
    });
  return new WhitelineError({
    code: 'BUS_UNREACHABLE',
    message: `${bus} cannot be reached (${messageOf(error)})`,
    remedy: 'Check address and port in the join file, and the network between the two machines',
  });
}

export function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Some errors of the client only wrap the one that says what was wrong. */
function messageOf(error: unknown): string {
  const inner = error instanceof NatsError ? (error.chainedError ?? error) : error;
  return plainSentences(inner instanceof Error ? inner.message || inner.name : codeOf(inner)).slice(0, 300);
}
