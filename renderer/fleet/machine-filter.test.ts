import { expect, test } from 'vitest';
import type { MachineLine } from '../../app/protocol/fleet/fleet-view';
import { filtered } from './machine-filter';

function line(name: string, change: Partial<MachineLine> = {}): MachineLine {
  return {
    ...{ id: name, name, state: 'connected', version: '1.0.0', console: null },
    ...{ problems: [], streams: { senders: 0, receivers: 0 } },
    ...change,
  };
}

const machines = [
  line('render-1', { console: 'control-1, process 7' }),
  line('render-2', { state: 'silent' }),
  line('display-1', { problems: ['It runs Whiteline 0.9.0, and this console 1.0.0'] }),
  line('display-2', { state: 'absent' }),
];

test.each([
  ['all', '', ['render-1', 'render-2', 'display-1', 'display-2']],
  ['connected', '', ['render-1', 'display-1']],
  // One that was never seen is no problem.
  ['problems', '', ['render-2', 'display-1']],
  ['all', ' RENDER ', ['render-1', 'render-2']],
  // Of who uses it, and of its problems.
  ['all', 'control', ['render-1']],
  ['all', '0.9', ['display-1']],
  ['connected', 'render-2', []],
] as const)('%s, “%s”', (filter, sought, names) => {
  expect(filtered(machines, filter, sought).map(({ name }) => name)).toEqual(names);
});
