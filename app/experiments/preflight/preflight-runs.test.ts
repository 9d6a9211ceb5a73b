import { expect, test } from 'vitest';
import { NotKnown } from '../../engine/machine/facts';
import { ok, problem, warning } from '../../engine/machine/line';
import { WhitelineError } from '../../protocol/errors';
import { SimulatedClock } from '../../testing/simulated-clock';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import type { Check } from './check';
import { preflightOf } from './preflight';

const folder = temporaryFolder();

/** Each after so long. */
function checked(made: readonly [Check['id'], Check['run']][], order: Partial<WholeRunOrder> = {}) {
  const clock = new SimulatedClock();
  const checks = made.map(
    ([id, run]): Check => ({
      id,
      run: async (context) => {
        await context.clock.sleep(250, context.signal);
        return run(context);
      },
    }),
  );
  const native = { request: () => Promise.reject(new NotKnown('this driver says nothing')) };
  const parameters = { interface: 'lo' };
  return wholeRun({ experiment: preflightOf(checks), clock, folder, parameters, native, ...order });
}

const fine: [Check['id'], Check['run']] = ['link-speed', async () => ok('1000 Mb/s', { mbps: 1000 })];

test('a row for each check in its order, and what is wrong first in the verdict', async () => {
  const { outcome, run, page, incidents, progress } = await checked([
    fine,
    [
      'driver',
      async ({ driver }) => warning(`the driver is unknown: ${driver}`, 'Look it up', 'ethtool -i lo'),
    ],
    ['mtu', async () => problem('576 bytes', 'Raise it', 'ip link set lo mtu 1500')],
    // What throws could not be found out, and the checks after it are carried out.
    ['errors', () => Promise.reject(new NotKnown('the kernel does not count them'))],
    [
      'clock',
      () => Promise.reject(new WhitelineError({ code: 'TOOL_MISSING', message: 'chronyc is not installed' })),
    ],
  ]);
  expect(rowTexts(run).map(([, verdict, reason]) => [verdict, reason])).toEqual([
    ['PASS', ''],
    ['WARN', 'the driver is unknown: this driver says nothing'],
    ['FAIL', expect.stringMatching(/^576 bytes( \(measured from .*\))?$/)],
    ['WARN', 'the kernel does not count them'],
    ['WARN', 'chronyc is not installed'],
  ]);
  expect(run.rows.map(({ step, figures }) => ({ ...step, ...figures })['preflight.state'])).toEqual([
    ...['ok', 'warning', 'problem', 'unknown', 'unknown'],
  ]);
  expect(run.rows[1]?.details).toMatchObject({ check: 'driver' });
  expect(run.rows[0]?.details).toEqual({ check: 'link-speed', mbps: 1000 });
  expect(secondsOf(run)).toEqual([0, 1, 2, 3, 4].map((row) => [row / 4, (row + 1) / 4]));
  expect(outcome).toMatchObject({
    state: 'finished',
    verdict: 'FAIL',
    reason: expect.stringMatching(/^1 problem \(.*\); 1 warning \(.*\); 2 unknown \(.*\); 5 checks$/),
  });
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  expect(progress.map(({ step, steps }) => [step, steps])).toEqual([1, 2, 3, 4, 5].map((step) => [step, 5]));
});

test('what a check found while a process of ours was stopped is unknown, unless all is well', async () => {
  const wrong: Check['run'] = async () => problem('576 bytes', 'Raise it', 'ip link set lo mtu 1500');
  const standstills = [
    stopped({ role: 'engine' }, 0.1, 0.6),
    // A machine that is busy is under test.
    { ...stopped({ role: 'engine' }, 0.8, 0.99), kind: 'starved' as const },
  ];
  const { run } = await checked([['mtu', wrong], fine, ['driver', wrong], ['errors', wrong]], {
    standstills,
  });
  expect(rowTexts(run).map(([, verdict, reason]) => [verdict, reason.replace(/ \(measured.*/, '')])).toEqual([
    ['WARN', 'our engine process was stopped for 0.5 s (limit 0.25 s)'],
    ['PASS', 'our engine process was stopped for 0.5 s (limit 0.25 s)'],
    ['WARN', 'our engine process was stopped for 0.5 s (limit 0.25 s)'],
    ['FAIL', '576 bytes'],
  ]);
});

test('where all is well the run says so', async () => {
  const { outcome } = await checked([fine]);
  expect(outcome).toMatchObject({ verdict: 'PASS', reason: 'all 1 checks are ok' });
});

test('Ctrl-C in the middle of a check: lines until then are kept, and that one is not', async () => {
  const { outcome, run } = await checked([fine, fine, fine], { stopAfterMs: 400 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(run.rows).toHaveLength(1);
  expect(run).toMatchObject({ state: 'aborted', verdict: null });
});
