import { expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { type MadeUpScale, madeUpNmosPrograms } from './nmos-programs.fixture';
import { nmosScale } from './nmos-scale';

const folder = temporaryFolder();
const whole = { breaksSeconds: [5], kill: true, crosspoints: 100 };

/** Of 750 nodes at two registries of our own. */
function scaled(
  scale: MadeUpScale = {},
  more: Record<string, unknown> = {},
  order: Partial<WholeRunOrder> = {},
) {
  const clock = new SimulatedClock();
  const parameters = { nodes: 750, registryCount: 2, ...more };
  const launch = madeUpNmosPrograms(clock, 750, scale);
  return wholeRun({ experiment: nmosScale, clock, folder, parameters, launch, ...order });
}

test('registration, controller, break and the end of a registry: rows, times, figures and verdict', async () => {
  const { outcome, run, page, incidents, progress } = await scaled({}, whole);
  const labels = [
    ...['registration of 750 nodes', 'matrix by pages', 'matrix by subscriptions'],
    ...['single, 1 at a time', 'single, 16 at a time', 'bulk'].map((way) => `100 crosspoints, ${way}`),
    ...['750 nodes after a break of 5 s', '750 nodes, one of two registries killed'],
  ];
  expect(rowTexts(run).map(([label, verdict]) => [label, verdict])).toEqual(
    labels.map((label) => [label, 'PASS']),
  );
  expect(outcome).toMatchObject({
    state: 'finished',
    verdict: 'PASS',
    reason: `all 8 rows passed: ${labels.join(', ')}`,
  });
  // 1.2 s of other programs; 1.75 s until all are registered, and 15 s of heartbeats.
  expect(secondsOf(run).slice(0, 6)).toEqual([
    [1.2, 17.95],
    ...[17.95, 18.075].map((from) => [from, from + 0.125]),
    ...[18.2, 18.95, 19.7].map((from) => [from, expect.closeTo(from + 0.75, 6)]),
  ]);
  const [registration, matrix, , crosspoints] = run.rows;
  const [broken, killed] = run.rows.slice(-2);
  expect(registration?.figures).toMatchObject({
    ...{ 'nmos.allSeconds': 1.75, 'nmos.registered': 750, 'nmos.resources': 4500, 'nmos.resourcesLost': 0 },
    ...{
      'nmos.spread': '375 / 375',
      'nmos.replicationSeconds': expect.closeTo(0.05, 9),
      'nmos.heartbeats': 2250,
    },
  });
  expect(matrix?.figures).toMatchObject({
    'nmos.matrix.senders': 750,
    'nmos.matrix.megabytes': 1.5,
    'nmos.allSeconds': 0.125,
  });
  expect(crosspoints?.figures).toMatchObject({
    'nmos.crosspoints': 100,
    'nmos.shownSeconds': 0.75,
    'nmos.crosspointsFailed': 0,
  });
  expect(broken?.figures).toMatchObject({
    'nmos.back': 750,
    'nmos.forgotten': 0,
    'nmos.brokenBy': 'silence',
  });
  expect(killed?.figures).toMatchObject({
    'nmos.back': 375,
    'nmos.fewestResources': 4500,
    'nmos.spread': '750 / 0',
  });
  // 5 s of silence, 2.5 s until all are back, and their copies.
  expect(secondsOf(run)[6]?.map((seconds) => seconds - 20.45)).toEqual([
    expect.closeTo(0, 6),
    expect.closeTo(9.3, 6),
  ]);
  expect(page.run.rows).toEqual(run.rows);
  // A registry that is ended on purpose is no death.
  expect(incidents).toEqual([]);
  expect(progress.map(({ phase }) => phase)).toEqual(['registration of 750 nodes: 375 registered']);
});

test('resources that the registry lost, and nodes that were forgotten, fail their rows and name how many', async () => {
  const { run } = await scaled(
    {
      missing: { 0: 12 },
      figures: {
        1: { answers: { registration: { '201': 72 }, heartbeat: { '200': 738, '404': 12 }, removal: {} } },
      },
    },
    { breaksSeconds: [5] },
  );
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['FAIL', 'FAIL']);
  expect(rowTexts(run).map(([, , reason]) => reason.replace(/ \(measured from .*/, ''))).toEqual([
    'the registry holds only 4488 of 4500 registered resources',
    'the registry answered 12 heartbeats with 404 after a silence of 5 s: with heartbeats each 5 s it keeps nodes for 12 s',
  ]);
  expect(run.rows[0]?.figures).toMatchObject({ 'nmos.resources': 4488, 'nmos.resourcesLost': 12 });
  expect(run.rows[1]?.figures).toMatchObject({ 'nmos.forgotten': 12 });
});

test('nodes that do not all register within the wait fail their row, which ends then', async () => {
  const figures = { 0: { registered: 749, byRegistry: {} } };
  const { run } = await scaled({ isStuck: true, figures, missing: { 0: 6 } }, { waitSeconds: 20 });
  expect(run.verdict).toBe('FAIL');
  expect(rowTexts(run)[0]?.[2]).toMatch(/749 of 750/);
  expect(secondsOf(run)).toEqual([[1.2, 21.2]]);
  expect(run.rows[0]?.figures).toMatchObject({ 'nmos.registered': 749, 'nmos.allSeconds': null });
});

test('a machine that was busy before the run is a remark of the first row alone', async () => {
  let fromNs: number | null = null;
  const sampleAt = (atNs: number) => {
    fromNs ??= atNs;
    return atNs - fromNs <= 1e9 ? { cpuPercent: 50 } : {};
  };
  const { run } = await scaled({}, { breaksSeconds: [5] }, { sampleAt });
  expect(rowTexts(run)).toEqual([
    [
      ...['registration of 750 nodes', 'WARN'],
      expect.stringContaining(
        'the machine was busy before the run: other programs took 40 % of its CPU (limit 25 %)',
      ),
    ],
    ['750 nodes after a break of 5 s', 'PASS', expect.not.stringContaining('busy')],
  ]);
});

type Standstills = NonNullable<MadeUpScale['standstills']>;

test.each<[string, Standstills, string]>([
  [
    'both registries were stopped for 1.2 s',
    { registry: { 1: { kind: 'stopped', seconds: 1.2 } } },
    'INVALID: our registry 1 process was stopped for 1.2 s (limit 0.25 s); our registry 2 process was stopped for 1.2 s (limit 0.25 s)',
  ],
  [
    'they were stopped for 0.2 s',
    { registry: { 1: { kind: 'stopped', seconds: 0.2 } } },
    'PASS: 750 nodes back',
  ],
  [
    'the nodes were stopped for 1.2 s',
    { nodes: { 1: { kind: 'stopped', seconds: 1.2 } } },
    'INVALID: our nodes process was stopped for 1.2 s (limit 0.25 s)',
  ],
  [
    'the nodes waited for a processor for 1.2 s, and nothing was lost',
    { nodes: { 1: { kind: 'starved', seconds: 1.2 } } },
    'PASS: 750 nodes back within 1.75 s, 0 of them unknown to the registry (404) and registered again; our nodes process waited for a processor for 1.2 s (limit 0.25 s)',
  ],
])('where %s in its second row, that row alone says so', async (_, standstills, words) => {
  const { run } = await scaled({ standstills }, { breaksSeconds: [5, 5] });
  const texts = rowTexts(run).map(([, verdict, reason]) => `${verdict}: ${reason}`);
  expect(texts).toEqual([
    expect.stringMatching(/^PASS: (?!.*our )/),
    expect.stringContaining(words),
    expect.stringMatching(/^PASS: (?!.*our )/),
  ]);
});

test('of a row with crosspoints the controller is asked too', async () => {
  const standstills: Standstills = {
    controller: { 2: { kind: 'stopped', seconds: 0.6 } },
    nodes: { 4: { kind: 'stopped', seconds: 0.6 } },
  };
  const { run } = await scaled({ standstills }, { crosspoints: 100 });
  const texts = rowTexts(run).map(([, verdict, reason]) => (verdict === 'INVALID' ? reason : verdict));
  expect(texts).toEqual([
    ...['PASS', 'PASS', 'PASS'],
    'our controller process was stopped for 0.6 s (limit 0.25 s)',
    'our nodes process was stopped for 0.6 s (limit 0.25 s)',
    'PASS',
  ]);
});

type Happens = NonNullable<MadeUpScale['happens']>;

test.each<[string, Happens, number, string]>([
  [
    'the nodes die',
    { to: 'nodes', at: 'silence', what: (one) => one.die('SIGKILL') },
    6,
    'The process of the simulated nodes was killed (SIGKILL)',
  ],
  [
    'a registry dies',
    { to: 'registry', at: 'hold', what: (one) => one.die('SIGKILL') },
    0,
    'The registry 1 was killed (SIGKILL)',
  ],
  [
    'a registry talks nonsense',
    { to: 'registry', at: 'hold', what: (one) => one.write('HTTP/1.1 200\n') },
    0,
    'The registry 1 was ended, since it sent a line that is no JSON: HTTP/1.1 200',
  ],
  [
    'the controller dies',
    { to: 'controller', at: 'change', what: (one) => one.exit(1, 'no memory') },
    3,
    'The controller ended with code 1. Its last words: no memory',
  ],
])('where %s, the row says so, and none follows it', async (_, happens, rowsBefore, words) => {
  const { outcome, run, incidents } = await scaled({ happens }, whole);
  expect(run.rows.map(({ verdict }) => verdict)).toEqual([...Array(rowsBefore).fill('PASS'), 'INVALID']);
  // Both registries meet the same fate.
  const said = words.startsWith('The registry 1')
    ? [1, 2].map((number) => words.replace('The registry 1', `registry ${number}`)).join('; ')
    : words.replace('The', 'the');
  expect(rowTexts(run).at(-1)?.[2]).toBe(said);
  expect(incidents).toContainEqual(['helper-died', words]);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
});

test('a program that does not answer is given up after 20 s, in words', async () => {
  const happens: Happens = { to: 'nodes', at: 'begin', what: () => undefined };
  const { run } = await scaled({ happens });
  expect(rowTexts(run)).toMatchObject([
    ['registration of 750 nodes', 'INVALID', expect.stringContaining('did not answer “begin” within 20 s')],
  ]);
  expect(secondsOf(run)).toEqual([[1.2, 21.2]]);
});

test('Ctrl-C in the middle of the hold: the row has what was measured until then, and says that it was stopped', async () => {
  const { outcome, run } = await scaled({}, whole, { stopAfterMs: 8000 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(run.rows).toHaveLength(1);
  expect(secondsOf(run)).toEqual([[1.2, 8]]);
  expect(run.rows[0]?.figures).toMatchObject({ 'nmos.registered': 750, 'nmos.resources': null });
  expect(run.rows[0]?.notMeasured['nmos.resources']).toBe('the run was stopped before the count');
  expect(rowTexts(run)[0]?.slice(1)).toEqual([
    ...['WARN', 'the resources in the registry could not be counted: the run was stopped before the count'],
  ]);
});
