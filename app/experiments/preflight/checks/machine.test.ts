import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGovernors, readPowerPlan } from '../../../engine/machine/power';
import { temporaryFolder } from '../../../testing/temporary-folder';
import type { Line } from '../line';
import { worded } from '../worded-line.fixture';
import { judgeClock } from './clock';
import { type DiskFacts, judgeDisk, parseDd } from './disk-rate';
import { judgeGovernors, judgePlan, orMeasured } from './power';
import { judgeBuffers, readBuffers } from './socket-buffers';

const folder = temporaryFolder();

/** Files of the system as this machine may not have them. */
function systemFiles(name: string, files: Record<string, string>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}

test('limits of socket buffers are read, and small ones are warned of with the command that raises them', () => {
  const small = systemFiles('small', { rmem_max: '212992', wmem_max: '4194304' });
  expect(worded(judgeBuffers(readBuffers(small)))).toMatchObject({
    ...{ state: 'warning', command: 'sysctl -w net.core.rmem_max=2097152' },
  });
  const both = systemFiles('both', { rmem_max: '212992', wmem_max: '212992' });
  expect(worded(judgeBuffers(readBuffers(both))).command).toContain('net.core.wmem_max=2097152');
  const large = systemFiles('large', { rmem_max: '33554432', wmem_max: '33554432' });
  expect(judgeBuffers(readBuffers(large)).state).toBe('ok');
  expect(judgeBuffers(readBuffers(join(folder, 'absent'))).state).toBe('unknown');
});

test('governors of all processors are read, each once, and slow ones are warned of', () => {
  const mixed = systemFiles('cpus', {
    'cpu0/cpufreq/scaling_governor': 'powersave',
    'cpu1/cpufreq/scaling_governor': 'performance',
    'cpu2/cpufreq/scaling_governor': 'powersave',
    'cpufreq/other': 'nonsense',
  });
  expect(readGovernors(mixed)).toEqual(['performance', 'powersave']);
  expect(worded(judgeGovernors(readGovernors(mixed)))).toMatchObject({
    state: 'warning',
    command: 'cpupower frequency-set --governor performance',
  });
  expect(judgeGovernors(['performance']).state).toBe('ok');
  expect(judgeGovernors(['schedutil']).state).toBe('ok');
  expect(() => readGovernors(join(folder, 'absent'))).toThrow(/does not set the processors’ frequency/);
});

test.each<[string, Line['state']]>([
  ['performance', 'ok'],
  ['balanced-performance', 'ok'],
  ['balanced', 'warning'],
  ['low-power', 'problem'],
  ['quiet', 'problem'],
])('a power plan of %s is %s', (plan, state) => {
  const root = systemFiles(`plan-${plan}`, { profile: plan });
  expect(judgePlan(readPowerPlan(join(root, 'profile'))).state).toBe(state);
});

test('no power plan is a reason, not a plan', () => {
  expect(() => readPowerPlan(join(folder, 'absent'))).toThrow(/offers no power plans/);
});

test('what the system does not report of its power is unknown, and can be measured', () => {
  expect(worded(orMeasured(() => judgePlan(readPowerPlan(join(folder, 'absent')))))).toMatchObject({
    ...{ state: 'unknown', found: expect.stringMatching(/no power plans/), command: 'whiteline run quiet' },
  });
  expect(() =>
    orMeasured(() => {
      throw new TypeError('broken');
    }),
  ).toThrow('broken');
});

test('a clock is ok, a warning or unknown, never a problem', () => {
  const clock = { by: 'NTP (chrony)', offsetUs: -12, detail: 'stratum 3' };
  expect(worded(judgeClock({ ...clock, state: 'synchronised' }))).toMatchObject({
    ...{ state: 'ok', found: 'synchronised by NTP (chrony), 12 µs behind (stratum 3)' },
  });
  expect(judgeClock({ ...clock, state: 'not synchronised' }).state).toBe('warning');
  expect(judgeClock({ state: 'unknown', by: '', offsetUs: null, detail: 'no one' }).state).toBe('unknown');
});

const disk: DiskFacts = {
  movie: 'clip.mov',
  neededMBps: 100,
  measuredMBps: 500,
  bytes: 1e8,
  isDirect: true,
};

test.each<[Partial<DiskFacts>, Line['state'], RegExp]>([
  [{}, 'ok', /500 MB\/s and needs 100.0 MB\/s: enough for 5 such sources/],
  [{ measuredMBps: 120 }, 'warning', /leaves little/],
  [{ measuredMBps: 80 }, 'problem', /80 MB\/s/],
  [{ measuredMBps: 80, isDirect: false }, 'problem', /80 MB\/s/],
  [{ isDirect: false }, 'unknown', /perhaps from memory/],
])('a disk of %j is %s', (facts, state, found) => {
  const line = worded(judgeDisk({ ...disk, ...facts }));
  expect({ state: line.state, found: line.found }).toEqual({ state, found: expect.stringMatching(found) });
});

test('what dd wrote is read; anything else is refused', () => {
  const text =
    '3+1 records in\n3+1 records out\n3502080 bytes (3.5 MB, 3.3 MiB) copied, 0.00210 s, 1.7 GB/s\n';
  expect(parseDd(text)).toEqual({ bytes: 3_502_080, seconds: 0.0021 });
  expect(() => parseDd('dd: failed to open')).toThrow(/dd said "dd: failed to open"/);
});
