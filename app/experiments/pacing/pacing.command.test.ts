import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { wordsOf } from '../../facts/reason-words';
import type { Row } from '../../facts/row';
import { figureOf, numberOf } from '../../facts/row-figures';
import { exitCodes } from '../../protocol/errors';
import { WhitelineCommand } from '../../testing/command';
import { whiteline } from '../../testing/command-here';
import { withoutStatus } from '../../testing/status-lines';
import { temporaryFolder } from '../../testing/temporary-folder';
import { pacingMetrics } from './metrics';

const folder = temporaryFolder();

test.each([
  [
    'own namespaces',
    [],
    'two interfaces in memory (veth), no wire',
    /^interfaces in memory keep no launch times: .* ETF queue \(--interface\)$/,
  ],
  [
    'loopback',
    ['--path', 'udp'],
    'UDP over loopback, no wire',
    /^launch times need raw frames between two interfaces$/,
  ],
])(
  '%s: no packet is lost, each figure is known or says why not',
  { tags: 'machine' },
  async (name, flags, path, whyNot) => {
    const out = join(folder, name);
    const given = ['--methods', 'timer', 'txtime', 'burst', '--hold', '500ms', '--raw-log', ...flags];
    const { errors, output } = await new WhitelineCommand(['run', 'pacing', ...given, '--out', out]).ended;
    expect(withoutStatus(errors)).toBe('');
    expect(output).toContain('6 samples in 48 bytes every 125 µs');
    const { rows, state } = readRun(out);
    expect(state).toBe('finished');
    expect(rows.map(({ label }) => label)).toEqual(['timer', 'txtime', 'burst, 80 packets per wake-up']);
    const [timer, txtime, burst] = rows;
    if (!timer || !txtime || !burst) throw new Error('There are such rows');
    for (const row of [timer, burst]) {
      expect(numberOf(row, 'pacing.packetsSent')).toBe(4000);
      expect(numberOf(row, 'pacing.packetsLost')).toBe(0);
      expect(figureOf(row, 'pacing.path')).toBe(path);
      for (const { id } of pacingMetrics)
        expect(row.notMeasured[id] === undefined, `${row.label}: ${id}`).toBe(figureOf(row, id) !== null);
      const log = readFileSync(join(out, String(row.details?.rawLog)), 'utf8');
      expect(log.trim().split('\n')).toHaveLength(4001);
    }
    const { early, wokenLate } = earlyByStamps(out, burst);
    expect(numberOf(burst, 'pacing.packetsEarly')).toBe(early);
    // All but the first two of each 80, and as many fewer as a burst is woken up late.
    expect(early + wokenLate).toBeGreaterThan(3000);
    expect(burst.verdict).not.toBe('PASS');
    expect(wordsOf(burst.reason)).toMatch(
      /of 4000 packets arrived more than one interval early, the earliest 9\d{6} ns/,
    );
    expect(numberOf(timer, 'pacing.packetsEarly')).toBe(0);
    expect(numberOf(burst, 'pacing.wakeUpsPerSecond')).toBeLessThanOrEqual(100);
    expect(txtime.verdict).toBe('WARN');
    expect(txtime.notMeasured['pacing.interval.sdNs']).toMatch(whyNot);
  },
);

/** Packets that came more than one interval before their time; and intervals by which bursts of 80 began after theirs. */
function earlyByStamps(out: string, { details }: Row): { early: number; wokenLate: number } {
  const [, ...lines] = readFileSync(join(out, String(details?.rawLog)), 'utf8')
    .trim()
    .split('\n');
  const lateness = lines.map((line) => {
    const [packet = Number.NaN, stampNs = Number.NaN] = line.split(',').map(Number);
    return { packet, intervals: (stampNs - Number(details?.startNs)) / 125_000 - packet };
  });
  const firsts = lateness.filter(({ packet }) => packet % 80 === 0);
  return {
    early: lateness.filter(({ intervals }) => intervals < -1).length,
    wokenLate: firsts.reduce((sum, { intervals }) => sum + Math.max(0, intervals), 0),
  };
}

/** Before a command: two interfaces joined by a cable in memory, in a namespace of its own. */
function withCable(setUp: string): string[] {
  const cable = 'ip link add name wla0 type veth peer name wlb0';
  return ['unshare', '--net', 'sh', '-c', `${cable} && ${setUp} && exec "$@"`, 'sh'];
}

const bothUp = 'ip link set wla0 up && ip link set wlb0 up';
const overCable = [
  '--interface',
  'wla0',
  '--peer-interface',
  'wlb0',
  '--methods',
  'burst',
  '--hold',
  '500ms',
];

test('between two interfaces that are named', async () => {
  const out = join(folder, 'interfaces');
  const given = ['run', 'pacing', ...overCable, '--vlan-id', '7', '--out', out];
  const { output, errors } = await new WhitelineCommand(given, {}, withCable(bothUp)).ended;
  expect(withoutStatus(errors)).toBe('');
  expect(output).toContain('wla0 to wlb0');
  const [row] = readRun(out).rows;
  if (!row) throw new Error('There is a row');
  expect(numberOf(row, 'pacing.packetsSent')).toBe(4000);
  expect(numberOf(row, 'pacing.packetsLost')).toBe(0);
});

test.each([
  ['ip link set wlb0 up', [], /an interface that is up for --interface .* wla0. ip link set wla0 up/],
  ['ip link set wla0 up', [], /an interface with a link for --interface .* wla0/],
  [
    bothUp,
    ['--beside', 'stream-load'],
    /nothing beside packets between two interfaces that are named for --beside/,
  ],
  [bothUp, ['--channels', '64', '--bits', '32'], /an MTU of 1560 bytes at least \(it has 1500\)/],
])('%s %j: is refused before anything runs', async (setUp, flags, words) => {
  const given = ['run', 'pacing', ...overCable, ...flags, '--out', join(folder, 'refused')];
  const { exitCode, errors } = await new WhitelineCommand(given, {}, withCable(setUp)).ended;
  expect(errors).toMatch(words);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('a command that is killed leaves no process behind', async () => {
  const out = join(folder, 'killed');
  const given = ['--methods', 'timer', '--hold', '10m', '--out', out];
  const command = new WhitelineCommand(['run', 'pacing', ...given]);
  await command.hasStarted('whiteline-pacer', 2);
  command.signal('SIGKILL');
  await command.leavesNothingBehind();
});

test('a command that is stopped keeps what it has measured', async () => {
  const out = join(folder, 'stopped');
  const given = ['--methods', 'timer', '--raw-log', '--out', out];
  const command = new WhitelineCommand(['run', 'pacing', ...given]);
  await command.hasStarted('whiteline-pacer', 2);
  await vi.waitFor(() => expect(statSync(join(out, 'stamps-1.csv')).size).toBeGreaterThan(0), 60_000);
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const { state, verdict, rows } = readRun(out);
  expect([state, verdict]).toEqual(['aborted', null]);
  const [row] = rows;
  if (!row) throw new Error('There is a row');
  const sent = numberOf(row, 'pacing.packetsSent') ?? 0;
  expect(sent).toBeGreaterThan(0);
  expect(numberOf(row, 'pacing.packetsLost')).toBe(0);
  expect(numberOf(row, 'measuredSeconds')).toBeCloseTo(sent / 8000);
  await command.leavesNothingBehind();
});

test.each([
  [['--interface', 'wl-missing', '--peer-interface', 'lo'], /a network interface .*interface.* wl-missing/i],
  [['--interface', 'lo', '--peer-interface', 'wl0'], /an Ethernet interface .*interface.* lo/i],
  [['--interface', 'wl0'], /Expected both ends or neither for --peer-interface but received nothing/],
  [['--listen-interface', 'wl-missing'], /a network interface .*listen-interface.* wl-missing/i],
  [['--rate-hz', '44100'], /whole number of samples in each 125 µs .*rate-hz.* 44100.*8000, 16000/is],
  [['--interval-us', '1'], /interval-us.*1/s],
  [['--bits', '20'], /bits.*20/s],
])('%j is refused before anything runs', async (flags, words) => {
  const out = join(folder, 'refused');
  const { exitCode, errors } = await whiteline('run', 'pacing', ...flags, '--out', out);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(words);
  expect(existsSync(out)).toBe(false);
});
