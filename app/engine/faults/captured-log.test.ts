import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PictureStatus } from '../../protocol/records';
import { temporaryFolder } from '../../testing/temporary-folder';
import { countLog, type LoggedPicture, type LoggedRow, readCapturedLog } from './captured-log';

const folder = temporaryFolder();
const row: LoggedRow = { fromNs: 0, toNs: 1e8, silenceNs: 5e8 };

/** Pictures 10 ms apart; a number, or a number with its status. */
function logOf(...pictures: (number | [frameNumber: number, status: number])[]): LoggedPicture[] {
  return pictures.map((picture, index) => {
    const [frameNumber, status] = typeof picture === 'number' ? [picture, PictureStatus.Good] : picture;
    return { captureNs: index * 1e7, sourceId: 1, frameNumber, status, senderId: 1 };
  });
}

test('lines are read as the native core writes them', () => {
  const path = join(folder, 'captured-1.log');
  writeFileSync(path, '14203123456789 4711 4294967295 2 3\n14203140123456 0 0 3 0\n');
  expect(readCapturedLog(path)).toEqual([
    { captureNs: 14203123456789, sourceId: 4711, frameNumber: 4294967295, status: 2, senderId: 3 },
    { captureNs: 14203140123456, sourceId: 0, frameNumber: 0, status: 3, senderId: 0 },
  ]);
  writeFileSync(path, '14203123456789 4711\n');
  expect(() => readCapturedLog(path)).toThrow(/captured-1\.log has a line that is none: 14203123456789 4711/);
});

test('what came twice, and what came late, by one frame or by many', () => {
  const count = countLog(logOf(1, 3, 2, 4, 4, 8, 5, 9, 5), 1, 9, row);
  expect(count).toMatchObject({ reordered: [2, 5], duplicated: [4, 5], lacking: [6, 7], pictures: 9 });
  expect([...count.seen].sort()).toEqual([1, 2, 3, 4, 5, 8, 9]);
});

test('only what lies in the range counts, undecodable pictures by their place', () => {
  const { Torn, Damaged, Undecodable } = PictureStatus;
  const log = logOf(
    [0, Undecodable],
    [9, Torn],
    [0, Undecodable],
    10,
    [11, Torn],
    [0, Undecodable],
    [12, Damaged],
    13,
  );
  const count = countLog([...log, ...logOf([0, Undecodable], [14, Damaged])], 10, 13, row);
  expect(count).toMatchObject({
    spoilt: { torn: [11], damaged: [12] },
    undecodable: 1,
    pictures: 4,
    lacking: [],
  });
});

test('silences between pictures of any kind', () => {
  const log = logOf(1, 2, [0, PictureStatus.Undecodable], 3, 4);
  for (const picture of log.slice(2)) picture.captureNs += 500e6;
  for (const picture of log.slice(4)) picture.captureNs += 480e6;
  const silences = (ms: number, row: Partial<LoggedRow> = {}) =>
    countLog(log, 1, 4, { fromNs: 0, toNs: 1.02e9, ...row, silenceNs: ms * 1e6 }).silences;
  expect([silences(500), silences(490), silences(511)]).toEqual([1, 2, 0]);
});

test('silences that the row’s begin or end cuts', () => {
  const log = logOf(1, 2, 3);
  const silences = (fromMs: number, toMs: number, ms: number) =>
    countLog(log, 1, 3, { fromNs: fromMs * 1e6, toNs: toMs * 1e6, silenceNs: ms * 1e6 }).silences;
  expect([silences(-50, 20, 50), silences(-50, 20, 51)]).toEqual([1, 0]);
  expect([silences(0, 70, 50), silences(0, 70, 51)]).toEqual([1, 0]);
  // The picture before and the one after are of other rows.
  expect([silences(12, 18, 10), silences(12, 18, 11)]).toEqual([1, 0]);
  expect([silences(20, 25, 5), silences(20, 25, 6)]).toEqual([1, 0]);
  expect(countLog([], 1, 3, { fromNs: 0, toNs: 5e8, silenceNs: 5e8 }).silences).toBe(1);
});

test('a log without any picture of the range lacks all of it', () => {
  expect(countLog(logOf(1, 2), 5, 6, row)).toMatchObject({ lacking: [5, 6], pictures: 0, undecodable: 0 });
  expect(countLog([], 5, 6, row)).toMatchObject({ lacking: [5, 6], pictures: 0 });
});
