import { expect, test } from 'vitest';
import { connectionWords } from './connection-words';

const withCode = (code: string, message = `connect ${code} 192.0.2.1:80`): Error =>
  Object.assign(new Error(message), { code });

test.each<[string, unknown, string]>([
  ['a refused connection', withCode('ECONNREFUSED'), 'connection refused, nothing listens on that port'],
  ['no route', withCode('EHOSTUNREACH'), 'no route to that address'],
  ['no TLS', withCode('EPROTO', 'write EPROTO 807C:error:0A00010B\n'), 'that port does not speak HTTPS'],
  [
    'several addresses',
    new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')], ''),
    'connection refused, nothing listens on that port',
  ],
  ['words of its own', new Error('no answer within 5 s'), 'no answer within 5 s'],
  ['a code alone', withCode('EOTHER', ''), 'EOTHER'],
  ['no error', 'odd', 'odd'],
  ['no network', withCode('ENETUNREACH'), 'no route to the network of that address'],
  ['an address of another kind', withCode('EADDRNOTAVAIL'), 'this machine cannot reach that address'],
  ['a host that is down', withCode('EHOSTDOWN'), 'that machine is down'],
  ['no answer', withCode('ETIMEDOUT'), 'timed out'],
  ['an unknown name', withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere'), 'unknown host name'],
  ['no DNS', withCode('EAI_AGAIN', 'getaddrinfo EAI_AGAIN nowhere'), 'no DNS server answers'],
  ['a ban', withCode('EACCES'), 'this machine denies permission'],
  ['no HTTP', withCode('HPE_INVALID_CONSTANT', 'Parse Error'), 'that port does not speak HTTP'],
  ['other than HTTP', withCode('HPE_INVALID_HEADER_TOKEN', 'Parse Error'), 'that port does not speak HTTP'],
  [
    'headers without end',
    withCode('HPE_HEADER_OVERFLOW', 'Parse Error: Header overflow'),
    'its answer has headers over the size limit',
  ],
  [
    'a long message',
    withCode('WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'Max payload size exceeded'),
    'it sent a message over the size limit',
  ],
])('%s is said in words', (_, error, words) => {
  expect(connectionWords(error)).toBe(words);
});
