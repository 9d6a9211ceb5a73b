import { beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../app/protocol/errors';
import { perform } from '../engine/actions';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { valuesOf } from '../forms/form-values';
import { stateOf } from '../testing/engine-state';
import { offers } from '../testing/offers';
import { addToPlan, runExperiment, runPlan } from './experiment-actions';
import { fieldsOf, useExperiments } from './experiments-store';
import { emptyDraft, withStep, withStepChanged } from './plan-draft';

vi.mock('../engine/connection', () => ({ command: vi.fn(), shell: {} }));
vi.mock('../engine/actions', () => ({ perform: vi.fn() }));
vi.mock('../navigation/shown-screen', () => ({}));
vi.mock('../sessions/archive', () => ({}));

const done = { result: null, problem: null };
const refusal = (problem: Problem) => ({ result: null, problem });
const initial = useExperiments.getState();
const offer = offers.find(({ id }) => id === 'storage') ?? expect.fail('storage is offered');

beforeEach(() => {
  useExperiments.setState(initial, true);
  useConsole.setState({ right: 'operate', life: { state: 'running' }, engine: stateOf({ state: {} }) });
  vi.mocked(perform).mockReset();
  vi.mocked(command).mockReset().mockResolvedValue(done);
});

test('a form with errors does not come into the plan: it is shown, and its first error gets the focus', async () => {
  vi.mocked(command).mockResolvedValue(
    refusal({ code: 'BAD_INPUT', message: 'too small', field: 'sizeMib' }),
  );
  await addToPlan(offer);
  const { draft, chosen, view, refused, spoken } = useExperiments.getState();
  expect(draft.steps).toEqual([]);
  expect({ chosen, view, refused }).toEqual({
    ...{ chosen: { experiment: 'storage' }, view: 'set-up', refused: { experiment: 'storage' } },
  });
  expect(spoken).toContain('not added');
});

test('a form without errors is the next step, with the values of that moment', async () => {
  const adding = addToPlan(offer);
  useExperiments.setState({ forms: { storage: { sizeMib: '9' } } });
  await adding;
  const { draft, refused } = useExperiments.getState();
  expect(draft.steps.map(({ experiment, values }) => [experiment, values.sizeMib === '9'])).toEqual([
    ['storage', false],
  ]);
  expect(refused).toBeNull();
});

test('steps come in the order in which they were added, also where the check of the first takes longer', async () => {
  const preflight = offers.find(({ id }) => id === 'preflight') ?? expect.fail('preflight is offered');
  let answerFirst = (): void => undefined;
  vi.mocked(command).mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answerFirst = () => resolve(done);
      }),
  );
  const adding = [addToPlan(offer), addToPlan(preflight)];
  // All that follows the answer to the second has happened by then.
  await new Promise((resolve) => setImmediate(resolve));
  answerFirst();
  await Promise.all(adding);
  const { steps } = useExperiments.getState().draft;
  expect(steps.map(({ experiment }) => experiment)).toEqual(['storage', 'preflight']);
});

test('a problem that is none of a field keeps nothing out of a plan', async () => {
  vi.mocked(command).mockResolvedValue(refusal({ code: 'TOOL_MISSING', message: 'fio is missing' }));
  await addToPlan(offer);
  expect(useExperiments.getState().draft.steps).toHaveLength(1);
});

test('a run whose form has errors does not start: its first error gets the focus', async () => {
  vi.mocked(command).mockResolvedValue(refusal({ code: 'BAD_INPUT', message: '', field: 'folders.0' }));
  await runExperiment(offer);
  const { chosen, refused, view } = useExperiments.getState();
  expect({ chosen, refused, view }).toEqual({
    ...{ chosen: { experiment: 'storage' }, refused: { experiment: 'storage' }, view: 'set-up' },
  });
  expect(perform).not.toHaveBeenCalled();
});

test('a plan with errors does not start: it leads to the first of them', async () => {
  const values = valuesOf(fieldsOf(offer));
  const two = withStep(withStep(emptyDraft, 'storage', values), 'storage', { ...values, sizeMib: '9' });
  vi.mocked(command).mockImplementation(async (asked) =>
    asked.name === 'checkParameters' && asked.parameters.sizeMib === 9
      ? refusal({ code: 'BAD_INPUT', message: 'too small', field: 'sizeMib' })
      : done,
  );
  useExperiments.setState({ draft: two });
  await runPlan(offers);
  expect(useExperiments.getState()).toMatchObject({
    refused: { step: 2 },
    chosen: { step: 2 },
    view: 'set-up',
  });
  useExperiments.setState({ draft: withStepChanged(two, 1, { repeat: 'often' }), chosen: null });
  await runPlan(offers);
  expect(useExperiments.getState()).toMatchObject({ refused: { runsOf: 1 }, chosen: null });
  expect(perform).not.toHaveBeenCalled();
});
