import { expect, test } from 'vitest';
import { quietEnvironment, quietFlags } from './start-quietly.mjs';

test('Chromium keeps to itself what it does without', () => {
  expect(quietFlags([])).toEqual(['--log-level=3']);
  expect(quietFlags(['--user-data-dir=/x'])).toEqual(['--log-level=3']);
  expect(quietEnvironment({ HOME: '/x' })).toEqual({ HOME: '/x', LIBVA_MESSAGING_LEVEL: '0' });
});

test.each(['--enable-logging', '--enable-logging=stderr', '--log-level=0', '--v=1', '--vmodule=x=2'])(
  'unless %s asks for more',
  (flag) => {
    expect(quietFlags([flag])).toEqual([]);
  },
);

test('a level that is set stays', () => {
  expect(quietEnvironment({ LIBVA_MESSAGING_LEVEL: '2' })).toEqual({ LIBVA_MESSAGING_LEVEL: '2' });
});
