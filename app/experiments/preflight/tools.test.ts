import { afterEach, expect, test, vi } from 'vitest';
import { NotKnown } from '../../engine/machine/facts';
import { runTool } from '../../engine/tools/run-tool';
import { scalarOf } from '../../facts/row-figures';
import { programs } from '../../testing/programs';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { wholeRun } from '../../testing/whole-run';
import { dscp } from './checks/dscp';
import { firewallRules } from './checks/firewall-rules';
import { mtu } from './checks/mtu';
import { pathMtu } from './checks/path-mtu';
import { preflightOf } from './preflight';

/** Checks that ask programs of the machine, some of which are replaced. */

const folder = temporaryFolder();
const native = {
  request: () => Promise.reject(new NotKnown('this driver says nothing')),
};

afterEach(() => vi.unstubAllEnvs());

/** State and words by check. */
async function checkedWith(replaced: Record<string, string | null>) {
  vi.stubEnv('PATH', programs(folder, replaced));
  const { run } = await wholeRun({
    ...{ folder, native, clock: new SimulatedClock() },
    ways: { tools: () => ({ use: { run: runTool } }) },
    experiment: preflightOf([pathMtu, firewallRules, dscp, mtu]),
    parameters: { interface: 'lo', host: '192.0.2.7' },
  });
  expect(run.state).toBe('finished');
  return Object.fromEntries(
    run.rows.map((row) => [
      row.details?.check,
      [scalarOf(row, 'preflight.state'), scalarOf(row, 'preflight.found')],
    ]),
  );
}

test('tools that are missing make their own lines unknown, and no others', async () => {
  expect(await checkedWith({ ping: null, nft: null, iptables: null, tc: null })).toMatchObject({
    'path-mtu': ['unknown', 'ping is not installed, or not in PATH'],
    'firewall-rules': ['unknown', expect.stringMatching(/neither nft nor/)],
    dscp: ['unknown', expect.stringMatching(/tc is not/)],
    mtu: ['ok', expect.any(String)],
  });
});

test('tools that write nonsense, or are killed, are named with what they said', async () => {
  const replaced = { ping: 'echo "ping of death"', nft: 'echo "{"', tc: 'kill -KILL $$' };
  expect(await checkedWith(replaced)).toMatchObject({
    'path-mtu': ['unknown', 'ping said "ping of death"'],
    'firewall-rules': ['unknown', 'nft wrote no JSON but "{\\n"'],
    dscp: ['unknown', expect.stringMatching(/^tc: /)],
  });
});
