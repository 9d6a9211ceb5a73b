import { expect, test } from 'vitest';
import type { Notice } from '../engine/console-store';
import { texts } from '../texts';
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
  expect(groupAlerts([outage(3), disk, outage(1, { untilMs: 5000 }), outage(2)])).toEqual([
    {
      ...{ keys: ['outage-3', 'outage-1', 'outage-2'], severity: 'warning', cause: 'outage' },
      ...{ streams: ['Wall 3', 'Wall 1', 'Wall 2'], message: 'Wall 3: pictures again after 3 s' },
      ...{ remedy: 'The strip says what it cost', sinceMs: 1000 },
      details: [
        'Wall 3: pictures again after 3 s',
        'Wall 1: pictures again after 1 s',
        'Wall 2: pictures again after 2 s',
      ],
    },
    {
      ...{ keys: ['output'], severity: 'error', cause: undefined, streams: [] },
      ...{ message: '/runs is full', remedy: undefined, sinceMs: 500, details: ['ENOSPC'] },
    },
  ]);
});

test('a group is of one run: what an earlier one left is over, and no part of what goes on', () => {
  const groups = groupAlerts([
    outage(1, { run: 1, untilMs: 5000 }),
    outage(2, { run: 1, untilMs: 6000 }),
    outage(3, { run: 2 }),
  ]);
  expect(groups).toMatchObject([
    { streams: ['Wall 1', 'Wall 2'], sinceMs: 1000, untilMs: 6000 },
    { streams: ['Wall 3'], sinceMs: 3000, untilMs: undefined },
  ]);
});

test('one alert of a cause says itself what happened', () => {
  const [group] = groupAlerts([outage(1, { untilMs: 5000 })]);
  expect(group).toMatchObject({ cause: undefined, streams: ['Wall 1'], untilMs: 5000, details: [] });
});

test('what is over has its end, several once the last of them is', () => {
  const over = [outage(1, { untilMs: 9000 }), outage(2, { untilMs: 7000 })];
  expect(groupAlerts(over)).toMatchObject([{ sinceMs: 1000, untilMs: 9000 }]);
  expect(groupAlerts([...over, outage(3)])[0]?.untilMs).toBeUndefined();
  expect(texts.alerts.from('14:47:35', '14:47:55 UTC')).toBe('14:47:35 to 14:47:55 UTC');
});

test('alerts without a cause that is shared stay apart, whatever their codes are', () => {
  const groups = groupAlerts([disk, { ...disk, key: 'row' }]);
  expect(groups.map(({ keys }) => keys)).toEqual([['output'], ['row']]);
});

test('the worst of all is that of what is not over', () => {
  expect(worstOf([{ severity: 'error', untilMs: 5000 }, { severity: 'info' }, { severity: 'warning' }])).toBe(
    'warning',
  );
  expect(worstOf([{ severity: 'warning', untilMs: 5000 }])).toBe('warning');
  expect(worstOf([])).toBe('info');
});
