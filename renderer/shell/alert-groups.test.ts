import { expect, test } from 'vitest';
import type { Notice } from '../engine/console-store';
import { groupAlerts, worstOf } from './alert-groups';

function outage(id: number, change: Partial<Notice> = {}): Notice {
  return {
    ...{ key: `outage-${id}`, severity: 'warning', code: 'NO_VIDEO', cause: 'outage' },
    ...{ stream: `Wall ${id}`, message: `Wall ${id}: pictures again after ${id} s`, sinceMs: 1000 * id },
    remedy: 'The strip says what it cost',
    ...change,
  };
}

const disk: Notice = {
  ...{ key: 'output', severity: 'error', code: 'DISK_FULL', message: '/runs is full', sinceMs: 500 },
  details: 'ENOSPC',
};

test('alerts of one cause on several streams are one, with what each says in its details', () => {
  expect(groupAlerts([outage(3), disk, outage(1, { isPast: true }), outage(2)])).toEqual([
    {
      ...{ keys: ['outage-3', 'outage-1', 'outage-2'], severity: 'warning', isPast: false, cause: 'outage' },
      ...{ streams: ['Wall 3', 'Wall 1', 'Wall 2'], message: 'Wall 3: pictures again after 3 s' },
      ...{ remedy: 'The strip says what it cost', sinceMs: 1000 },
      details: [
        'Wall 3: pictures again after 3 s',
        'Wall 1: pictures again after 1 s',
        'Wall 2: pictures again after 2 s',
      ],
    },
    {
      ...{ keys: ['output'], severity: 'error', isPast: false, cause: undefined, streams: [] },
      ...{ message: '/runs is full', remedy: undefined, sinceMs: 500, details: ['ENOSPC'] },
    },
  ]);
});

test('one alert of a cause says itself what happened', () => {
  const [group] = groupAlerts([outage(1, { isPast: true })]);
  expect(group).toMatchObject({ cause: undefined, streams: ['Wall 1'], isPast: true, details: [] });
});

test('alerts without a cause that is shared stay apart, whatever their codes are', () => {
  const groups = groupAlerts([disk, { ...disk, key: 'row' }]);
  expect(groups.map(({ keys }) => keys)).toEqual([['output'], ['row']]);
});

test('the worst of all is that of what is not over', () => {
  expect(worstOf([{ severity: 'error', isPast: true }, { severity: 'info' }, { severity: 'warning' }])).toBe(
    'warning',
  );
  expect(worstOf([{ severity: 'warning', isPast: true }])).toBe('warning');
  expect(worstOf([])).toBe('info');
});
