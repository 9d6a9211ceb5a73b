import { expect, test } from 'vitest';
import { streamView } from '../testing/fixtures';
import { shownVerdict } from './shown-verdict';
import { tileFacts } from './tile-facts';

const uncounted = { lostNow: null, deliveredFps: null };

test('nothing passes before something was counted; what is wrong already is said', () => {
  expect(shownVerdict(streamView(1))).toBe('PASS');
  expect(shownVerdict(streamView(1, uncounted))).toBeNull();
  expect(shownVerdict(streamView(1, { ...uncounted, verdict: 'INVALID' }))).toBe('INVALID');
  // By timestamps pictures are counted, and losses may not be.
  expect(shownVerdict(streamView(1, { lostNow: null }))).toBe('PASS');
});

test('the tile has no verdict either while losses are not measured yet', () => {
  const idle = { rows: [], provisional: null, progress: null, cleanMs: null };
  expect(tileFacts({ ...idle, streams: [streamView(1, uncounted)] })).toMatchObject({
    now: { text: 'Losses are not measured yet' },
    soFar: null,
  });
});
