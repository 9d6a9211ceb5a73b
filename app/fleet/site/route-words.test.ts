import { expect, test } from 'vitest';
import { RouteWords } from './route-words';

const refused = (attempt: number): string =>
  `Error trying to connect to route (attempt ${attempt}): dial tcp 10.147.9.13:6222: connect: connection refused`;

test('that another server is not reached, and that it is, is said once each', () => {
  const words = new RouteWords();
  const lines = [
    '10.147.9.13:53286 - rid:6 - Route connection created',
    ...[1, 2, 37].map(refused),
    '10.147.9.13:33920 - rid:8 - Route connection created',
    '10.147.9.13:6222 - rid:9 - Route connection created',
    '10.147.9.13:6222 - rid:10 - Route connection created',
    refused(1),
  ];
  const lost =
    'The server of the fleet at 10.147.9.13:6222 is not reached (connection refused); it is tried until it answers';
  expect(lines.map((line) => words.of(line))).toEqual([
    ...[null, lost, null, null, null],
    ...['The server of the fleet at 10.147.9.13:6222 is reached', null, lost],
  ]);
});

test('each server is told apart, and what is of something else is left alone', () => {
  const words = new RouteWords();
  const timedOut = 'Error trying to connect to route (attempt 3): dial tcp [fd00::2]:6222: i/o timeout';
  expect(words.of(refused(1))).toMatch(/10\.147\.9\.13/);
  expect(words.of(timedOut)).toMatch(
    /^The server of the fleet at \[fd00::2\]:6222 is not reached \(i\/o timeout\)/,
  );
  expect(words.of('10.0.0.9:4 - cid:3 - authentication error')).toBeUndefined();
});
