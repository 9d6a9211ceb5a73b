import { expect, test } from 'vitest';
import { LoadHistory } from '../engine/load-history';
import { samplesOf } from '../testing/samples';
import { type BoardChart, ChartBoard } from './chart-board';

const startMs = 1_000_000_000_000;

class DrawnRanges implements BoardChart {
  ranges: { from: number; to: number }[] = [];
  ticks: readonly number[] = [];
  constructor(readonly mostTicks = 6) {}
  draw(from: number, to: number, ticks: readonly number[]): void {
    this.ranges.push({ from, to });
    this.ticks = ticks;
  }
}

function boardWithMinutes(minutes: number, showsWhole = false) {
  const history = new LoadHistory();
  const chart = new DrawnRanges();
  const board = new ChartBoard(history, showsWhole);
  history.addSamples(samplesOf(startMs, startMs + minutes * 60_000), []);
  board.attach(chart);
  return { history, chart, board };
}

const endSeconds = (minutes: number) => startMs / 1000 + minutes * 60;

test('live charts show the newest three minutes, and move on', () => {
  const { history, chart } = boardWithMinutes(10);
  expect(chart.ranges).toEqual([{ from: endSeconds(10) - 180, to: endSeconds(10) }]);
  history.addSamples(samplesOf(startMs + 601_000, startMs + 601_000), []);
  expect(chart.ranges.at(-1)?.to).toBe(endSeconds(10) + 1);
});

test('before the first sample the axis is that of now', () => {
  const before = Date.now() / 1000;
  const { to, from } = new ChartBoard(new LoadHistory()).range();
  const after = Date.now() / 1000;
  expect(Math.max(before, Math.min(to, after))).toBe(to);
  expect(to - from).toBe(30);
});

test('a finished run is shown whole', () => {
  const { chart } = boardWithMinutes(10, true);
  expect(chart.ranges).toEqual([{ from: endSeconds(0), to: endSeconds(10) }]);
});

test('frozen charts stand still until they are let go', () => {
  const { history, chart, board } = boardWithMinutes(1);
  board.toggleFreeze();
  const frozen = chart.ranges.length;
  history.addSamples(samplesOf(startMs + 61_000, startMs + 61_000), []);
  expect(chart.ranges).toHaveLength(frozen);
  board.toggleFreeze();
  expect(chart.ranges.at(-1)?.to).toBe(endSeconds(1) + 1);
});

test('a zoom holds its range, a reset shows the newest again', () => {
  const { chart, board } = boardWithMinutes(5);
  board.zoom(100, 110);
  expect(board.isHeld).toBe(true);
  expect(chart.ranges.at(-1)).toEqual({ from: 100, to: 110 });
  board.reset();
  expect(chart.ranges.at(-1)?.to).toBe(endSeconds(5));
});

test('marks that are reported again draw nothing', () => {
  const { history, chart } = boardWithMinutes(1);
  const marks = () => [{ kind: 'stream' as const, wallMs: startMs + 30_000, streams: 1, label: 'Stream 1' }];
  history.setMarks(marks());
  expect(chart.ranges).toHaveLength(2);
  history.setMarks(marks());
  expect(chart.ranges).toHaveLength(2);
});

test('all charts have the labels of time for which the narrowest one has room', () => {
  const { board, chart } = boardWithMinutes(10);
  expect(chart.ticks).toHaveLength(6);
  const narrow = new DrawnRanges(3);
  board.attach(narrow);
  expect(narrow.ticks).toHaveLength(3);
  expect(chart.ticks).toEqual(narrow.ticks);
  expect(narrow.ticks.every((tick) => tick % 60 === 0)).toBe(true);
});
