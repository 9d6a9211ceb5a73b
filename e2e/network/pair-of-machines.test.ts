import { expect, test } from 'vitest';
import { readRun, readSamples } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import { readNamedRun, tableRowsOf } from '../../app/testing/named-rows';
import { fleetScene } from './fleet-scene';

// What one machine sends to another one: pacing and link. Real nats-server, pacers and iperf3.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });

/** Every hundredth packet from `render-1` is thrown away where it arrives. Returns how many came there, those among them. */
function dropOneInHundred(): () => number {
  const nft = (...words: string[]): string => scene.site.agents['display-1'].run('nft', ...words);
  const table = ['ip', 'whiteline_pacing'];
  nft('add', 'table', ...table);
  nft('add', 'chain', ...table, 'in', '{ type filter hook prerouting priority -500 ; }');
  const fromRender = ['ip', 'saddr', '10.83.0.2', 'udp', 'dport', '!=', '5353'];
  nft('add', 'rule', ...table, 'in', ...fromRender, 'counter');
  nft('add', 'rule', ...table, 'in', ...fromRender, 'numgen', 'inc', 'mod', '100', '7', 'drop');
  return () => Number(/counter packets (\d+)/.exec(nft('list', 'table', ...table))?.[1]);
}

test('what the network drops is lost, each by its number, all else comes, and what needs one clock is not measured', async () => {
  const countCame = dropOneInHundred();
  const to = scene.out('pacing');
  const { output, errors, exitCode } = await scene.whiteline(
    ...['run', 'pacing', '--send-on', 'render-1', '--receive-on', 'display-1', '--interval-us', '1000'],
    ...['--methods', 'timer', 'txtime', '--hold', '1s', '--out', to],
  ).ended;
  const came = countCame();
  expect(errors).not.toMatch(/ended|given up|was killed/);
  expect(output).toContain('UDP from render-1 to display-1');
  const { rows, state, environment } = readRun(to);
  expect(state).toBe('finished');
  expect(environment).toMatchObject({ topology: 'sender on render-1, receiver on display-1' });
  const [timer, txtime] = rows;
  if (!timer || !txtime) throw new Error('There are such rows');
  // The rule counts on from the packets of the trial.
  expect(came).toBe(50 + 1000);
  const first = (107 - 50) % 100;
  const lost = Array.from({ length: 10 }, (_, index) => first + 100 * index);
  expect(timer.figures).toMatchObject({ 'pacing.packetsSent': 1000, 'pacing.packetsLost': lost.length });
  expect(timer.details).toMatchObject({ lostRanges: lost.flatMap((one) => [one, one]) });
  expect(['FAIL', 'INVALID']).toContain(timer.verdict);
  expect(exitCode).not.toBe(exitCodes.pass);
  expect(numberOf(timer, 'pacing.interval.meanNs')).toBeCloseTo(1e6, -5);
  expect(figureOf(timer, 'pacing.path')).toBe('UDP between two machines');
  expect(timer.notMeasured['pacing.packetsLate']).toContain('no common clock');
  expect(wordsOf(timer.reason)).not.toContain('in time');
  expect(Object.keys(timer.load).sort()).toEqual(['display-1', 'render-1']);
  expect(new Set(readSamples(to).map(({ machine }) => machine)).size).toBe(3);
  expect(txtime.notMeasured['pacing.packetsSent']).toContain('launch times need raw frames');
});

/** What `render-1` sends is held to 20 Mb/s. */
async function readAsItIs(sendOn: string, receiveOn: string, direction: string): Promise<void> {
  const machine = scene.site.agents['render-1'];
  const tbf = ['tbf', 'rate', '20mbit', 'burst', '16kb', 'latency', '50ms'];
  machine.run('tc', 'qdisc', 'replace', 'dev', machine.device, 'root', ...tbf);
  const to = scene.out(`${sendOn} ${receiveOn}`);
  const { output, errors } = await scene.whiteline(
    ...['run', 'link', '--send-on', sendOn, '--receive-on', receiveOn, '--directions', direction],
    ...['--repeats', '1', '--hold', '2s', '--pings', '2', '--protocols', 'tcp', '--line-rate-mbps', '20'],
    ...['--out', to],
  ).ended;
  expect(output).toContain(`between ${sendOn} and ${receiveOn}`);
  const [ping, tcp] = tableRowsOf(readNamedRun(to).rows);
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
  expect(Object.values(scene.agents).flatMap((agent) => agent.processes('iperf3'))).toEqual([]);
}

test.each([
  ['this machine', 'render-1', 'receive'],
  ['render-1', 'this machine', 'send'],
])('20 Mb/s between %s and %s are read as they are', readAsItIs);

test('20 Mb/s between two other machines are read as they are', { tags: ['machine'] }, () =>
  readAsItIs('render-1', 'display-1', 'send'),
);
