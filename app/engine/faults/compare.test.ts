import { expect, test } from 'vitest';
import { frameRanges } from '../../facts/figure';
import { noSpoilt, spoiltFigures } from '../../facts/spoilt';
import type { Certificate } from '../../protocol/certificate';
import { parseFaults } from '../../protocol/faults';
import { PictureStatus } from '../../protocol/records';
import { range } from '../../testing/columns';
import { countLog, type LoggedPicture } from './captured-log';
import { type ComparedFigures, compare } from './compare';

const rate = { numerator: 60, denominator: 1 };
const last = 299;
const inject =
  'miss:10-12; skip:20-22; repeat:30-31; swap:40,42; tear:50; damage-top:60-61; damage-bottom:70; black:80-82; ' +
  'delay:90,50ms; stall:120-159';

/** The pictures of a row of 300 frames with these faults; the machine itself loses frame 200 on the way and misses 210. */
function logged(): LoggedPicture[] {
  const lost = new Set([...range(10, 12), ...range(20, 22), 91, 92, ...range(121, 150), 200, 210, 40]);
  const log: LoggedPicture[] = [];
  const add = (frameNumber: number, status: number = PictureStatus.Good, atFrame = frameNumber): void => {
    log.push({ captureNs: atFrame * 1e9 * (1 / 60), sourceId: 1, frameNumber, status, senderId: 1 });
  };
  for (const frame of range(0, last)) {
    if (lost.has(frame)) continue;
    const isStalled = frame > 150 && frame < 160;
    const { Torn, Damaged, Undecodable } = PictureStatus;
    const statuses: Record<number, number> = {
      ...{ 50: Torn, 60: Damaged, 61: Damaged, 70: Damaged },
      ...{ 80: Undecodable, 81: Undecodable, 82: Undecodable },
    };
    add(frame, statuses[frame], isStalled ? 160 : frame);
    if (frame === 30 || frame === 31) add(frame);
    if (frame === 42) add(40, PictureStatus.Good, 42);
  }
  return log;
}

/** Figures whose frames are still numbers. */
type Reported = Omit<ComparedFigures, 'missedFrames' | 'droppedFrames'> & {
  missedFrames: number[];
  droppedFrames: number[];
};

const reported: Reported = {
  missedFrames: [...range(10, 12), 91, 92, 210],
  droppedFrames: [...range(20, 22), ...range(121, 150), 200],
  framesSenderMissed: 6,
  framesDropped: 34,
  framesReceived: 260,
  picturesCaptured: 262,
  framesDuplicated: 2,
  framesReordered: 1,
  ...spoiltFigures({ ...noSpoilt(), torn: 1, damaged: 3 }),
  framesUndecodable: 3,
  framesUndecodableUnmatched: 0,
  stalls: 1,
  conserved: true,
};

function compared(
  row: Partial<Reported> = {},
  change: (log: LoggedPicture[]) => LoggedPicture[] = (log) => log,
  toNs = 5e9,
) {
  const log = countLog(change(logged()), 0, last, { fromNs: 0, toNs, silenceNs: 0.5e9 });
  const { missedFrames, droppedFrames, ...figures } = { ...reported, ...row };
  const ranges = { missedFrames: frameRanges(missedFrames), droppedFrames: frameRanges(droppedFrames) };
  return compare({ ...figures, ...ranges }, log, parseFaults(inject), rate);
}

const unequal = ({ verbs, checks }: Pick<Certificate, 'verbs' | 'checks'>): string[] => [
  ...verbs.filter(({ equal }) => !equal).map(({ verb }) => verb),
  ...checks.filter(({ equal }) => !equal).map(({ name }) => name),
];

test('a delay whose frame the machine itself missed delayed nothing', () => {
  const missedFrames = [...range(10, 12), 90, 91, 210];
  const shown = (frame: number): LoggedPicture =>
    ({ ...logged()[0], captureNs: frame * 1e9 * (1 / 60), frameNumber: frame }) as LoggedPicture;
  const comparison = compared({ missedFrames }, (log) =>
    [...log.filter(({ frameNumber }) => frameNumber !== 90), shown(92)].sort(
      (a, b) => a.captureNs - b.captureNs,
    ),
  );
  expect(unequal(comparison)).toEqual([]);
  expect(comparison.machineMissed).toEqual([90, 91, 210]);
  expect(comparison.verbs.find(({ verb }) => verb === 'delay')).toMatchObject({
    ...{ expected: 0, counted: 0, machine: 1 },
  });
});

test('a stall that the row’s end cuts shows in the log by the time without a picture until then', () => {
  expect(unequal(compared({ stalls: 2 }, undefined, 5.47e9))).toEqual(['stalls']);
  expect(unequal(compared({ stalls: 2 }, undefined, 5.49e9))).toEqual([]);
});

test('a row that reports what was put in, and what the machine lost besides, is equal', () => {
  const comparison = compared();
  expect(unequal(comparison)).toEqual([]);
  expect(comparison).toMatchObject({ machineMissed: [210], machineDropped: [200] });
  expect(comparison.verbs.map(({ verb, expected, counted }) => [verb, expected, counted])).toEqual([
    ['miss', 3, 3],
    ['skip', 3, 3],
    ['repeat', 2, 2],
    ['swap', 1, 1],
    ['tear', 1, 1],
    ['damage-top', 2, 2],
    ['damage-bottom', 1, 1],
    ['black', 3, 3],
    ['delay', 2, 2],
    ['stall', 30, 30],
  ]);
});

test.each<[string, Partial<Reported>, string[]]>([
  [
    'a miss reported as dropped',
    { missedFrames: [11, 12, 91, 92, 210], droppedFrames: [10, ...reported.droppedFrames] },
    ['miss'],
  ],
  [
    'a frame that came reported as lost',
    { droppedFrames: [5, ...reported.droppedFrames] },
    ['lost numbers that the log lacks'],
  ],
  [
    'a lost frame not reported',
    { droppedFrames: reported.droppedFrames.slice(0, -1) },
    ['undecodable', 'dropped'],
  ],
  [
    'one frame reported as another',
    { droppedFrames: [19, 20, 21, ...reported.droppedFrames.slice(3)] },
    ['skip'],
  ],
  ['a duplicate too few', { framesDuplicated: 1 }, ['duplicated']],
  ['a reorder not seen', { framesReordered: 0 }, ['reordered']],
  ['a torn frame too many', { framesTorn: 2 }, ['torn']],
  ['a damaged frame too few', { framesDamaged: 2 }, ['damaged']],
  ['the stall not seen', { stalls: 0 }, ['stalls']],
  ['a stall too many', { stalls: 2 }, ['stalls']],
  [
    'delayed frames reported as dropped',
    { missedFrames: [10, 11, 12, 210], droppedFrames: [91, 92, ...reported.droppedFrames] },
    ['delay'],
  ],
  ['sums that do not hold', { conserved: false }, ['sums that hold']],
  ['a picture too many', { picturesCaptured: 263 }, ['pictures']],
])('%s is not equal', (_, row, names) => {
  expect(unequal(compared(row))).toEqual(expect.arrayContaining(names));
});

test('a fault that did not show is not equal', () => {
  const repaired = (frame: number) => (log: LoggedPicture[]) =>
    log.map((one) => (one.frameNumber === frame ? { ...one, status: PictureStatus.Good } : one));
  expect(unequal(compared({ framesTorn: 0 }, repaired(50)))).toEqual(['tear']);
  expect(unequal(compared({ framesDamaged: 2 }, repaired(70)))).toEqual(['damage-bottom']);
  const once = (log: LoggedPicture[]): LoggedPicture[] =>
    log.filter(({ frameNumber }, at) => frameNumber !== 30 || log[at + 1]?.frameNumber === 30);
  expect(unequal(compared({ framesDuplicated: 1, picturesCaptured: 261 }, once))).toEqual(['repeat']);
});

test('a frame that came three times for a fault of two is not equal', () => {
  const thrice = (log: LoggedPicture[]): LoggedPicture[] =>
    log
      .flatMap((one) => (one.frameNumber === 31 ? [one, one] : [one]))
      .filter((one, at, all) => {
        const before = all.slice(0, at).filter(({ frameNumber }) => frameNumber === 31).length;
        return one.frameNumber !== 31 || before < 3;
      });
  expect(unequal(compared({ framesDuplicated: 3, picturesCaptured: 263 }, thrice))).toEqual(['repeat']);
});

test('what shows although no one put it in is not equal', () => {
  const torn = (log: LoggedPicture[]): LoggedPicture[] =>
    log.map((one) => (one.frameNumber === 5 ? { ...one, status: PictureStatus.Torn } : one));
  expect(unequal(compared({ framesTorn: 2 }, torn))).toEqual(['spoilt, doubled or reordered by no fault']);
});

test('a frame of a fault that the machine lost before is the machine’s', () => {
  const without = (log: LoggedPicture[]): LoggedPicture[] =>
    log.filter(({ frameNumber }) => frameNumber !== 50);
  const row = {
    ...{ framesTorn: 0, framesDropped: 35, framesReceived: 259, picturesCaptured: 261 },
    droppedFrames: [...reported.droppedFrames, 50].sort((a, b) => a - b),
  };
  const comparison = compared(row, without);
  expect(unequal(comparison)).toEqual([]);
  expect(comparison.verbs.find(({ verb }) => verb === 'tear')).toMatchObject({
    expected: 0,
    machine: 1,
    counted: 0,
  });
  expect(comparison.machineDropped).toEqual([50, 200]);
});
