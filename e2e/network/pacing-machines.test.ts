import { expect, test, vi } from 'vitest';
import { readRun, readSamples } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { fleetScene } from './fleet-scene';

// Packets from one machine to another one, each with network, host name and clock of its own. Real nats-server, real pacers.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });

function pacing(to: string, ...words: string[]): WhitelineCommand {
  return scene.whiteline(
    ...['run', 'pacing', '--send-on', 'render-1', '--receive-on', 'display-1', '--interval-us', '1000'],
    ...['--out', to, ...words],
  );
}

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
  const to = scene.out('between');
  const { output, errors, exitCode } = await pacing(to, '--methods', 'timer', 'txtime', '--hold', '2s').ended;
  const came = countCame();
  expect(errors).not.toMatch(/ended|given up|was killed/);
  expect(output).toContain('UDP from render-1 to display-1');
  const { rows, state, environment } = readRun(to);
  expect(state).toBe('finished');
  expect(environment).toMatchObject({ topology: 'sender on render-1, receiver on display-1' });
  const [timer, txtime] = rows;
  if (!timer || !txtime) throw new Error('There are such rows');
  // The rule counts on from the packets of the trial.
  expect(came).toBe(50 + 2000);
  const first = (107 - 50) % 100;
  const lost = Array.from({ length: 20 }, (_, index) => first + 100 * index);
  expect(timer.figures).toMatchObject({ 'pacing.packetsSent': 2000, 'pacing.packetsLost': lost.length });
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

test('an agent that is killed: its row is INVALID by its name, the row before is kept', {
  tags: ['machine'],
}, async () => {
  const to = scene.out('killed');
  const run = pacing(to, '--methods', 'timer', '--repeats', '2', '--hold', '4s');
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/2 of 2/), { timeout: 60_000 });
  scene.agents['render-1'].signal('SIGKILL');
  const { exitCode } = await run.ended;
  const { rows, state } = readRun(to);
  expect(state).toBe('finished');
  expect(rows).toHaveLength(2);
  expect(rows[0]?.figures).toMatchObject({ 'pacing.packetsSent': 4000 });
  expect(rows[1]?.verdict).toBe('INVALID');
  expect(wordsOf(rows[1]?.reason ?? [])).toContain('on render-1');
  expect(exitCode).toBe(exitCodes.invalid);
  await vi.waitFor(() => expect(scene.agents['render-1'].processes('whiteline-pacer')).toEqual([]), {
    timeout: 10_000,
  });
});
