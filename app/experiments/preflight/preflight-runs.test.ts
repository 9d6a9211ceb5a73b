import { expect, test } from 'vitest';
import { NotKnown } from '../../engine/machine/facts';
import { scalarOf } from '../../facts/row-figures';
import { WhitelineError } from '../../protocol/errors';
import { SimulatedClock } from '../../testing/simulated-clock';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { type Check, NotFoundOut } from './check';
import { ndiPort } from './checks/ndi-port';
import { pathMtu } from './checks/path-mtu';
import { chooseInterface } from './chosen-interface';
import { preflightParameters } from './declaration';
import { foundOf } from './found-reasons';
import { ok, problem, warning } from './line';
import { preflightOf } from './preflight';

const folder = temporaryFolder();
const native = { request: () => Promise.reject(new NotKnown('this driver says nothing')) };

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
  const parameters = { interface: 'lo' };
  return wholeRun({ experiment: preflightOf(checks), clock, folder, parameters, native, ...order });
}

const speed = foundOf('speed', { name: 'lo', speedMbps: 1000, isFullDuplex: false });
const fine: [Check['id'], Check['run']] = ['link-speed', async () => ok(speed, { mbps: 1000 })];
const small = foundOf('mtu-small', { name: 'lo', mtuBytes: 576, usualBytes: 1500 });

test('a row for each check in its order, and what is wrong first in the verdict', async () => {
  const { outcome, run, page, incidents, progress } = await checked([
    fine,
    [
      'driver',
      async ({ driver }) => warning(foundOf('driver-not-known', { name: 'lo', why: String(driver) })),
    ],
    ['mtu', async () => problem(small)],
    // What throws could not be found out, and the checks after it are carried out.
    ['errors', () => Promise.reject(new NotKnown('the kernel does not count them'))],
    [
      'clock',
      () => Promise.reject(new WhitelineError({ code: 'TOOL_MISSING', message: 'chronyc is not installed' })),
    ],
    ['path-mtu', () => Promise.reject(new NotFoundOut(foundOf('host-not-named')))],
  ]);
  expect(rowTexts(run).map(([, verdict, reason]) => [verdict, reason])).toEqual([
    ['PASS', ''],
    ['WARN', 'lo does not report its driver: this driver says nothing'],
    ['FAIL', expect.stringMatching(/^lo carries packets of up to 576 bytes( \(measured from .*\))?$/)],
    ['WARN', 'the kernel does not count them'],
    ['WARN', 'chronyc is not installed'],
    ['WARN', 'no other machine was named (host)'],
  ]);
  expect(run.rows.map(({ step, figures }) => ({ ...step, ...figures })['preflight.state'])).toEqual([
    ...['ok', 'warning', 'problem', 'unknown', 'unknown', 'unknown'],
  ]);
  expect(run.rows[1]?.details).toMatchObject({ check: 'driver' });
  expect(run.rows[0]?.details).toEqual({ check: 'link-speed', mbps: 1000 });
  expect(secondsOf(run)).toEqual([0, 1, 2, 3, 4, 5].map((row) => [row / 4, (row + 1) / 4]));
  expect(outcome).toMatchObject({
    state: 'finished',
    verdict: 'FAIL',
    reason: expect.stringMatching(/^1 problem \(.*\); 1 warning \(.*\); 3 unknown \(.*\); 6 checks$/),
  });
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  expect(progress.map(({ step, steps }) => [step, steps])).toEqual(
    [1, 2, 3, 4, 5, 6].map((step) => [step, 6]),
  );
});

test('a row has what was found as a fact, and no sentence', async () => {
  const { run } = await checked([
    ['mtu', async () => problem(small)],
    ['path-mtu', () => Promise.reject(new NotFoundOut(foundOf('host-not-named')))],
  ]);
  const [first, second] = run.rows;
  const data = { name: 'lo', mtuBytes: 576, usualBytes: 1500 };
  expect(first).toMatchObject({
    found: { code: 'mtu-small', data },
    reason: [
      { code: 'check-not-ok', data: { check: 'mtu', state: 'problem', foundCode: 'mtu-small', ...data } },
    ],
    figures: { 'preflight.state': 'problem' },
  });
  expect(second?.found).toEqual({ code: 'host-not-named', data: {} });
  expect(JSON.stringify(run.rows)).not.toMatch(/carries packets|no other machine/);
  const shown = ['preflight.found', 'preflight.advice', 'preflight.command'];
  expect(first && shown.map((id) => scalarOf(first, id))).toEqual([
    'lo carries packets of up to 576 bytes',
    'Each frame needs more packets, and larger packets from other machines may be lost: use the MTU of the other machines here',
    'ip link set dev lo mtu 1500',
  ]);
});

test('what a check found while a process of ours was stopped is unknown, unless all is well', async () => {
  const wrong: Check['run'] = async () => problem(small);
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
    ['FAIL', 'lo carries packets of up to 576 bytes'],
  ]);
  expect(run.rows.map((row) => scalarOf(row, 'preflight.found'))).toEqual([
    'our engine process was stopped for 0.5 s (limit 0.25 s)',
    'lo runs at 1000 Mb/s',
    'our engine process was stopped for 0.5 s (limit 0.25 s)',
    'lo carries packets of up to 576 bytes',
  ]);
  expect(run.rows.map((row) => scalarOf(row, 'preflight.advice'))).toEqual([
    ...['Check again', '', 'Check again', expect.stringMatching(/^Each frame needs more packets/)],
  ]);
});

test('a host that is this machine: its own card is checked, and no way to another host passes', async () => {
  const names: string[] = [];
  const seen: Check['run'] = async ({ interfaceName }) => {
    names.push(interfaceName);
    return ok(speed);
  };
  const parameters = { host: '127.0.0.1', senders: 2 };
  const { run, outcome } = await checked(
    [
      ['link-speed', seen],
      ['path-mtu', pathMtu.run],
      ['ndi-ports', ndiPort.run],
    ],
    {
      parameters,
      ways: { tools: () => ({ use: { run: () => Promise.reject(new Error('no tool is run')) } }) },
    },
  );
  const own = await chooseInterface(preflightParameters.parse({}), null);
  expect(names).toEqual([own]);
  const { subject } = await preflightOf([]).check(preflightParameters.parse(parameters), native);
  expect(subject).toBe(`${own}, 127.0.0.1 is this machine`);
  expect(outcome).toMatchObject({ verdict: 'WARN' });
  expect(rowTexts(run).map(([, verdict, reason]) => [verdict, reason])).toEqual([
    ['PASS', ''],
    ...Array(2).fill(['WARN', '127.0.0.1 is this machine, so no path to another one was tested']),
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
