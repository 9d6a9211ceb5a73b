import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readRun, readSamples } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { FleetHere } from '../../app/testing/fleet-here';
import { outputPaths, temporaryFolder } from '../../app/testing/temporary-folder';
import { withoutBus } from './network';
import { consoleAddress, SiteNetwork } from './site-network';

// Packets from one machine to another one, each with network, host name and clock of its own. Real nats-server, real pacers.

const folder = temporaryFolder();
const out = outputPaths(folder);

let site: SiteNetwork;
let fleet: FleetHere;
let render: WhitelineCommand;
beforeAll(async () => {
  site = await SiteNetwork.create();
  const { inside } = site.console;
  fleet = new FleetHere(folder, { address: consoleAddress, inside, environment: withoutBus });
  await fleet.startServer();
  render = await fleet.startAgent('render-1', site.inside('render-1'));
  await fleet.startAgent('display-1', site.inside('display-1'));
});
afterAll(() => {
  fleet.close();
  site.close();
});

function pacing(to: string, ...words: string[]): WhitelineCommand {
  return fleet.whiteline([
    ...['run', 'pacing', '--send-on', 'render-1', '--receive-on', 'display-1', '--interval-us', '1000'],
    ...['--out', to, ...words],
  ]);
}

test('what is sent comes, its intervals are those of the receiver, and what needs one clock is not measured', async () => {
  const to = out('between');
  const { output, errors } = await pacing(to, '--methods', 'timer', 'txtime', '--hold', '3s').ended;
  expect(errors).not.toMatch(/ended|given up|was killed/);
  expect(output).toContain('UDP from render-1 to display-1');
  const { rows, state, environment } = readRun(to);
  expect(state).toBe('finished');
  expect(environment).toMatchObject({ topology: 'sender on render-1, receiver on display-1' });
  const [timer, txtime] = rows;
  if (!timer || !txtime) throw new Error('There are such rows');
  expect(numberOf(timer, 'pacing.packetsSent')).toBe(3000);
  expect(numberOf(timer, 'pacing.packetsLost')).toBe(0);
  expect(numberOf(timer, 'pacing.interval.meanNs')).toBeCloseTo(1e6, -5);
  expect(figureOf(timer, 'pacing.path')).toBe('UDP between two machines');
  expect(timer.notMeasured['pacing.packetsLate']).toContain('no common clock');
  expect(wordsOf(timer.reason)).not.toContain('in time');
  expect(Object.keys(timer.load).sort()).toEqual(['display-1', 'render-1']);
  expect(new Set(readSamples(to).map(({ machine }) => machine)).size).toBe(3);
  expect(txtime.notMeasured['pacing.packetsSent']).toContain('launch times need raw frames');
});

test('what the network drops is lost, each by its number, and nothing else', async () => {
  const to = out('dropped');
  const table = ['ip', 'whiteline_pacing'];
  const nft = (...words: string[]): string => site.agents['display-1'].run('nft', ...words);
  nft('add', 'table', ...table);
  nft('add', 'chain', ...table, 'in', '{ type filter hook prerouting priority -500 ; }');
  const fromRender = ['ip', 'saddr', '10.83.0.2', 'udp', 'dport', '!=', '5353'];
  nft('add', 'rule', ...table, 'in', ...fromRender, 'counter');
  nft('add', 'rule', ...table, 'in', ...fromRender, 'numgen', 'inc', 'mod', '100', '7', 'drop');
  const { exitCode } = await pacing(to, '--methods', 'timer', '--hold', '1s').ended;
  const came = Number(/counter packets (\d+)/.exec(nft('list', 'table', ...table))?.[1]);
  nft('delete', 'table', ...table);
  const [timer] = readRun(to).rows;
  // The rule counts on from the packets of the trial.
  const first = (107 - ((came - 1000) % 100)) % 100;
  const lost = Array.from({ length: 10 }, (_, index) => first + 100 * index);
  expect(timer?.figures).toMatchObject({ 'pacing.packetsSent': 1000, 'pacing.packetsLost': lost.length });
  expect(timer?.details).toMatchObject({ lostRanges: lost.flatMap((one) => [one, one]) });
  expect(came).toBe(1050);
  expect(timer?.verdict === 'FAIL' || timer?.verdict === 'INVALID').toBe(true);
  expect(exitCode).not.toBe(exitCodes.pass);
});

test('an agent that is killed: its row is INVALID by its name, the row before is kept', async () => {
  const to = out('killed');
  const run = pacing(to, '--methods', 'timer', '--repeats', '2', '--hold', '4s');
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/2 of 2/), { timeout: 60_000 });
  render.signal('SIGKILL');
  const { exitCode } = await run.ended;
  const { rows, state } = readRun(to);
  expect(state).toBe('finished');
  expect(rows).toHaveLength(2);
  expect(rows[0]?.figures).toMatchObject({ 'pacing.packetsSent': 4000 });
  expect(rows[1]?.verdict).toBe('INVALID');
  expect(wordsOf(rows[1]?.reason ?? [])).toContain('on render-1');
  expect(exitCode).toBe(exitCodes.invalid);
  await vi.waitFor(() => expect(render.processes('whiteline-pacer')).toEqual([]), { timeout: 10_000 });
});
