import { expect, test } from 'vitest';
import type { Row } from '../../../protocol/row';
import type { Verdict } from '../../../protocol/verdict';
import { exampleRow } from '../../../testing/example-run';
import { streamLoadVerdict } from './verdict';

/** Rows of 0, 1, 2 … streams with these verdicts. */
function rows(...verdicts: Verdict[]): Row[] {
  return verdicts.map((verdict, streams) => ({
    ...exampleRow(streams),
    ...{ streams, verdict, reason: `reason of ${streams}` },
  }));
}

test.each<[Verdict[], number, Verdict, RegExp]>([
  [['PASS', 'PASS', 'PASS'], 2, 'PASS', /^2 streams carried without losing a frame$/],
  [['PASS', 'PASS'], 1, 'PASS', /^1 stream carried without losing a frame$/],
  [['PASS', 'WARN', 'PASS'], 2, 'WARN', /with 1: reason of 1/],
  [['PASS', 'PASS', 'FAIL'], 2, 'FAIL', /^1 stream carried .+; with 2: reason of 2$/],
  [['PASS', 'PASS', 'FAIL'], 1, 'PASS', /with 2/],
  [['PASS', 'PASS'], 3, 'FAIL', /the run ended before its goal of 3/],
  [['PASS', 'INVALID'], 1, 'INVALID', /with 1: reason of 1/],
  [['PASS', 'INVALID'], 3, 'INVALID', /with 1/],
  [['PASS'], 1, 'FAIL', /^0 streams carried/],
  [[], 1, 'FAIL', /^0 streams carried/],
])('rows %j with a goal of %i are %s', (verdicts, goal, verdict, reason) => {
  const outcome = streamLoadVerdict(rows(...verdicts), goal);
  expect(outcome.verdict).toBe(verdict);
  expect(outcome.reason).toMatch(reason);
});

test('late pictures are told where no row did worse, and change nothing of the verdict', () => {
  const [baseline, one, two] = rows('PASS', 'PASS', 'WARN');
  if (!baseline || !one || !two) throw new Error('three rows were made');
  const late = { ...one, framesLateSource: 3, reason: '3 pictures came late' };
  expect(streamLoadVerdict([baseline, late], 1)).toEqual({
    ...{ verdict: 'PASS', reason: '1 stream carried without losing a frame; with 1: 3 pictures came late' },
  });
  expect(streamLoadVerdict([baseline, late, two], 2).reason).toMatch(/with 2: reason of 2$/);
  expect(streamLoadVerdict([baseline, one], 1).reason).not.toContain('late');
});
