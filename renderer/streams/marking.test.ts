import { expect, test, vi } from 'vitest';
import { useConsole, withNews } from '../engine/console-store';
import { stateOf } from '../testing/engine-state';
import { saidOf, saveNote, setMarker, useMarking } from './marking';

vi.mock('../engine/connection', () => ({
  command: () => Promise.resolve({ result: null, problem: null }),
  shell: {},
}));
vi.mock('../engine/actions', () => ({ perform: () => Promise.resolve(null) }));

function showRun(id: string): void {
  const run = { id, folder: `/runs/${id}`, title: id, experiment: 'live', verdict: null, reason: '' };
  useConsole.setState((view) => withNews(view, { type: 'state', state: stateOf({ state: { run } }) }));
}

test('what was noted in a run is said of that run, and of no later one', async () => {
  showRun('first');
  await saveNote('lights on');
  expect(saidOf(useMarking.getState(), 'first')).toMatch(/^Note .*UTC/);
  expect(saidOf(useMarking.getState(), 'second')).toBe('');
  showRun('second');
  await setMarker();
  expect(saidOf(useMarking.getState(), 'second')).toMatch(/^Marker set at .*UTC$/);
});
