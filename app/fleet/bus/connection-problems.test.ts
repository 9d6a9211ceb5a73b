import { NatsError } from 'nats';
import { expect, test } from 'vitest';
import { connectionProblem } from './connection-problems';

const servers = ['tls://one:4222', 'tls://two:4222'];

function coded(code: string, message = 'what the system says'): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [NatsError.errorForCode('CONNECTION_REFUSED'), 'BUS_UNREACHABLE', 'does not answer: nothing listens'],
  [NatsError.errorForCode('TIMEOUT'), 'BUS_UNREACHABLE', 'does not answer in time'],
  [coded('ENOTFOUND'), 'BUS_UNREACHABLE', 'cannot resolve the name'],
  [coded('EAI_AGAIN'), 'BUS_UNREACHABLE', 'cannot resolve the name'],
  [coded('EHOSTUNREACH'), 'BUS_UNREACHABLE', '(what the system says)'],
  [coded('ECONNRESET', 'reset\nby them'), 'BUS_UNREACHABLE', '(reset by them)'],
  [NatsError.errorForCode('AUTHORIZATION_VIOLATION'), 'BUS_REFUSED', 'the secret of the join file'],
  [NatsError.errorForCode('SERVER_OPT_NA'), 'BUS_UNTRUSTED', 'has no TLS'],
  [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'BUS_UNTRUSTED', 'has not signed (SELF_SIGNED_CERT_IN_CHAIN)'],
  [coded('CERT_HAS_EXPIRED'), 'BUS_UNTRUSTED', 'not valid at this time'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'BUS_UNTRUSTED', 'a certificate for another name (what'],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'BUS_UNTRUSTED', 'do not agree on TLS (what'],
  [new NatsError('TLS', 'TLS', new Error('bad PEM')), 'BUS_UNTRUSTED', 'do not agree on TLS (bad PEM)'],
  [undefined, 'BUS_UNREACHABLE', 'cannot be reached'],
])('%s is %s: %s', (error, code, words) => {
  const problem = connectionProblem(error, servers);
  expect(problem).toMatchObject({ code, remedy: expect.stringMatching(/^[A-Z].{20}/) });
  expect(problem.message).toContain('The bus at tls://one:4222, tls://two:4222');
  expect(problem.message).toContain(words);
});

test('of several servers the one that refuses is named, with both remedies', () => {
  const down = connectionProblem(coded('ECONNREFUSED'), ['tls://one:4222']);
  const refuses = connectionProblem(NatsError.errorForCode('AUTHORIZATION_VIOLATION'), ['tls://two:4222']);
  const problem = connectionProblem(new AggregateError([down, refuses]), servers);
  expect(problem.message).toBe(
    'The bus at tls://two:4222 does not accept the name and the secret of the join file',
  );
  expect(problem.remedy).toMatch(/within the last minute, wait a minute: .* Otherwise: ask for a new one/);
});

test('of several servers that do not answer each is named with its problem', () => {
  const down = connectionProblem(coded('ECONNREFUSED'), ['tls://one:4222']);
  const silent = connectionProblem(coded('TIMEOUT'), ['tls://two:4222']);
  expect(connectionProblem(new AggregateError([down, silent]), servers)).toMatchObject({
    code: 'BUS_UNREACHABLE',
    message:
      'The bus at tls://one:4222 does not answer: nothing listens there; The bus at tls://two:4222 does not answer in time',
  });
});
