import { expect, test } from 'vitest';
import { type CauseCode, causeCodes, causeOf } from './cause-words';
import type { Fact } from './fact';
import { type End, endOfLoss } from './leading-cause';
import { type LossStage, lossStages, stagesOfTheWay } from './loss';

/** Causes that are at one end of the way; all others are on it, at both ends, or it is not known where they are. */
const atOneEnd: readonly [cause: Fact, end: End][] = [
  [causeOf('receiving-died'), 'receiver'],
  [causeOf('receiving-stopped'), 'receiver'],
  [causeOf('receiver-late'), 'receiver'],
  [causeOf('process-waited', { role: 'receiving', seconds: 1 }), 'receiver'],
  [causeOf('cpu-full', { whose: 'receiver', percent: 100, ownPercent: null }), 'receiver'],
  [causeOf('process-waited', { role: 'sending', seconds: 1 }), 'sender'],
  [causeOf('cpu-full', { whose: 'sender', percent: 100, ownPercent: null }), 'sender'],
  [causeOf('sending-stopped'), 'sender'],
  [causeOf('sender-stopped'), 'sender'],
  [causeOf('sender-late'), 'sender'],
  [causeOf('sender-injected'), 'sender'],
  [causeOf('sender-restarted'), 'sender'],
  [causeOf('sender-clock-step', { byMs: 7 }), 'sender'],
  [{ code: 'late-disk', data: {} }, 'sender'],
  [{ code: 'late-decode', data: {} }, 'sender'],
];
const elsewhere: readonly Fact[] = (
  [
    ...(['injected', 'sdk-send-blocked', 'disconnected', 'not-seen', 'mixer-cut'] as const),
    ...(['wall-clock-step', 'machine-suspended', 'machine-stood-still', 'cpu-stolen', 'core-full'] as const),
    ...(['link-down', 'mtu-changed', 'interface-full', 'interface-drops', 'interface-errors'] as const),
    ...(['tcp-retransmits', 'traffic-stopped', 'traffic-fell', 'traffic-limited', 'traffic-low'] as const),
    ...(['code-lost', 'picture-changed', 'code-covered', 'picture-scaled', 'colour-lost'] as const),
    ...(['levels-changed', 'label-changed'] as const),
  ] satisfies CauseCode[]
).map((code) => ({ code, data: {} }));

test.each(lossStages)('where frames of the stage %s were lost agrees with each cause', (stage: LossStage) => {
  const isOfTheWay = stagesOfTheWay.includes(stage);
  for (const [cause, end] of atOneEnd)
    expect([cause, endOfLoss(stage, [cause])]).toEqual([cause, isOfTheWay ? end : null]);
  for (const cause of elsewhere) expect([cause, endOfLoss(stage, [cause])]).toEqual([cause, null]);
  const shared = causeOf('cpu-full', { whose: 'both', percent: 100, ownPercent: null });
  for (const cause of [shared, causeOf('process-waited', { role: 'engine', seconds: 1 })])
    expect(endOfLoss(stage, [cause])).toBeNull();
});

test('no cause is left out above', () => {
  const tested = new Set([...atOneEnd.map(([{ code }]) => code), ...elsewhere.map(({ code }) => code)]);
  expect([...tested].sort()).toEqual([...causeCodes].sort());
});

test('a cause stands before the manner of a loss, and a run of an older version has neither', () => {
  const gone = causeOf('disconnected', { milliseconds: 900 });
  expect(endOfLoss('transport', [gone, causeOf('receiving-stopped')])).toBe('receiver');
  expect(endOfLoss('transport', [causeOf('receiving-stopped'), causeOf('sending-stopped')])).toBe('receiver');
  expect([
    endOfLoss('transport'),
    endOfLoss('transport', [{ code: 'of-a-newer-version', data: {} }]),
  ]).toEqual([...[null, null]]);
});
