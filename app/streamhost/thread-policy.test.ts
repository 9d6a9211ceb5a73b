import { expect, test } from 'vitest';
import { threadPolicyOf } from './thread-policy';

const policyOf = (text: string | undefined): unknown => threadPolicyOf({ WHITELINE_THREAD_POLICY: text });
const usual = { enabled: true, realTime: true, lockedMemory: false };

test.each([
  [undefined, {}],
  ['', {}],
  ['off', { enabled: false }],
  ['ordinary', { realTime: false }],
  ['locked-memory', { lockedMemory: true }],
  ['core=3', { core: 3 }],
  ['ordinary,locked-memory,core=0', { realTime: false, lockedMemory: true, core: 0 }],
])('%s', (text, different) => {
  expect(policyOf(text)).toEqual({ ...usual, ...different });
});

test.each(['on', 'off,ordinary', 'core=', 'core=-1', 'core=8192', 'core=1.5', 'ordinary, core=1', ','])(
  '“%s” is refused, and the refusal says why',
  (text) => {
    expect(() => policyOf(text)).toThrow(/^Expected off, or any of ordinary.+WHITELINE_THREAD_POLICY/);
  },
);
