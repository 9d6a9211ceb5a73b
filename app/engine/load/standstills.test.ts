import { describe, expect, test } from 'vitest';
import { brokenGuards } from '../../facts/precedence';
import { defaultThresholds } from '../../protocol/thresholds';
import { range } from '../../testing/columns';
import { stopped } from '../../testing/standstills';
import { type ProcessStandstill, StandstillLog, standstillGuards } from './standstills';

const sending = { role: 'sending' };
const starved = (who: ProcessStandstill['who'], from: number, to: number): ProcessStandstill => ({
  ...stopped(who, from, to),
  kind: 'starved',
});
const factsOf = (...pieces: ProcessStandstill[]) =>
  brokenGuards(standstillGuards(pieces, defaultThresholds)).map(({ code, data }) => [
    code,
    data.role ?? data.tool ?? data.sender,
    Math.round(Number(data.seconds) * 1e3),
  ]);

describe('how long a process may stand still in a row', () => {
  test.each<[string, ProcessStandstill[], unknown[]]>([
    ['nothing', [], []],
    ['stopped for the limit', [stopped(sending, 1, 1.25)], []],
    ['stopped for longer', [stopped(sending, 1, 1.251)], [['process-stopped', 'sending', 251]]],
    [
      'several pieces',
      [stopped(sending, 1, 1.2), stopped(sending, 3, 3.1)],
      [['process-stopped', 'sending', 300]],
    ],
    ['starved', [starved(sending, 1, 1.3)], [['process-starved', 'sending', 300]]],
    ['both', [stopped(sending, 1, 1.2), starved(sending, 2, 2.1)], [['process-starved', 'sending', 300]]],
    [
      'stopped for too long, and starved',
      [stopped(sending, 1, 2), starved(sending, 2, 2.1)],
      [['process-stopped', 'sending', 1000]],
    ],
    ['two processes of a role together', [stopped(sending, 1, 1.2), stopped(sending, 1.05, 1.25)], []],
    ['two roles', [stopped(sending, 1, 1.2), stopped({ role: 'receiving' }, 1, 1.2)], []],
    ['a program of others', [stopped({ tool: 'fio' }, 1, 2)], []],
    [
      'a program of others for longer',
      [stopped({ tool: 'fio' }, 1, 2.1)],
      [['process-stopped', 'fio', 1100]],
    ],
    ['a remote sender', [stopped({ sender: 'Cam 1' }, 1, 1.5)], [['process-stopped', 'Cam 1', 500]]],
  ])('%s', (_, pieces, facts) => {
    expect(factsOf(...pieces)).toEqual(facts);
    expect(factsOf(...[...pieces].reverse())).toEqual(facts);
  });
});

test('each piece near a row counts as a whole, on whichever side of its edge most of it lies', () => {
  const log = new StandstillLog();
  log.addAll([
    stopped(sending, 8, 9),
    stopped(sending, 9.9, 11),
    stopped(sending, 19.9, 21),
    stopped(sending, 20.1, 22),
  ]);
  expect(log.near(10e9, 20e9).map(({ fromNs }) => fromNs / 1e9)).toEqual([8, 9.9, 19.9]);
  expect(log.near(10.1e9, 20e9).map(({ fromNs }) => fromNs / 1e9)).toEqual([9.9, 19.9]);
});

test('of a program of others only what lies in a row counts: the next row has another process', () => {
  const fio = { tool: 'fio' };
  const log = new StandstillLog();
  log.addAll([stopped(fio, 8, 9.5), stopped(fio, 9.5, 10.1), stopped(fio, 19, 21), stopped(fio, 20, 21)]);
  const parts = log.near(10e9, 20e9).map(({ fromNs, toNs }) => [fromNs / 1e9, toNs / 1e9]);
  expect(parts).toEqual([
    [10, 10.1],
    [19, 20],
  ]);
});

test('a day of standstills takes no more memory than an hour', () => {
  const log = new StandstillLog();
  for (let second = 0; second < 50_000; second++) log.add(sending, [stopped(sending, second, second + 0.1)]);
  const kept = log.near(0, 1e15);
  expect([kept.length < 40_000, kept.at(-1)?.fromNs]).toEqual([true, 49_999e9]);
});

test('a process that reports standstills without end hides none of another', () => {
  const log = new StandstillLog();
  const engine = { role: 'engine' };
  log.addAll([stopped(engine, 1, 2)]);
  for (let minute = 0; minute < 30; minute++)
    log.addAll(range(0, 2999).map((index) => stopped(sending, 2 + index / 1e5, 2 + (index + 1) / 1e5)));
  const near = log.near(1e9, 5e9);
  expect(near).toContainEqual(stopped(engine, 1, 2));
  expect(near.length).toBeLessThan(40_000);
});
