import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { pacedRow } from './pacing-rows';
import { madeUpPacing, madeUpPlan } from './pacing-rows.fixture';

test('of packets that our own socket refused, the reason says that they never left', () => {
  const made = madeUpPacing(460, { received: 79_990, lost: 10, lostRanges: [100, 109] });
  const sent = made.sent && { ...made.sent, sent: 79_990, refused: 10 };
  const row = pacedRow(frameOf(0), madeUpPlan('spin'), { ...made, sent }, 'own', defaultThresholds);
  expect(row.figures['pacing.packetsSent']).toBe(79_990);
  expect(wordsOf(row.reason)).toMatch(/refused|not sent|never left/);
});
