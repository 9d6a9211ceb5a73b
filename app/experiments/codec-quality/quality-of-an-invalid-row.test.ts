import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import { changedRow, exampleRow } from '../../testing/example-run';
import { codecQualityVerdict } from './verdict';

test('a row of a source that failed says nothing of the codec, however low its pictures are', () => {
  const baseline = changedRow(exampleRow(0), { streams: 0, verdict: 'PASS', reason: '' });
  const failed = {
    ...changedRow(exampleRow(1), {
      ...{ label: 'gradients', verdict: 'INVALID' },
      figures: { 'quality.worstPsnrYDb': 20, 'quality.worstSsimY': 0.5 },
    }),
    reason: [reasonOf('source-failed', { source: 'gradients.mov', message: 'it is damaged' })],
  };
  expect(codecQualityVerdict([baseline, failed], 1, 35)).toEqual({
    verdict: 'INVALID',
    reason: expect.not.stringContaining('below the limit'),
  });
});
