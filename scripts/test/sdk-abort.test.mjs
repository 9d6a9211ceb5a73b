import { expect, test } from 'vitest';
import { isAbortOfSdk } from './sdk-abort.mjs';

const thrown = `ended with status 66
terminate called after throwing an instance of 'std::system_error'
what():  Invalid argument
ThreadSanitizer:DEADLYSIGNAL
==608==ERROR: ThreadSanitizer: ABRT on unknown address 0x000000000260 (pc 0x7ffff4ca8eec bp 0x7fffc2d096c0 sp 0x7fffc2c48e60 T3672)`;
const stackOf = (...modules) =>
  ['libc.so.6', 'libtsan.so', ...modules, 'libtsan.so', 'libc.so.6']
    .map((name, index) => `    #${index} <null> <null> (${name}+0x18bd56e)`)
    .join('\n');

test('an exception of a thread of the SDK, and of nothing else', () => {
  expect(isAbortOfSdk(`${thrown}\n${stackOf('libndi.so.6', '/opt/lib/libndi.so.6.3')}`)).toBe(true);
});

test.each([
  ['a thread of the addon', `${thrown}\n${stackOf('whiteline.node')}`],
  ['a thread of the SDK in a call of the addon', `${thrown}\n${stackOf('libndi.so.6', 'whiteline.node')}`],
  ['no stack', thrown],
  ['another end', stackOf('libndi.so.6')],
  ['a finding beside it', `WARNING: ThreadSanitizer: data race\n${thrown}\n${stackOf('libndi.so.6')}`],
])('%s is none', (_, output) => {
  expect(isAbortOfSdk(output)).toBe(false);
});
