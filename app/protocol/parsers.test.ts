import { expect, test } from 'vitest';
import { streamLoadParameters } from '../experiments/stream-load/declaration';
import { worseVerdict } from '../facts/verdict';
import { durationText, parseDuration } from './duration';
import { badInput, problemText, toProblem, WhitelineError } from './errors';
import { parseSource, sourceText } from './source-spec';

test.each([
  ['5s', 5],
  ['500ms', 0.5],
  ['2m', 120],
  ['1h', 3600],
  ['1.5s', 1.5],
  ['7', 7],
  [' 3s ', 3],
])('the duration “%s” is %d s', (text, seconds) => {
  expect(parseDuration(text, 'hold')).toBeCloseTo(seconds, 9);
});

test.each(['', 's', '-1s', '5 s', '1d', '1e3', '0x10', '5s5'])('the duration “%s” is refused', (text) => {
  expect(() => parseDuration(text, 'hold')).toThrow(/Expected a duration for hold but received/);
});

test('durations round up, so that time left is never 0 before the end', () => {
  expect(durationText(0.2)).toBe('1 s');
  expect(durationText(80)).toBe('1 min 20 s');
  expect(durationText(7500)).toBe('2 h 05 min');
});

test('a source is a word or the path of a movie', () => {
  expect(parseSource('white-line')).toEqual({ kind: 'white-line' });
  expect(parseSource(' noise ')).toEqual({ kind: 'noise' });
  expect(parseSource('films/a b.mov')).toEqual({ kind: 'movie', path: 'films/a b.mov' });
  expect(sourceText(parseSource('films/a b.mov'))).toBe('films/a b.mov');
  expect(sourceText(parseSource('noise'))).toBe('noise');
  expect(() => parseSource('  ')).toThrow(/Expected white-line, noise or the path of a movie for source/);
});

test('an error keeps what an operator needs when it crosses a border', () => {
  const error = badInput('hold', 'a duration', '', 'Use 5s');
  expect(error.message).toBe('Expected a duration for hold but received nothing');
  const problem = toProblem(error);
  expect(new WhitelineError(problem)).toMatchObject(problem);
  expect(problemText(problem)).toBe('Expected a duration for hold but received nothing. Use 5s');
  expect(toProblem('odd')).toEqual({ code: 'INTERNAL', message: 'odd' });
  expect(toProblem(new Error('odd'))).toEqual({ code: 'INTERNAL', message: 'odd' });
});

test('of two verdicts the worse one stands', () => {
  expect(worseVerdict('PASS', 'WARN')).toBe('WARN');
  expect(worseVerdict('FAIL', 'WARN')).toBe('FAIL');
  expect(worseVerdict('INVALID', 'FAIL')).toBe('FAIL');
});

test('parameters of stream-load have defaults, and refuse what they do not know', () => {
  expect(streamLoadParameters.parse({})).toMatchObject({
    source: 'white-line',
    format: '1280x720@60',
    maxStreams: 4,
  });
  expect(streamLoadParameters.safeParse({ streams: 3 }).success).toBe(false);
  const scaled = streamLoadParameters.safeParse({ scale: '1281x720' });
  expect(scaled.error?.issues[0]?.message).toMatch(
    /^Expected an even width .+ for scale but received 1281x720\. Use/,
  );
});
