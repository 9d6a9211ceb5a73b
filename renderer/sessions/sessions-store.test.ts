import { beforeEach, describe, expect, test } from 'vitest';
import type { ArchivedRun, DeletedRun } from '../../app/protocol/archive';
import { archivedRun } from '../testing/archived-run';
import {
  behindOf,
  comparabilityOf,
  goBack,
  setFilter,
  showComparison,
  showHistory,
  showRun,
  showSession,
  useSessions,
  withMark,
  withoutRun,
} from './sessions-store';

const initial = useSessions.getState();
const named = (folder: string, experiment = 'stream-load'): ArchivedRun =>
  archivedRun(folder, { experiment });
const [a, b, c] = [named('a'), named('b'), named('c', 'link')] as [ArchivedRun, ArchivedRun, ArchivedRun];
const gone: DeletedRun = {
  ...{ deletion: '1', folder: 'a', title: 'A', experiment: 'stream-load' },
  ...{ startedAt: a.startedAt, deletedAt: a.startedAt, wasBaseline: false },
};

beforeEach(() => useSessions.setState(initial, true));

describe('marks', () => {
  test('come and go, up to as many as fit into a report', () => {
    expect(withMark([], a)).toEqual([a]);
    expect(withMark([a], b)).toEqual([a, b]);
    expect(withMark([a, b], c)).toEqual([a, b, c]);
    expect(withMark([a, b], a)).toEqual([b]);
    const all = Array.from({ length: 100 }, (_, folder) => named(String(folder)));
    expect(withMark(all, a)).toEqual(all);
    expect(withMark(all, named('6'))).toHaveLength(99);
  });

  test('make a comparison of runs of one experiment alone', () => {
    const asked = [[], [a], [a, b], [a, b, a], [a, c], [a, b, c]];
    expect(asked.map(comparabilityOf)).toEqual(['none', 'one', 'ready', 'ready', 'different', 'different']);
    expect([6, 7].map((count) => comparabilityOf(Array.from({ length: count }, () => a)))).toEqual([
      'ready',
      'many',
    ]);
  });
});

test('another filter begins with its newest run', () => {
  useSessions.setState({ offset: 200 });
  setFilter({ verdict: 'FAIL' });
  expect(useSessions.getState()).toMatchObject({ offset: 0, filter: { verdict: 'FAIL', text: '' } });
});

test('a deleted run is neither open nor marked any more, and can be brought back', () => {
  showRun('a');
  useSessions.setState({ marked: [a, b] });
  useSessions.setState((state) => withoutRun(state, gone));
  expect(useSessions.getState()).toMatchObject({ view: { name: 'history' }, marked: [b], deleted: [gone] });
  showRun('b');
  useSessions.setState((state) => withoutRun(state, gone));
  expect(useSessions.getState().view).toEqual({ name: 'run', folder: 'b' });
});

test('a run or a comparison that is open closes when a run of it is deleted, and nothing leads back to it', () => {
  const list = {
    runs: [a, b],
    total: 2,
    recorded: 2,
    experiments: [],
    hosts: [],
    baselines: {},
    baselinesProblem: null,
  };
  const openA = (): void => showRun('a');
  for (const open of [openA, () => showComparison(['b', 'a'])]) {
    useSessions.setState({ ...initial, list });
    showSession('s');
    open();
    useSessions.setState((state) => withoutRun(state, gone));
    expect(useSessions.getState()).toMatchObject({
      view: { name: 'history' },
      behind: [],
      ...{ list: { runs: [b] }, current: open === openA ? 'b' : null },
    });
  }
});

test('a run leads back to the session or the comparison from which it was opened, and that to the history', () => {
  showHistory();
  showSession('s');
  showRun('s/1');
  showComparison(['s/1', 's/2']);
  showComparison(['s/2', 's/1']);
  const names: string[] = [];
  for (let step = 0; step < 4; step++) {
    names.push(behindOf(useSessions.getState()).name);
    goBack();
  }
  expect(names).toEqual(['run', 'session', 'history', 'history']);
});

test('a baseline that is deleted is pinned no more', () => {
  useSessions.setState({ baselines: { 'stream-load': 'a', link: 'c' } });
  useSessions.setState((state) => withoutRun(state, gone));
  expect(useSessions.getState().baselines).toEqual({ 'stream-load': 'a', link: 'c' });
  useSessions.setState((state) => withoutRun(state, { ...gone, wasBaseline: true }));
  expect(useSessions.getState().baselines).toEqual({ link: 'c' });
});
