import { expect, test } from 'vitest';
import type { Row } from '../../app/facts/row';
import type { EngineState } from '../../app/protocol/console';
import { stateOf } from '../testing/engine-state';
import { rowOf } from '../testing/fixtures';
import { checkIds, countsOf, lookOf, nextCheck } from './look';

function line(check: string, state: string): Row {
  const from = '2026-11-21T20:00:00Z';
  return {
    ...{ index: 0, label: check, from, to: from, step: {}, subjects: [], load: {} },
    figures: {
      'preflight.state': state,
      'preflight.found': `${check} was found`,
      'preflight.advice': '',
      'preflight.command': '',
    },
    ...{ details: { check }, verdict: 'PASS', reason: [], notMeasured: {} },
  };
}

function engineWith(experiment: string, mode: EngineState['mode']): EngineState {
  const run = { id: '1', experiment, folder: '', title: '', verdict: null, reason: '' };
  return stateOf({ state: { run, mode } });
}

test('lines of a preflight that runs, and what comes next', () => {
  const [first = '', second = '', third] = checkIds;
  const rows = [line(first, 'problem'), line(second, 'ok')];
  const look = lookOf({ engine: engineWith('preflight', 'experiment'), rows });
  if (!look) throw new Error('the preflight was not seen');
  expect(look.isRunning).toBe(true);
  expect(look.lines).toMatchObject({ [first]: { state: 'problem', found: `${first} was found` } });
  expect(countsOf(look)).toEqual([
    { state: 'problem', count: 1 },
    { state: 'ok', count: 1 },
  ]);
  expect(nextCheck(look)).toBe(third);
});

test('what a line found is worded as advice and command are', () => {
  const found = { code: 'mtu-small', data: { name: 'eth0', mtuBytes: 1400, usualBytes: 1500 } };
  const row: Row = { ...line('mtu', 'warning'), figures: { 'preflight.state': 'warning' }, found };
  const look = lookOf({ engine: engineWith('preflight', 'idle'), rows: [row] });
  expect(look?.lines.mtu).toEqual({
    state: 'warning',
    found: 'eth0 carries packets of up to 1400 bytes',
    advice:
      'Each frame needs more packets, and larger packets from other machines may be lost: use the MTU of the other machines here',
    command: 'ip link set dev eth0 mtu 1500',
  });
});

test('a whole preflight has nothing to come', () => {
  const rows = checkIds.map((id) => line(id, 'unknown'));
  const look = lookOf({ engine: engineWith('preflight', 'idle'), rows });
  expect(look && nextCheck(look)).toBeUndefined();
  expect(look?.isRunning).toBe(false);
});

test('rows of anything else are not taken for lines', () => {
  expect(lookOf({ engine: engineWith('storage', 'idle'), rows: [line('mtu', 'ok')] })).toBeNull();
  const other = lookOf({
    engine: engineWith('preflight', 'experiment'),
    rows: [rowOf(0), line('speed', 'ok')],
  });
  expect(other?.lines).toEqual({});
  expect(lookOf({ engine: null, rows: [] })).toBeNull();
});
