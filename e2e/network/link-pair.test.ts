import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readEvents, readSamples } from '../../app/engine/sessions/read-run';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { FleetHere } from '../../app/testing/fleet-here';
import { readNamedRun, type TableRow, tableRowsOf } from '../../app/testing/named-rows';
import { outputPaths, temporaryFolder } from '../../app/testing/temporary-folder';
import { withoutBus } from './network';
import { type AgentName, consoleAddress, SiteNetwork } from './site-network';

// The link between machines of a fleet, each with network, host name and clock of its own. Real nats-server, real iperf3.

const folder = temporaryFolder();
const out = outputPaths(folder);

let site: SiteNetwork;
let fleet: FleetHere;
let render: WhitelineCommand;
let display: WhitelineCommand;
beforeAll(async () => {
  site = await SiteNetwork.create();
  const { inside } = site.console;
  fleet = new FleetHere(folder, { address: consoleAddress, inside, environment: withoutBus });
  await fleet.startServer();
  render = await fleet.startAgent('render-1', site.inside('render-1'));
  display = await fleet.startAgent('display-1', site.inside('display-1'));
});
afterAll(() => {
  fleet.close();
  site.close();
});

function link(to: string, ...words: string[]): WhitelineCommand {
  const short = ['--repeats', '1', '--hold', '2s', '--pings', '2', '--protocols', 'tcp'];
  return fleet.whiteline(['run', 'link', ...short, '--line-rate-mbps', '20', '--out', to, ...words]);
}

/** What a machine sends is held to 20 Mb/s. */
function limit(name: AgentName): void {
  const machine = site.agents[name];
  const tbf = ['tbf', 'rate', '20mbit', 'burst', '16kb', 'latency', '50ms'];
  machine.run('tc', 'qdisc', 'replace', 'dev', machine.device, 'root', ...tbf);
}

function rowsOf(to: string): TableRow[] {
  return tableRowsOf(readNamedRun(to).rows);
}

const pair = ['--send-on', 'render-1', '--receive-on', 'display-1'];
const isServing = (): boolean => display.processes('iperf3 -s').length > 0;

test.each([
  ['render-1', 'display-1', 'send'],
  ['this machine', 'render-1', 'receive'],
  ['render-1', 'this machine', 'send'],
])('20 Mb/s between %s and %s are read as they are', async (sendOn, receiveOn, direction) => {
  limit('render-1');
  const to = out(`${sendOn} ${receiveOn}`);
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
  expect([...render.processes('iperf3'), ...display.processes('iperf3')]).toEqual([]);
});

test.each([
  [[...pair, '--host', '10.83.0.3'], 'Expected no host beside machines of the fleet'],
  [[...pair, '--port', '5201'], 'Expected no host beside machines of the fleet'],
  [['--send-on', 'render-1', '--receive-on', 'render-1'], 'another machine than that which sends'],
  [['--receive-on', 'render-1,display-1'], 'Expected one machine for --receive-on'],
])('%j is refused, with what to do', async (words, message) => {
  const { errors, exitCode } = await link(out('refused'), ...words).ended;
  expect(errors).toContain(message);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('a console that is killed: no iperf3 is left when its leases end', async () => {
  const run = link(out('console'), ...pair, '--hold', '60s');
  await vi.waitFor(() => expect(render.processes('iperf3 -J').length).toBeGreaterThan(0), {
    timeout: 60_000,
  });
  expect(isServing()).toBe(true);
  run.signal('SIGKILL');
  const left = (): number[] => [...render.processes('iperf3'), ...display.processes('iperf3')];
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 8000 });
});

test('a server’s agent that is killed: rows so far, one that is INVALID by its name, and no iperf3', async () => {
  const to = out('killed');
  const run = link(to, ...pair, '--hold', '60s');
  await vi.waitFor(() => expect(rowsOf(to)).toHaveLength(1), { timeout: 120_000 });
  await vi.waitFor(() => expect(render.processes('iperf3 -J').length).toBeGreaterThan(0), {
    timeout: 30_000,
  });
  display.signal('SIGKILL');
  const { exitCode } = await run.ended;
  expect(exitCode).toBe(exitCodes.invalid);
  expect(rowsOf(to)[0]?.label).toContain('ping');
  expect(rowsOf(to).at(-1)).toMatchObject({ verdict: 'INVALID' });
  expect(rowsOf(to).at(-1)?.reason).toMatch(/^display-1 was not measured to its end: /);
  await vi.waitFor(() => expect(render.processes('iperf3')).toEqual([]), { timeout: 8000 });
  expect(isServing()).toBe(false);
});

test('iperf3 missing on the machine of the server: the run is refused by its name, and nothing is started', async () => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const name of ['setpriv', 'sh', 'ip']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  const inside = [...site.inside('display-1'), '/usr/bin/env', `PATH=${programs}`];
  display = await fleet.runAgent('display-1', join(folder, 'logs'), inside);
  const to = out('missing');
  const { errors, exitCode } = await link(to, ...pair).ended;
  expect(errors).toContain('display-1: iperf3 is not installed, or not in PATH. Install it');
  expect(exitCode).toBe(exitCodes.environment);
  expect(rowsOf(to)).toEqual([]);
  expect(readEvents(to).some(({ kind }) => kind === 'machine-prepared')).toBe(false);
});
