import { expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import { range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { lastSlot, played, samples } from '../../../testing/explained-losses';
import { frameNs } from '../../../testing/test-stream';
import { Break } from '../outages';
import { buildRow } from '../rows/row-builder';

/** Of a row in which other programs took most of the CPU. The sender is started again behind its end: slot 1799 ends at 31 s. */
function judged(lost: number[], brokeNs: number): string {
  const stream = played({ lost });
  const next = played().stream;
  next.ledger = null;
  const endNs = frameNs(lastSlot + 1);
  const after = new Break(endNs, endNs - 16e6, next);
  after.foundNs = endNs + 3e9;
  after.isRestart = true;
  stream.stream.after = after;
  stream.stream.connectionHistory.add(2e9, true);
  stream.stream.connectionHistory.add(brokeNs, false);
  stream.stream.connectionHistory.add(endNs + 2.9e9, true);
  const row = buildRow(
    rowInput({
      ...{ fromNs: frameNs(60), toNs: endNs, streams: [stream], isSenderRemote: true },
      samples: samples(() => ({ cpuPercent: 95, wireReceiveMbps: 120, loopbackMbps: 0 })),
    }),
  );
  return `${row.verdict}: ${wordsOf(row.reason)}`;
}

const besideRestart =
  /^INVALID: 5 of 1740 frames were dropped in transport \(seen beside it: the sender was started again\), not judged: other programs/;

test('a busy CPU excuses a loss far from a restart', () => {
  expect(judged(range(900, 904), 31.1e9)).toMatch(
    /^INVALID: 5 of 1740 frames were dropped in transport, not judged: other programs/,
  );
});

test('and one 0.8 s before it, behind which pictures went on to come', () => {
  expect(judged(range(1755, 1759), 31.05e9)).toMatch(besideRestart);
});

test('what was sent at the end and never came is the restart’s', () => {
  expect(judged(range(1780, lastSlot + 60), 31.05e9)).toMatch(/^FAIL: /);
});

test('nor what the next start lost within a second of it', () => {
  const stream = played({ lost: range(100, 104) });
  const before = played().stream;
  before.ledger = null;
  const beginNs = frameNs(60);
  const between = new Break(beginNs - 0.3e9, beginNs - 0.3e9, stream.stream);
  between.isRestart = true;
  between.foundNs = beginNs;
  stream.stream.before = between;
  stream.stream.connectionHistory.add(0.5e9, true);
  stream.stream.connectionHistory.add(beginNs - 0.2e9, false);
  stream.stream.connectionHistory.add(beginNs - 0.1e9, true);
  const row = buildRow(
    rowInput({
      ...{ fromNs: beginNs, toNs: frameNs(lastSlot + 1), streams: [stream], isSenderRemote: true },
      samples: samples(() => ({ cpuPercent: 95, wireReceiveMbps: 120, loopbackMbps: 0 })),
    }),
  );
  expect(`${row.verdict}: ${wordsOf(row.reason)}`).toMatch(besideRestart);
});
