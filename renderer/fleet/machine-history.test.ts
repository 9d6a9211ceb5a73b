import { expect, test } from 'vitest';
import { type MachineFigures, packedNow } from '../../app/protocol/fleet/fleet-view';
import { pathOf } from './history-path';
import { keptLooks, MachineHistory } from './machine-history';

function figures(cpuPercent: number): MachineFigures {
  return { cpuPercent, gpuPercent: null, receiveMbps: null, transmitMbps: null };
}

function machines(...all: [id: string, cpuPercent: number | null][]): Parameters<MachineHistory['add']> {
  const places = new Map(all.map(([id], at) => [id, at]));
  const nows = all.map(([, cpu]) => ({ silentSeconds: 0, figures: cpu === null ? null : figures(cpu) }));
  return [places, packedNow(nows)];
}

test('the newest minute of each machine, with a gap for a look in which it was not heard', () => {
  const history = new MachineHistory();
  for (let look = 1; look <= keptLooks + 5; look++)
    history.add(...machines(['a', look === 64 ? null : look]));
  const cpu = history.of('a').map((look) => look?.cpuPercent ?? null);
  expect(cpu).toHaveLength(keptLooks);
  expect([cpu[0], cpu.at(-2), cpu.at(-1)]).toEqual([6, null, 65]);
  expect(history.of('b')).toEqual([]);
  // One that left the fleet and comes back begins anew.
  history.add(...machines(['b', 1]));
  history.add(...machines(['a', 2]));
  expect(history.of('a')).toEqual([figures(2)]);
});

test('a line ends at the right edge, and has gaps where no value came', () => {
  expect(pathOf([0, 50, null, 100], 100)).toBe('M56 100.0h0L57 50.0M59 0.0h0');
  expect(pathOf([null], 100)).toBe('');
});
