import { expect, test, vi } from 'vitest';
import { useConsole, withNews } from '../engine/console-store';
import { stateOf } from '../testing/engine-state';
import { saidOf, saveNote, setMarker, useMarking } from './marking';

const sent = vi.hoisted((): unknown[] => []);
vi.mock('../engine/connection', () => ({
  command: async (given: unknown) => {
    sent.push(given);
    return { result: null, problem: null };
  },
  engineClock: { wallMs: 4711 },
  shell: {},
}));
vi.mock('../engine/actions', () => ({
  perform: async (given: unknown) => {
    sent.push(given);
    return null;
  },
}));

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
  expect(sent).toEqual([
    { name: 'addNote', kind: 'note', text: 'lights on', atMs: 4711 },
    { name: 'addNote', kind: 'marker', text: '', atMs: 4711 },
  ]);
});
