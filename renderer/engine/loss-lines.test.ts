import { expect, test } from 'vitest';
import type { EngineState } from '../../app/protocol/console';
import { stateOf } from '../testing/engine-state';
import { streamView } from '../testing/fixtures';
import { LossLine, LossLines, lineSeconds, unknown } from './loss-lines';

const startMs = Date.parse('2026-11-24T08:01:00.000Z');

function counted(second: number, lostTotal: number | null, framesInOutages: number | null = null) {
  return { id: 1, countedTo: new Date(startMs + second * 1000).toISOString(), lostTotal, framesInOutages };
}

function framesOf(line: LossLine): number[] {
  return Array.from({ length: lineSeconds }, (_, index) => line.at(index));
}

test('the sum of a line is by how much the stream lost more in that time, second by second', () => {
  const line = new LossLine();
  for (let quarter = 0; quarter < 40; quarter++)
    line.add(counted(quarter / 4, quarter < 13 ? 5 : 5 + quarter));
  const frames = framesOf(line);
  expect(frames.slice(0, 50)).toEqual(new Array(50).fill(unknown));
  expect(frames.slice(50)).toEqual([0, 0, 0, 15, 4, 4, 4, 4, 4, 4]);
  expect(line.sum).toBe(39);
});

test('what is older than a minute leaves it', () => {
  const line = new LossLine();
  line.add(counted(0, 0));
  line.add(counted(1, 7));
  for (let second = 2; second <= 60; second++) line.add(counted(second, 7));
  expect(line.sum).toBe(7);
  line.add(counted(61, 7));
  expect([line.sum, line.at(lineSeconds - 1)]).toEqual([0, 0]);
  line.add(counted(500, 9));
  expect(framesOf(line).filter((frames) => frames !== unknown)).toEqual([2]);
});

test('frames of an outage are in it as an estimate rises, and are not taken back as it falls', () => {
  const line = new LossLine();
  line.add(counted(0, 2));
  line.add(counted(1, 2, 30));
  line.add(counted(2, 2, 28));
  line.add(counted(3, 33));
  expect(framesOf(line).slice(-4)).toEqual([0, 30, 0, 1]);
});

test('what was not measured is no zero', () => {
  const line = new LossLine();
  expect(line.sum).toBeNull();
  line.add({ ...counted(0, 0), countedTo: null });
  line.add(counted(1, null));
  expect([line.sum, line.at(lineSeconds - 1)]).toEqual([null, unknown]);
  line.add(counted(2, 0));
  expect(framesOf(line).slice(-2)).toEqual([unknown, 0]);
});

test('a time that goes back, as of a machine that reports late, spoils nothing', () => {
  const line = new LossLine();
  line.add(counted(5, 0));
  line.add(counted(3, 2));
  expect(line.at(lineSeconds - 1)).toBe(2);
});

test('only something new is drawn', () => {
  const line = new LossLine();
  line.add(counted(0, 0));
  const { revision } = line;
  line.add(counted(0.5, 0));
  expect(line.revision).toBe(revision);
  line.add(counted(0.75, 1));
  expect(line.revision).toBeGreaterThan(revision);
});

test('each run begins its lines anew, and its listeners hear of each state', () => {
  const lines = new LossLines();
  let heard = 0;
  const stop = lines.listen(() => heard++);
  const run = (id: string): EngineState['run'] => ({
    ...{ id, experiment: 'live', folder: '', title: '', verdict: null, reason: '' },
  });
  const streams = (second: number, lostTotal: number) => [streamView(1, counted(second, lostTotal))];
  lines.note(stateOf({ streams: streams(0, 0), state: { run: run('a') } }));
  lines.note(stateOf({ streams: streams(1, 3), state: { run: run('a') } }));
  expect(lines.of(1).sum).toBe(3);
  // It stays after the run's end.
  lines.note(stateOf({ state: { run: run('a') } }));
  expect(lines.of(1).sum).toBe(3);
  lines.note(stateOf({ streams: streams(9, 0), state: { run: run('b') } }));
  expect(lines.of(1).sum).toBe(0);
  stop();
  lines.note(stateOf({}));
  expect(heard).toBe(4);
});
