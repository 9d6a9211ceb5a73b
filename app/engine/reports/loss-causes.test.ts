import { expect, test } from 'vitest';
import type { Loss, Row } from '../../protocol/row';
import { exampleRow } from '../../testing/example-run';
import { causeOf, lossCauses, withFirstLosses } from './loss-causes';

function loss(second: number, frames: number, text: string, stage: Loss['stage'] = 'transport'): Loss {
  const startedAt = new Date(second * 1000).toISOString();
  return {
    stage,
    firstFrame: 0,
    lastFrame: frames,
    frames,
    startedAt,
    endedAt: startedAt,
    streamsTogether: 1,
    text,
  };
}

function rowWith(index: number, losses: Loss[]): Row {
  const row = exampleRow(index);
  return { ...row, perStream: row.perStream.map((stream) => ({ ...stream, losses })) };
}

const full = (percent: number) =>
  `5 frames at 12:00:01.5 never arrived; the CPU was at ${percent} %; on all 2 streams`;

test('a cause is the part of the sentence between what happened and which streams, without its numbers', () => {
  expect(causeOf({ text: full(98) })).toBe('the CPU was at … %');
  expect(causeOf({ text: '1 frame was lost; TCP sent 3 segments again, 1.5 Mb/s' })).toBe(
    'TCP sent … segments again, … Mb/s',
  );
  expect(causeOf({ text: '1 frame was lost' })).toBe('no cause was told');
});

test('frames by row, stage and cause, most frames first', () => {
  const rows = [
    rowWith(1, [loss(1, 2, full(98)), loss(2, 3, full(91)), loss(3, 9, 'x; injected on purpose', 'sender')]),
    rowWith(2, [loss(1, 4, full(95))]),
  ];
  expect(lossCauses(rows)).toEqual([
    { row: 1, stage: 'sender', cause: 'injected on purpose', losses: 1, frames: 9 },
    { row: 1, stage: 'transport', cause: 'the CPU was at … %', losses: 2, frames: 5 },
    { row: 2, stage: 'transport', cause: 'the CPU was at … %', losses: 1, frames: 4 },
  ]);
});

test('each row keeps its first losses by time, in even shares, and the others are counted', () => {
  const rows = [
    rowWith(1, [loss(9, 1, 'late'), loss(1, 2, 'early'), loss(5, 4, 'between')]),
    rowWith(2, [loss(1, 7, 'next')]),
    rowWith(3, []),
  ];
  const { rows: kept, leftOut } = withFirstLosses(rows, 3);
  const texts = (kept as Row[]).map(({ perStream }) =>
    perStream.flatMap(({ losses }) => losses.map(({ text }) => text)),
  );
  expect(texts).toEqual([['early', 'between'], ['next'], []]);
  expect(leftOut).toEqual([{ row: 1, losses: 1, frames: 1 }]);
  expect(withFirstLosses(rows, 1).leftOut.reduce((sum, { losses }) => sum + losses, 0)).toBe(3);
  expect(withFirstLosses(rows, 4).leftOut).toEqual([]);
});
