import { expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import { PictureClass, PictureStatus } from '../../../protocol/records';
import { captures, range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { samples } from '../../../testing/explained-losses';
import { TestStream } from '../../../testing/test-stream';
import { outagesOf } from '../outages';
import type { MeasuredStream } from '../rows/measured-stream';
import { buildRow } from '../rows/row-builder';
import { ForeignLedger, type ForeignRange } from './foreign-ledger';

const format = { rate: { numerator: 60, denominator: 1 }, frameFormat: 'progressive' as const };
const atNs = (frame: number): number => 1e9 + (frame * 1e9) / 60;

/**
 * A sender without our code stamps all of its frames in time; those of `heldNs` from `fromNs` on come all together at its end.
 * Two rows of 10 s join at 11 s.
 */
function rowsOf(fromNs: number, heldNs: number) {
  const test = new TestStream();
  const stream = test.stream();
  stream.ledger = null;
  const ledger = new ForeignLedger(format);
  stream.followForeign(stream.source, ledger);
  const edgeNs = 11e9;
  let first: ForeignRange | null = null;
  let second: ForeignRange | null = null;
  for (const frame of range(0, 1500)) {
    const dueNs = atNs(frame);
    if (!first && dueNs >= 1.5e9) first = ledger.openRange(1.5e9);
    const isHeld = dueNs >= fromNs && dueNs < fromNs + heldNs;
    const captureNs = isHeld ? fromNs + heldNs + frame : dueNs + 1e6;
    if (first && !second && captureNs >= edgeNs) {
      first.toNs = edgeNs;
      second = ledger.openRange(edgeNs);
    }
    const one = { frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: PictureClass.Other };
    const watched = captures([{ ...one, captureNs, timestampUs: 1.7e15 + dueNs / 1000 }]);
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
        ...{
          captures: watched,
          audio: null as never,
          time: null as never,
          status: { connections: 1 } as never,
        },
      },
      captureNs,
      0.5e9,
    );
    ledger.add(watched, format);
  }
  if (!first || !second) throw new Error('no row');
  return [
    [first, 1.5e9, edgeNs],
    [second, edgeNs, 21e9],
  ].map((one) => {
    const [open, rowFromNs, toNs] = one as [ForeignRange, number, number];
    const counts = ledger.close(open, toNs);
    const measured: MeasuredStream = {
      ...{ stream, counts: null, counter: null, framesPerSecond: 60 },
      outages: outagesOf(stream, counts, rowFromNs, toNs),
      foreign: { counts, receiveInterval: open.receiveInterval },
    };
    const row = buildRow(
      rowInput({ fromNs: rowFromNs, toNs, streams: [measured], samples: samples(), isSenderRemote: true }),
    );
    return { verdict: row.verdict, said: wordsOf(row.reason), stalls: row.figures.stalls };
  });
}

test('frames that were held up for 0.9 s within a row are a stall', () => {
  const rows = rowsOf(5e9, 0.9e9);
  expect(rows.map(({ verdict }) => verdict)).toEqual(['FAIL', 'PASS']);
});

test('and so they are where two rows join while they are held up', () => {
  const rows = rowsOf(10.55e9, 0.9e9);
  expect(rows.map(({ said }) => said)).toContainEqual(expect.stringMatching(/stood still|no new picture/));
  expect(rows.map(({ verdict }) => verdict)).toContain('FAIL');
});

test('one of which only a little lies in the row before is one in the row behind', () => {
  const rows = rowsOf(10.7e9, 0.7e9);
  expect(rows.map(({ verdict }) => verdict)).toContain('FAIL');
});

test('and where they come behind the end of a row in which nothing came for 2 s', () => {
  const rows = rowsOf(9e9, 3.5e9);
  expect(rows[0]?.verdict).toBe('FAIL');
  expect(rows[0]?.said).toMatch(/stood still once, longest gap 2\d\d\d ms/);
});

test('each is one stall of all rows', () => {
  for (const [fromNs, heldNs] of [
    [10.55e9, 0.9e9],
    [10.7e9, 0.7e9],
    [10.2e9, 1.0e9],
  ] as const) {
    const rows = rowsOf(fromNs, heldNs);
    expect(rows.reduce((sum, { stalls }) => sum + (stalls ?? 0), 0)).toBe(1);
  }
});
