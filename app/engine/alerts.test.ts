import { expect, test, vi } from 'vitest';
import { Alerts } from './alerts';

function alerts() {
  const onChange = vi.fn();
  return { all: new Alerts(onChange), onChange };
}

test('a host that is back leaves what happened, and asks for nothing', () => {
  const { all } = alerts();
  all.note('host-died', 'The sending process ended with code 9');
  expect(all.all).toMatchObject([{ key: 'host', severity: 'warning' }]);
  expect(all.all[0]?.isPast).toBeUndefined();
  all.note('host-started', 'The sending process was started again');
  expect(all.all).toMatchObject([
    { key: 'host', message: 'The sending process ended with code 9', isPast: true },
  ]);
  expect(all.all[0]?.remedy).toContain('was started again');
  all.note('host-died', 'The receiving process ended with code 9');
  expect(all.all).toMatchObject([{ message: 'The receiving process ended with code 9' }]);
  expect(all.all[0]?.isPast).toBeUndefined();
});

test('what went wrong in a run is over once the next one begins; what keeps the engine from measuring is not', () => {
  const { all, onChange } = alerts();
  all.raise('run', 'error', { code: 'HOST_DIED', message: 'the run failed', remedy: 'Start it again' });
  all.raise('ndi', 'error', { code: 'NDI_MISSING', message: 'no NDI' });
  onChange.mockClear();
  all.endRun();
  expect(all.all.map(({ key, isPast, remedy }) => [key, isPast, remedy])).toEqual([
    ['run', true, undefined],
    ['ndi', undefined, undefined],
  ]);
  expect(onChange).toHaveBeenCalledOnce();
  all.endRun();
  expect(onChange).toHaveBeenCalledOnce();
});

test('an alert that was dismissed does not come back as one of the past', () => {
  const { all } = alerts();
  all.note('host-died', 'The sending process ended');
  all.dismiss('host');
  all.note('host-started', 'The sending process was started again');
  expect(all.all).toEqual([]);
});
