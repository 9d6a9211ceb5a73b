import { expect, test } from 'vitest';
import { whatStarts } from './what-starts.mjs';

const ramp = ['run', 'stream-load', '--report', '--hold', '10s'];

test.each([
  [[], { console: [] }],
  [['--user-data-dir=/x'], { console: ['--user-data-dir=/x'] }],
  [['serve', '--port', '8080'], { command: ['serve', '--port', '8080'] }],
  [['fleet', 'start', '--invite', 'render-1'], { command: ['fleet', 'start', '--invite', 'render-1'] }],
  [['--headless', 'doctor'], { command: ['doctor'] }],
  [['no-such-command'], { command: ['no-such-command'] }],
  [['--headless'], { command: ramp, why: '' }],
  [['--headless', '--source', 'noise'], { command: [...ramp, '--source', 'noise'], why: '' }],
])('with a display, npm start -- %j starts %j', (words, started) => {
  expect(whatStarts(words, true)).toEqual(started);
});

test('without a display it is the ramp, and says why, or the command', () => {
  const why = expect.stringContaining('DISPLAY');
  expect(whatStarts(['--hold', '2s'], false)).toEqual({ command: [...ramp, '--hold', '2s'], why });
  expect(whatStarts(['serve'], false)).toEqual({ command: ['serve'] });
});
