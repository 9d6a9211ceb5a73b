import { beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../app/protocol/errors';
import { addStream, startRamp } from './actions';
import { command } from './connection';
import { allAlerts, emptyView, useConsole } from './console-store';
import { useSettings } from './source-settings';

vi.mock('./connection', () => ({ command: vi.fn(), shell: {} }));
vi.mock('../sessions/archive', () => ({}));
vi.mock('../sessions/session-actions', () => ({}));

const initial = useSettings.getState();

const done = { result: null, problem: null };
const refused = (problem: Problem) => ({ result: null, problem });

function wrong(field: string, others?: Problem[]): Problem {
  return { code: 'BAD_INPUT', message: `${field} is wrong`, field, others };
}

beforeEach(() => {
  useSettings.setState(initial, true);
  useConsole.setState(emptyView, true);
  vi.mocked(command).mockReset().mockResolvedValue(done);
});

test.each(['movie', 'clip'] as const)(
  'without its file a %s is not sent: the field says so',
  async (kind) => {
    useSettings.setState({ kind });
    addStream();
    await startRamp();
    expect(command).not.toHaveBeenCalled();
    expect(useSettings.getState().problems.source).toMatch(/^Choose a (movie|test clip) first\.$/);
  },
);

test('with its file it is', () => {
  useSettings.setState({ kind: 'movie', moviePath: '/clips/a.mov' });
  addStream();
  expect(command).toHaveBeenCalledWith(expect.objectContaining({ name: 'addStream' }));
});

test('a ramp that is refused says all that is wrong at its fields, and raises no alert', async () => {
  vi.mocked(command).mockResolvedValue(refused(wrong('maxStreams', [wrong('holdSeconds')])));
  await startRamp();
  expect(useSettings.getState().problems).toEqual({
    ...{ maxStreams: 'maxStreams is wrong', holdSeconds: 'holdSeconds is wrong' },
  });
  expect(allAlerts(useConsole.getState())).toEqual([]);
});

test('a ramp that is refused for another reason is an alert', async () => {
  vi.mocked(command).mockResolvedValue(refused({ code: 'NDI_MISSING', message: 'NDI is missing' }));
  await startRamp();
  expect(allAlerts(useConsole.getState()).map(({ message }) => message)).toEqual(['NDI is missing']);
  vi.mocked(command).mockResolvedValue(done);
  await startRamp();
  expect(allAlerts(useConsole.getState())).toEqual([]);
});
