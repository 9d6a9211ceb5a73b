import { expect, test, vi } from 'vitest';
import { readSamples } from '../../app/engine/sessions/read-run';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { readNamedRun, type TableRow, tableRowsOf } from '../../app/testing/named-rows';
import { fleetScene } from './fleet-scene';

// The link between machines of a fleet, each with network, host name and clock of its own. Real nats-server, real iperf3.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });

function link(to: string, ...words: string[]): WhitelineCommand {
  const short = ['--repeats', '1', '--hold', '2s', '--pings', '2', '--protocols', 'tcp'];
  return scene.whiteline('run', 'link', ...short, '--line-rate-mbps', '20', '--out', to, ...words);
}

function rowsOf(to: string): TableRow[] {
  return tableRowsOf(readNamedRun(to).rows);
}

/** On both machines. */
function iperfs(words = 'iperf3'): number[] {
  return Object.values(scene.agents).flatMap((agent) => agent.processes(words));
}

/** What `render-1` sends is held to 20 Mb/s. */
async function readAsItIs(sendOn: string, receiveOn: string, direction: string): Promise<void> {
  const machine = scene.site.agents['render-1'];
  const tbf = ['tbf', 'rate', '20mbit', 'burst', '16kb', 'latency', '50ms'];
  machine.run('tc', 'qdisc', 'replace', 'dev', machine.device, 'root', ...tbf);
  const to = scene.out(`${sendOn} ${receiveOn}`);
  const { output, errors } = await link(
    to,
    ...['--send-on', sendOn, '--receive-on', receiveOn, '--directions', direction],
  ).ended;
  expect(output).toContain(`between ${sendOn} and ${receiveOn}`);
  const [ping, tcp] = rowsOf(to);
  expect(ping?.label, `${errors} ${ping?.reason}`).toBe(
    `${sendOn} with ${receiveOn}: ping over the idle link`,
  );
  expect(ping?.values['link.rttMs']).toBeGreaterThan(0);
  const throughputMbps = Number(tcp?.values['link.throughputMbps']);
  // A share of 1448 in 1514 bytes of each packet is payload; what waits for the link before the two seconds may come in them.
  expect(throughputMbps, tcp?.reason).toBeGreaterThan(18);
  expect(throughputMbps).toBeLessThan((20 * (1 + 0.05 / 2) * 1448) / 1514);
  expect(tcp?.verdict).toBe('PASS');
  expect(tcp?.details.ends).toMatchObject({ caller: { machine: sendOn }, server: { machine: receiveOn } });
  const agents = [sendOn, receiveOn].filter((name) => name !== 'this machine');
  for (const name of agents) expect(readSamples(to).some(({ host }) => host === name)).toBe(true);
  expect(iperfs()).toEqual([]);
}

test.each([
  ['this machine', 'render-1', 'receive'],
  ['render-1', 'this machine', 'send'],
])('20 Mb/s between %s and %s are read as they are', readAsItIs);

test('20 Mb/s between two other machines are read as they are', { tags: ['machine'] }, () =>
  readAsItIs('render-1', 'display-1', 'send'),
);

const pair = ['--send-on', 'render-1', '--receive-on', 'display-1'];

test('a console that is killed: no iperf3 is left when its leases end', { tags: ['machine'] }, async () => {
  const run = link(scene.out('console'), ...pair, '--hold', '60s');
  await vi.waitFor(() => expect(iperfs('iperf3 -J')).toHaveLength(1), { timeout: 60_000 });
  expect(iperfs('iperf3 -s')).toHaveLength(1);
  run.signal('SIGKILL');
  await vi.waitFor(() => expect(iperfs()).toEqual([]), { timeout: 8000 });
});

test('a server’s agent that is killed: rows so far, one that is INVALID by its name, and no iperf3', {
  tags: ['machine'],
}, async () => {
  const to = scene.out('killed');
  const run = link(to, ...pair, '--hold', '60s');
  await vi.waitFor(() => expect(rowsOf(to)).toHaveLength(1), { timeout: 120_000 });
  await vi.waitFor(() => expect(iperfs('iperf3 -J')).toHaveLength(1), { timeout: 30_000 });
  scene.agents['display-1'].signal('SIGKILL');
  const { exitCode } = await run.ended;
  expect(exitCode).toBe(exitCodes.invalid);
  expect(rowsOf(to)[0]?.label).toContain('ping');
  expect(rowsOf(to).at(-1)).toMatchObject({ verdict: 'INVALID' });
  expect(rowsOf(to).at(-1)?.reason).toMatch(/^display-1 was not measured to its end: /);
  await vi.waitFor(() => expect(iperfs()).toEqual([]), { timeout: 8000 });
});
