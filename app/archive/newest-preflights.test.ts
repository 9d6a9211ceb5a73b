import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { missingRow } from '../engine/experiment/elsewhere/machine-row';
import { preflightRow as line } from '../testing/preflight-row';
import { type RecordedRun, recordRun } from '../testing/recorded-run';
import { temporaryFolder } from '../testing/temporary-folder';
import { newestPreflights } from './newest-preflights';

const render = { name: 'render-1', id: '0123456789abcdef' };
const at = '2026-11-20T10:00:00.000Z';
let root = '';
beforeEach(() => {
  root = join(temporaryFolder(), 'runs');
});

function record(hour: number, given: RecordedRun): void {
  const { rows = [] } = given;
  const numbered = typeof rows === 'number' ? rows : rows.map((row, index) => ({ ...row, index }));
  const startedAt = at.replace('T10', `T${hour}`);
  recordRun(join(root, `${hour}`), {
    ...{ experiment: 'preflight', host: hostname(), startedAt },
    ...given,
    rows: numbered,
  });
}

test('of each machine the newest preflight counts, with its worst line; the local one is of this machine', () => {
  expect(newestPreflights(root)).toEqual([]);
  const machines = [render];
  record(10, {
    machines,
    rows: [line('speed', 'problem', 'render-1'), line('mtu', 'problem', 'this machine')],
  });
  record(11, {
    machines,
    rows: [
      line('speed', 'ok', 'render-1'),
      line('duplex', 'unknown', 'render-1'),
      line('mtu', 'warning', 'render-1'),
    ],
  });
  record(12, { rows: [line('speed', 'ok')] });
  const [own, other] = newestPreflights(root);
  expect(own).toEqual({
    ...{ machineId: null, run: '12', startedAt: at.replace('T10', 'T12'), isWhole: true },
    ...{ checks: 1, verdict: 'PASS', worst: null },
  });
  expect(other).toMatchObject({
    ...{ machineId: render.id, run: '11', verdict: 'WARN', isWhole: true, checks: 3 },
    worst: {
      found: 'eth0 carries packets of up to 1400 bytes',
      command: 'ip link set dev eth0 mtu 1500',
    },
  });
  expect(other?.worst?.label).toMatch(/mtu|packet/i);
});

test('one that did not come to its end is no PASS, for the run or for one machine', () => {
  record(10, { state: 'aborted', rows: [line('speed', 'ok')] });
  expect(newestPreflights(root)).toMatchObject([{ verdict: 'INVALID', isWhole: false, worst: null }]);
  const missing = { ...missingRow('render-1', 'render-1', at, 'its agent ended'), index: 1 };
  record(11, { machines: [render], rows: [line('speed', 'ok', 'render-1'), missing] });
  expect(newestPreflights(root)[0]).toMatchObject({
    ...{ machineId: render.id, verdict: 'INVALID' },
    worst: { found: 'the measurement of render-1 did not finish: its agent ended' },
  });
});

test('a machine that is not known by its agent, and another console, are not taken for ours', () => {
  record(10, { rows: [line('speed', 'ok', 'render-1')] });
  record(11, { host: 'another-console', rows: [line('speed', 'ok')] });
  record(12, { experiment: 'quiet', machines: [render], rows: [line('speed', 'ok', 'render-1')] });
  expect(newestPreflights(root)).toEqual([]);
});
