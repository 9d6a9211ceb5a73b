import { expect, test } from 'vitest';
import { MadeUpForeignSender } from '../../../testing/made-up-foreign-sender';
import { cases, Random, seeds } from '../../../testing/random';
import type { Span } from '../counting/capture-counter';
import { type ForeignCounts, ForeignLedger } from './foreign-ledger';

const senders = cases(2000, 10_000);
const row = { fromNs: 3e9, toNs: 7.5e9 };
/** A row waits so long for what comes behind it. */
const drainNs = 2e9;

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.toNs, other.toNs) - Math.max(one.fromNs, other.fromNs));
}

function countsOf(sender: MadeUpForeignSender): ForeignCounts {
  const goneNs = (fromNs: number, toNs: number): number =>
    sender.goneAt.reduce((sum, gone) => sum + overlap(gone, { fromNs, toNs }), 0);
  const ledger = new ForeignLedger(sender.declared, { goneNs });
  const range = ledger.openRange(row.fromNs);
  range.toNs = row.toNs;
  for (const batch of sender.batches()) {
    if ((batch.captureNs[0] ?? 0) > row.toNs + drainNs) break;
    ledger.add(batch, sender.declared);
  }
  return ledger.close(range, row.toNs);
}

/** What the counts say that is not so. */
function untruths(sender: MadeUpForeignSender, counts: ForeignCounts): string[] {
  const { missing, missingReason, silences, stalls } = counts;
  const made = sender.lostNs.filter((atNs) => atNs >= row.fromNs && atNs < row.toNs).length;
  // Lost beside the end of a row, or while it was held up: it may be counted in the row beside.
  const atEdge = sender.lostNs.filter((atNs) =>
    Object.values(row).some((edgeNs) => isAt(sender, atNs, edgeNs)),
  );
  const isRight =
    missingReason === ''
      ? missing !== null && Math.abs(missing - made) <= atEdge.length
      : missing === null || (missing > 0 && missing <= made + atEdge.length);
  // What is held up comes later, perhaps behind the row.
  const isInside = (span: Span): boolean =>
    span.fromNs > row.fromNs && span.toNs < row.toNs && sender.heldUpAt.length === 0;
  const isFound = (span: Span, isGone: boolean): boolean =>
    isGone ? silences.outages.some((outage) => overlap(outage, span) > 0) : silences.connected.times > 0;
  return [
    ...(isRight ? [] : [`${missing} missing of ${made} that were lost (${missingReason})`]),
    ...(stalls > 0 && sender.heldUpAt.length === 0 ? ['nothing was held up'] : []),
    ...(silences.outages.length > 0 && sender.goneAt.length === 0 ? ['it was always connected'] : []),
    ...(sender.silentAt.some((span) => isInside(span) && !isFound(span, false))
      ? ['a silence is absent']
      : []),
    ...(sender.goneAt.some((span) => isInside(span) && !isFound(span, true)) ? ['an outage is absent'] : []),
  ];
}

function isAt({ heldUpAt, has }: MadeUpForeignSender, atNs: number, edgeNs: number): boolean {
  const isHeld = ({ fromNs, toNs }: Span): boolean =>
    atNs > fromNs && atNs < toNs + 0.05e9 && edgeNs > fromNs && edgeNs < toNs + 1e9;
  const nearNs = has.has('reorders') ? 0.2e9 : 0.02e9;
  return Math.abs(atNs - edgeNs) < nearNs || heldUpAt.some(isHeld);
}

function judge(seed: number, hasDoubts = false) {
  const sender = new MadeUpForeignSender(new Random(seed), 7, hasDoubts ? new Random(seed + 1) : null);
  const counts = countsOf(sender);
  return { seed, counts, found: untruths(sender, counts), has: [...sender.has].join(' ') };
}

test.each([
  ['', false],
  [' that leave frames out evenly, or send some again as new ones,', true],
])(
  'of many made-up senders%s as many frames are missing as were lost, or it is not measured and why',
  (_, hasDoubts) => {
    const [seed] = seeds;
    const judged = Array.from({ length: senders }, (_, index) => judge(seed + index, hasDoubts));
    const wrong = judged.filter(({ found }) => found.length > 0);
    expect(wrong.map(({ seed, found, has }) => ({ seed, found, has }))).toEqual([]);
    expect(judged.filter(({ counts }) => counts.missingReason === '').length).toBeGreaterThan(
      hasDoubts ? senders / 10 : senders / 2,
    );
  },
);

test.each([
  ['frames that came late together, of which the row knew only the first', 4_005_987],
  ['a silence between frames that were held up and came together', 9_047_845],
  ['a silence that begins less than a frame before the end of the row', 9_009_180],
  ['frames at odd times, one of them not quite a gap of the rate before', 70_011_365],
  ['frames at odd times, one of them not quite a gap of the rate behind', 50_118_217],
])('a made-up sender that was once counted wrongly: %s (seed %d)', (_, seed) => {
  const { found, counts } = judge(seed);
  expect(found).toEqual([]);
  expect(counts.missing).toBeNull();
});

test('a gap just behind a change of the rate is as long as the frames behind it say (seed 70138817)', () => {
  const { found, counts } = judge(70_138_817);
  expect(found).toEqual([]);
  expect(counts).toMatchObject({ missing: 14, missingReason: '' });
});
