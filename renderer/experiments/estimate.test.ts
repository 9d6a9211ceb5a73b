import { expect, test } from 'vitest';
import { estimateOf, estimateText, planEstimateText } from './estimate';

test('the time of a run is its seconds, or why they are not known', () => {
  expect(estimateOf('stream-load', { maxStreams: 2, holdSeconds: 10, warmUpSeconds: 2 })).toBe(37);
  expect(estimateOf('codec-quality', {})).toBe('clips of the content battery may have to be made first');
  expect(estimateOf('link', { rates: ['ndi'] })).toBe(
    'how many rates are tried depends on the speed of the link',
  );
  expect(estimateOf('storage', { repeats: 'two' })).toBe('a setting is wrong');
});

test.each([
  [0.4, 'About 1 s'],
  [7.2, 'About 8 s'],
  [37, 'About 40 s'],
  [58, 'About 1 min'],
  [61, 'About 1 min 30 s'],
  [227, 'About 4 min'],
  [700, 'About 12 min'],
  [3590, 'About 1 h'],
  [7300, 'About 2 h 15 min'],
])('%s s are said as "%s"', (seconds, said) => {
  expect(estimateText(seconds)).toBe(said);
});

test('what is not known is said with its reason', () => {
  expect(estimateText('the clips are new')).toBe('Time not known: the clips are new');
});

test('a plan takes the sum of its steps as often as they are run', () => {
  const storage = { title: 'Storage', estimate: 40, times: 3 };
  const quiet = { title: 'Quiet', estimate: 100, times: 1 };
  const quality = { title: 'Codec quality', estimate: 'the clips are new', times: 1 };
  expect(planEstimateText([storage, quiet])).toBe('About 4 min');
  expect(planEstimateText([storage, quality, quiet])).toBe(
    'At least 4 min, without Codec quality, whose time is not known: the clips are new',
  );
  expect(planEstimateText([quality])).toBe('Time not known: the clips are new');
  expect(planEstimateText([storage, { ...quiet, times: Number.NaN }])).toBe(
    'At least 2 min, without Quiet, whose time is not known: a step has an invalid number of runs',
  );
});
