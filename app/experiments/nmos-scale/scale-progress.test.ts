import { expect, test } from 'vitest';
import { nmosScaleDeclaration, nmosScaleParameters } from './declaration';
import { partPlans, remainingSeconds, stateText } from './scale-progress';

const parameters = nmosScaleParameters.parse({
  ...{ registryCount: 2, nodes: 250, holdSeconds: 7, breaksSeconds: [5, 30], kill: true, crosspoints: 100 },
});
const plans = partPlans(parameters);

test.each([
  ['the registration begins', { index: 0, isControlling: false, elapsedSeconds: 0 }, 10 + 6 + 20 + 45 + 15],
  ['it takes long', { index: 0, isControlling: false, elapsedSeconds: 99 }, 6 + 20 + 45 + 15],
  ['the controller', { index: 0, isControlling: true, elapsedSeconds: 2 }, 4 + 20 + 45 + 15],
  ['the second break', { index: 2, isControlling: false, elapsedSeconds: 40 }, 5 + 15],
  ['the last part', { index: 3, isControlling: false, elapsedSeconds: 14 }, 1],
])('%s', (_, doing, seconds) => {
  expect(remainingSeconds(plans, parameters, doing)).toBe(seconds);
});

test('before it begins all is left', () => {
  const all = remainingSeconds(plans, parameters, { index: 0, isControlling: false, elapsedSeconds: 0 });
  expect(all).toBe(nmosScaleDeclaration.expectedSeconds(parameters));
});

test('in a break no count of nodes is said', () => {
  const [registration, broken] = plans;
  if (!registration || !broken) return expect.fail('there are both');
  expect(stateText(registration, { registered: 3, back: null })).toBe('3 registered');
  expect(stateText(broken, { registered: 0, back: null })).toBe('the nodes are silent');
  expect(stateText(broken, { registered: 2, back: 2 })).toBe('2 back');
});
