import { expect, it } from 'vitest';
import { timedLog } from './timed-log';

it('a line begins with its time', () => {
  const lines: string[] = [];
  const log = timedLog(
    (line) => lines.push(line),
    () => Date.UTC(2026, 10, 25, 17, 0, 0, 7),
  );
  log('a node expired');
  expect(lines).toEqual(['2026-11-25T17:00:00.007Z a node expired']);
});
