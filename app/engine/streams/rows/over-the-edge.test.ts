import { expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import { captures, range, submits } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { samples } from '../../../testing/explained-losses';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { outagesOf } from '../outages';
import type { MeasuredStream } from './measured-stream';
import { buildRow } from './row-builder';

function rowOf(streams: MeasuredStream[], first: number, last: number, isSenderRemote = false) {
  const time = { fromNs: frameNs(first), toNs: frameNs(last + 1) };
  return buildRow(
    rowInput({ ...time, streams, isSenderRemote, samples: samples(() => ({ cpuPercent: 5 })) }),
  );
}

test('two frames lost within 0.05 s break "at most 1 in any 2 s"; where a row ends between them, each row judges its own', () => {
  const verdictsOf = (edge: number): string[] => {
    const stream = new TestStream();
    const one = stream.open(60, edge);
    stream.send(0, 400);
    stream.receive(0, edge, [179, 181]);
    const other = stream.open(edge + 1, 299);
    stream.receive(edge + 1, 400, [179, 181]);
    return [
      rowOf([stream.measure(one, edge)], 60, edge).verdict,
      rowOf([stream.measure(other, 299)], edge + 1, 299).verdict,
    ];
  };
  expect(verdictsOf(189)).toEqual(['FAIL', 'PASS']);
  expect(verdictsOf(180)).toEqual(['WARN', 'WARN']);
});

test('a record that came twice long before a row contradicts nothing in it', () => {
  const stream = new TestStream();
  stream.send(0, 400);
  stream.ledger.addSubmits(submits([10]));
  stream.receive(0, 199);
  const counter = stream.open(200, 299);
  stream.receive(200, 400);
  const row = rowOf([stream.measure(counter, 299)], 200, 299);
  expect([row.verdict, wordsOf(row.reason)]).toEqual(['PASS', 'no frame lost']);
});

/** Two rows, each of two seconds, of a stream whose pictures came in these slots. */
function twoRows(shown: [first: number[], second: number[]]) {
  const test = new TestStream({ assumeSubmitted: true, clock: unknownClock });
  const stream = test.stream();
  const show = (slot: number): void => {
    const captureNs = frameNs(slot) + 2e6;
    test.capture(slot);
    stream.watchdog.add(
      {
        ...{
          streamId: 1,
          sourceName: 'HOST (x)',
          address: '',
          openedNs: 1,
          listed: true,
          metadata: [],
          soundPeakDbfs: null,
        },
        ...{ captures: captures([{ captureNs, frameNumber: slot }]), status: { connections: 1 } },
      } as never,
      captureNs,
      0.5e9,
    );
  };
  const rowFrom = (first: number, last: number, slots: number[]) => {
    const counter = test.open(first);
    for (const slot of slots) show(slot);
    test.ledger.endRange(counter, frameNs(last + 1));
    const counts = test.ledger.closeRange(counter);
    const outages = outagesOf(stream, counts, frameNs(first), frameNs(last + 1));
    const measured = { stream, counts, counter: null, foreign: null, outages, framesPerSecond: 60 };
    return rowOf([measured], first, last, true);
  };
  for (const slot of range(0, 59)) show(slot);
  const [first, second] = shown;
  return [rowFrom(60, 179, first), rowFrom(180, 299, second)];
}

test('an outage of 0.8 s that goes over the edge of a row is a stall in one of the two', () => {
  const rows = twoRows([range(60, 155), range(205, 340)]);
  expect(rows.map(({ verdict }) => verdict)).toEqual(['FAIL', 'FAIL']);
  expect(wordsOf(rows[1]?.reason ?? [])).toMatch(/no new picture for 833 ms, 419 ms of it in this row/);
  expect(rows.reduce((sum, { figures }) => sum + (figures.stalls ?? 0), 0)).toBe(1);
});

test('it is also named where the stream was interrupted again before the row was closed', () => {
  const once = twoRows([range(60, 155), range(205, 340)]);
  const twice = twoRows([range(60, 155), [...range(205, 230), ...range(275, 340)]]);
  const outage = /no new picture for 833 ms, 419 ms of it in this row/;
  expect(once.concat(twice).map(({ reason }) => outage.test(wordsOf(reason)))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
