import { expect, test } from 'vitest';
import { connectionWords } from './connection-words';

const withCode = (code: string, message = `connect ${code} 192.0.2.1:80`): Error =>
  Object.assign(new Error(message), { code });

test.each<[string, unknown, string]>([
  ['a refused connection', withCode('ECONNREFUSED'), 'nothing listens at that port'],
  ['no route', withCode('EHOSTUNREACH'), 'no way leads to that address'],
  ['no TLS', withCode('EPROTO', 'write EPROTO 807C:error:0A00010B\n'), 'no HTTPS is spoken there'],
  [
    'several addresses',
    new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')], ''),
    'nothing listens at that port',
  ],
  ['words of its own', new Error('no answer within 5 s'), 'no answer within 5 s'],
  ['a code alone', withCode('EOTHER', ''), 'EOTHER'],
  ['no error', 'odd', 'odd'],
])('%s is said in words', (_, error, words) => {
  expect(connectionWords(error)).toBe(words);
});
