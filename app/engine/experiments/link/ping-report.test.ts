import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsePing } from './ping-report';

/** Recorded from ping of iputils 20221126. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8');

test('each answer’s time', () => {
  expect(parsePing(recorded('ping'))).toEqual({
    echoesSent: 5,
    echoesAnswered: 5,
    rttsMs: [0.04, 0.05, 0.055, 0.06, 0.066],
  });
});

test('echoes that were not answered have none', () => {
  const { echoesSent, rttsMs } = parsePing(recorded('ping-lossy'));
  expect([echoesSent, rttsMs.length]).toEqual([10, 3]);
  expect(parsePing(recorded('ping-none'))).toEqual({ echoesSent: 3, echoesAnswered: 0, rttsMs: [] });
});

test('nonsense is refused with what was said', () => {
  expect(() => parsePing('ping: unknown host')).toThrow(/ping failed.*unknown host/);
  expect(() => parsePing(recorded('ping').replace(/time=/g, 'took '))).toThrow(/5 answers and 0 times/);
});
