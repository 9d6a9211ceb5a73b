import { expect, test } from 'vitest';
import type { Fact } from '../../facts/fact';
import type { Loss, Outage } from '../../facts/loss';
import { lossText } from '../../facts/loss-words';
import type { Row } from '../../facts/row';
import { MissCause } from '../../protocol/records';
import { defaultThresholds } from '../../protocol/thresholds';
import { range } from '../../testing/columns';
import { exampleRow } from '../../testing/example-run';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { TestStream } from '../../testing/test-stream';
import { lossesOf } from '../streams/losses/losses';
import { lossCauses, withFirstLosses } from './loss-causes';

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
  return { ...row, subjects: row.subjects.map((stream) => ({ ...stream, losses })) };
}

/** Slots 60 to 659 of a stream with these faults, and what the code says of its losses while the CPU is this full. */
function reportedLosses(
  { lost = [], blocked = [] }: { lost?: number[]; blocked?: number[] },
  cpuPercent: number,
  { assumeSubmitted = false, name = 'Whiteline 1' } = {},
): Loss[] {
  const stream = new TestStream({ assumeSubmitted });
  const counter = stream.open(60, 659);
  if (!assumeSubmitted) stream.send(0, 719, { missed: blocked, cause: MissCause.SendBlocked });
  stream.receive(0, 719, [...lost, ...blocked]);
  const measured = stream.measure(counter, 659);
  Object.assign(measured.stream, { name });
  const roles = { sending: roleLoad(80, 60, 'sdk') };
  const samples = range(2, 26).map((half) => loadSample({ atNs: (half / 2) * 1e9, cpuPercent, roles }));
  return lossesOf(measured, {
    ...{ streams: [measured], samples, thresholds: defaultThresholds, wallOffsetUs: 1.7e15 },
    ...{
      isSenderRemote: assumeSubmitted,
      carrier: 'loopbackMbps' as const,
      linksDown: [],
      standstills: () => [],
    },
    counted: { fromNs: 0, toNs: 12e9 },
  });
}

test.each([
  ['transport', reportedLosses({ lost: [100] }, 98)],
  ['sender', reportedLosses({ blocked: [100] }, 98)],
  ['missing', reportedLosses({ lost: [100] }, 98, { assumeSubmitted: true })],
] as const)('the cause of a loss at %s is a fact, and is worded as in its sentence', (stage, losses) => {
  const [group] = lossCauses([rowWith(1, [...losses])]);
  expect(group?.stage).toBe(stage);
  expect(losses[0]?.causes?.at(-1)).toEqual({
    code: 'cpu-full',
    data: { whose: 'both', percent: 98, ownPercent: 80 },
  });
  expect(group?.cause).toMatch(/CPU .*was at 98 %/);
  expect(losses.map(lossText)[0]).toContain(group?.cause);
});

test('a loss of which nothing is known has that as its cause', () => {
  const [group] = lossCauses([rowWith(1, reportedLosses({ lost: [100] }, 20, { assumeSubmitted: true }))]);
  expect(group?.cause).toMatch(/^no cause was seen in the CPU \(20 %\)/);
});

test('sentences of an older version stand as they are, and one of none says so', () => {
  const older = ['at 97 %', 'at 98 %', 'at 98 %', undefined].map((cause) => ({ ...loss(1, 1, ''), cause }));
  expect(lossCauses([rowWith(1, older)]).map(({ cause, losses }) => [cause, losses])).toEqual([
    ['at 98 %', 2],
    ['at 97 %', 1],
    ['no cause was recorded', 1],
  ]);
});

test('a cause that only a newer version knows is shown by its code', () => {
  const newer = { ...loss(1, 1, ''), causes: [{ code: 'cosmic-ray', data: { joules: 51 } }] };
  expect(lossCauses([rowWith(1, [newer])])).toMatchObject([{ cause: 'cosmic-ray' }]);
});

test('frames by row, stage and cause, most frames first; a cause has the range of its numbers and no holes', () => {
  const rows = [
    rowWith(1, [
      ...reportedLosses({ lost: [100, 200, 201] }, 98),
      ...reportedLosses({ lost: [300] }, 91),
      ...reportedLosses({ blocked: range(400, 408) }, 20),
    ]),
    rowWith(2, reportedLosses({ lost: [100, 101, 102, 103] }, 95)),
  ];
  const shared = 'the CPU that sender and receiver share was at';
  expect(lossCauses(rows)).toEqual([
    {
      ...{ row: 1, stage: 'sender', end: null, losses: 1, frames: 9 },
      cause: 'the transport’s send call did not return in time (sdk-send-blocked)',
    },
    { row: 1, stage: 'transport', end: null, cause: `${shared} 91–98 %`, losses: 3, frames: 4 },
    { row: 2, stage: 'transport', end: null, cause: `${shared} 95 %`, losses: 1, frames: 4 },
  ]);
});

test('an outage is a cause too, with what was seen beside it and the estimate of its frames', () => {
  const outage = (framesEstimated: number | null, seen: Fact[]): Outage => ({
    ...{ startedAt: '2026-11-20T10:00:01.000Z', endedAt: null, seconds: 7.1, framesEstimated },
    fact: { code: 'outage', data: { seconds: 7.1 }, seen },
  });
  const restarted = [{ code: 'sender-restarted', data: {} }];
  const row = rowWith(1, [loss(1, 15, '')]);
  const of = (...outages: Outage[]) =>
    lossCauses([{ ...row, subjects: row.subjects.map((stream) => ({ ...stream, outages })) }]);
  expect(of(outage(213, restarted), outage(90, restarted))).toMatchObject([
    { stage: 'outage', cause: 'the sender was started again', losses: 2, frames: 303 },
    { stage: 'transport', frames: 15 },
  ]);
  expect(of(outage(null, []))).toMatchObject([
    { stage: 'transport' },
    { stage: 'outage', cause: 'nothing was seen beside it', frames: null },
  ]);
});

test('equal causes of several streams are one, and digits of a name are no numbers', () => {
  const blocked = ['Whiteline 1', 'Whiteline 12'].flatMap((name) =>
    reportedLosses({ blocked: [100] }, 20, { name }),
  );
  expect(lossCauses([rowWith(1, blocked)])).toHaveLength(1);
  const full = ['eth0', 'eth0', 'eth1'].map((name, index) => ({
    ...loss(1, 1, ''),
    causes: [{ code: 'interface-full', data: { name, mbps: 941 + index, linkMbps: 1000 } }],
  }));
  expect(lossCauses([rowWith(1, full)])).toMatchObject([
    { cause: 'eth0 was full, with 941–942 Mb/s of 1000 Mb/s', losses: 2 },
    { cause: 'eth1 was full, with 943 Mb/s of 1000 Mb/s', losses: 1 },
  ]);
});

test('each row keeps its first losses by time, in even shares, and the others are counted', () => {
  const rows = [
    rowWith(1, [loss(9, 1, 'late'), loss(1, 2, 'early'), loss(5, 4, 'between')]),
    rowWith(2, [loss(1, 7, 'next')]),
    rowWith(3, []),
  ];
  const { rows: kept, leftOut } = withFirstLosses(rows, 3);
  const texts = kept.map(({ subjects }) =>
    subjects.flatMap(({ losses = [] }) => losses.map(({ text }) => text)),
  );
  expect(texts).toEqual([['early', 'between'], ['next'], []]);
  expect(leftOut).toEqual([{ row: 1, losses: 1, frames: 1 }]);
  expect(withFirstLosses(rows, 1).leftOut.reduce((sum, { losses }) => sum + losses, 0)).toBe(3);
  expect(withFirstLosses(rows, 4).leftOut).toEqual([]);
});
