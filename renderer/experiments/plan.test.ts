import { expect, test } from 'vitest';
import { planSchema } from '../../app/protocol/plan';
import {
  draftOf,
  emptyDraft,
  type PlanDraft,
  planOf,
  withoutStep,
  withStep,
  withStepChanged,
  withStepDropped,
  withStepMoved,
  withThresholds,
} from './plan-draft';

const three = ['link', 'storage', 'preflight'].reduce(
  (draft, experiment) => withStep(draft, experiment, {}),
  emptyDraft,
);
const namesOf = ({ steps }: PlanDraft): string[] => steps.map(({ experiment }) => experiment);

test('steps are put in, moved and taken out, each with a key of its own', () => {
  expect(three.steps.map(({ key }) => key)).toEqual([1, 2, 3]);
  expect(namesOf(withStep(three, 'transport', {}, 1))).toEqual(['link', 'transport', 'storage', 'preflight']);
  expect(namesOf(withStepMoved(three, 3, 0))).toEqual(['preflight', 'link', 'storage']);
  expect(namesOf(withStepMoved(three, 1, 9))).toEqual(['storage', 'preflight', 'link']);
  const without = withoutStep(three, 2);
  expect(namesOf(without)).toEqual(['link', 'preflight']);
  expect(withStep(without, 'storage', {}).steps.map(({ key }) => key)).toEqual([1, 3, 4]);
});

test('a plan names its profile of thresholds, unless it is that of the settings', () => {
  const noted = { ...three, kept: { notes: 'with the new switch' } };
  const strict = withThresholds(noted, 'flawless');
  expect(planOf(strict, 'x', () => ({}))).toMatchObject({
    notes: 'with the new switch',
    thresholds: 'flawless',
  });
  expect(withThresholds(strict, null)).toEqual(noted);
});

test('a step that is dropped stands before what it was dropped on', () => {
  expect(namesOf(withStepDropped(three, 1, 2))).toEqual(['storage', 'link', 'preflight']);
  expect(namesOf(withStepDropped(three, 1, 3))).toEqual(['storage', 'preflight', 'link']);
  expect(namesOf(withStepDropped(three, 3, 1))).toEqual(['link', 'preflight', 'storage']);
  expect(namesOf(withStepDropped(three, 2, 2))).toEqual(namesOf(three));
});

test('the plan says no more than what differs from the defaults, and the engine takes it', () => {
  const named = withStepChanged(three, 2, { name: ' Disk ', repeat: '3' });
  const plan = planOf({ ...named, name: '' }, 'Plan', ({ experiment }) =>
    experiment === 'storage' ? { repeats: 2 } : {},
  );
  expect(plan).toEqual({
    name: 'Plan',
    experiments: [
      { experiment: 'link', parameters: {} },
      { experiment: 'storage', name: 'Disk', parameters: { repeats: 2 }, repeat: 3 },
      { experiment: 'preflight', parameters: {} },
    ],
  });
  expect(planSchema.safeParse(plan).success).toBe(true);
});

test('what is no number of repeats is left for the engine to refuse', () => {
  const plan = planOf(withStepChanged(three, 1, { repeat: '2x' }), 'Plan', () => ({}));
  expect(plan.experiments).toMatchObject([{ repeat: '2x' }, {}, {}]);
  expect(planSchema.safeParse(plan).success).toBe(false);
});

test('a plan that is opened and saved says what it said', () => {
  const plan = planSchema.parse({
    ...{ name: 'Evening', notes: 'After the show', thresholds: 'flawless' },
    experiments: [
      { experiment: 'link', parameters: { repeats: 2 }, repeat: 3 },
      { experiment: 'storage', name: 'Disk' },
    ],
  });
  // A form without fields of its own: its values are the parameters.
  const draft = draftOf(plan, ({ parameters }) => ({ repeats: String(parameters.repeats ?? '') }));
  const written = planOf(draft, 'Plan', ({ values }) =>
    values.repeats === '' ? {} : { repeats: Number(values.repeats) },
  );
  expect(planSchema.parse(written)).toEqual(plan);
  expect(withStep(draft, 'storage', {}).steps.map(({ key }) => key)).toEqual([1, 2, 3]);
});
