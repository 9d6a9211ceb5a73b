import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
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
const agents = new Map<AgentName, WhitelineCommand>();
beforeAll(async () => {
  site = await SiteNetwork.create();
  const { inside } = site.console;
  fleet = new FleetHere(folder, { address: consoleAddress, inside, environment: withoutBus });
  await fleet.startServer();
  for (const name of ['render-1', 'display-1'] as const)
    agents.set(name, await fleet.startAgent(name, site.inside(name)));
});
afterAll(() => {
  fleet.close();
  site.close();
});

function link(to: string, ...words: string[]): WhitelineCommand {
  const short = ['--repeats', '1', '--hold', '2s', '--pings', '3', '--protocols', 'tcp'];
  return fleet.whiteline(['run', 'link', ...short, '--line-rate-mbps', '20', '--out', to, ...words]);
}

/** What a machine sends is held to 20 Mb/s. */
function limit(name: AgentName): void {
  const machine = site.agents[name];
  const tbf = ['tbf', 'rate', '20mbit', 'burst', '16kb', 'latency', '50ms'];
  machine.run('tc', 'qdisc', 'replace', 'dev', machine.device, 'root', ...tbf);
}
afterEach(() => {
  for (const machine of Object.values(site.agents))
    machine.run('sh', '-c', `tc qdisc del dev ${machine.device} root 2>/dev/null || true`);
});

const rowsOf = (to: string): TableRow[] => tableRowsOf(readNamedRun(to).rows);
const mbpsOf = (row: TableRow | undefined): number => Number(row?.values['link.throughputMbps']);

test.each([
  ['two agents', 'render-1', 'display-1'],
  ['this machine and an agent', 'this machine', 'display-1'],
  ['an agent and this machine', 'render-1', 'this machine'],
])('20 Mb/s between %s is read as it is', async (what, sendOn, receiveOn) => {
  const to = out(what);
  const agent = sendOn === 'render-1' ? 'render-1' : 'display-1';
  const direction = sendOn === 'render-1' ? 'send' : 'receive';
  limit(agent);
  const { output, errors } = await link(
    to,
    ...['--send-on', sendOn, '--receive-on', receiveOn, '--directions', direction],
  ).ended;
  expect(output + errors).toContain(`between ${sendOn} and ${receiveOn}`);
  const [ping, tcp] = rowsOf(to);
  expect(ping?.label).toBe(`${sendOn} with ${receiveOn}: ping over the idle link`);
  expect(mbpsOf(tcp), JSON.stringify(tcp)).toBeGreaterThan(18);
  expect(mbpsOf(tcp)).toBeLessThan(20);
  console.log(output, errors, JSON.stringify(rowsOf(to).map(({ label, verdict, reason }) => [label, verdict, reason])));
  console.log(readFileSync(join(to, 'rows.jsonl'), 'utf8').slice(0, 3000), readEvents(to).map((e) => e.text));
  expect(readSamples(to).some(({ host }) => host === receiveOn || host === sendOn)).toBe(true);
});
