import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StreamMark } from '../../app/protocol/console';
import { exampleRow, exampleRun } from '../../app/testing/example-run';
import { ChartBoard } from '../charts/chart-board';
import { historyOf } from '../report/report-data';
import { loadSample } from '../testing/samples';
import { LoadHistory, loadColumns } from './load-history';

const startMs = 1_000_000_000_000;
const series = [{ column: loadColumns.cpuMachine }];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function withSample(atMs = 0, lostPerSecond: number | null = 0): LoadHistory {
  const history = new LoadHistory();
  add(history, atMs, lostPerSecond);
  return history;
}

function add(history: LoadHistory, atMs: number, lostPerSecond: number | null = 0): void {
  const wallMs = startMs + atMs;
  history.addSamples([loadSample(wallMs, 1, 10)], [{ wallMs, lostPerSecond }]);
}

test('once nothing comes any more no figure is one of now', () => {
  const history = withSample();
  const board = new ChartBoard(history);
  const redraw = vi.fn();
  history.subscribe(redraw);
  expect(history.now(loadColumns.cpuMachine)).not.toBeNull();
  expect(board.valuesNow('load', series)).not.toEqual([null]);
  vi.advanceTimersByTime(3000);
  expect(redraw).toHaveBeenCalledOnce();
  expect(history.isSilent).toBe(true);
  expect(history.now(loadColumns.cpuMachine)).toBeNull();
  expect(board.valuesNow('load', series)).toEqual([null]);
  add(history, 4000);
  expect(history.isSilent).toBe(false);
  expect(history.now(loadColumns.cpuMachine)).not.toBeNull();
});

test('an engine that is known to be gone is waited for no longer', () => {
  const history = withSample();
  history.fallSilent();
  expect(history.isSilent).toBe(true);
});

test('with samples at their pace it is never silent', () => {
  const history = withSample();
  for (let atMs = 500; atMs <= 10_000; atMs += 500) {
    vi.advanceTimersByTime(500);
    add(history, atMs);
    expect(history.isSilent).toBe(false);
  }
});

test('losses are those of now: none where no stream is followed any more', () => {
  const history = withSample(0, 4);
  expect(new ChartBoard(history).valuesNow('loss', [{ column: 0 }])).toEqual([4]);
  add(history, 500, null);
  expect(new ChartBoard(history).valuesNow('loss', [{ column: 0 }])).toEqual([null]);
});

test('a run that is over has no figures of now', () => {
  expect(new ChartBoard(withSample(), true).valuesNow('load', series)).toBeNull();
});

test('losses of a finished run have gaps where no stream was followed', () => {
  const columns = Array.from({ length: 10 }, () => [1, null, 3]);
  const load = { wallMs: [0, 500, 1000], columns, notMeasured: {}, samplesPerPoint: 1 };
  const row = exampleRow(1);
  const outages = [{ startedAt: '2026-11-20T10:00:01.000Z', endedAt: null, seconds: 2, framesEstimated: 60 }];
  const rows = [
    {
      ...{ ...row, to: '2026-11-20T10:00:03.000Z' },
      subjects: row.subjects.map((stream) => ({ ...stream, outages })),
    },
  ];
  const history = historyOf({ load, marks: [], run: exampleRun(rows) });
  expect(history.loss.window(0, 1)[1]).toEqual([1, null, 3]);
  // What the charts shade: an outage that was not over ends with its row.
  const [from, to] = ['01', '03'].map((second) => Date.parse(`2026-11-20T10:00:${second}.000Z`));
  expect(history.outages).toEqual([{ fromMs: from, toMs: to }]);
});

test('the marks are those of the newest run alone', () => {
  const history = new LoadHistory();
  const markOf = (label: string): StreamMark => ({ kind: 'marker', wallMs: startMs, streams: 1, label });
  const redraw = vi.fn();
  history.setMarks([markOf('lights on')]);
  history.subscribe(redraw);
  history.setMarks([markOf('lights on')]);
  expect(redraw).not.toHaveBeenCalled();
  history.setMarks([]);
  expect(history.marks).toEqual([]);
  history.setMarks([markOf('Marker 1')]);
  expect(history.marks.map(({ label }) => label)).toEqual(['Marker 1']);
  expect(redraw).toHaveBeenCalledTimes(2);
});
