import { expect, test } from 'vitest';
import { onEachMachine } from '../engine/experiment/elsewhere/on-each-machine';
import type { Experiment, RunVerdict } from '../engine/experiment/experiment';
import { experimentOf } from '../engine/experiment/experiment-of';
import { worstVerdictOf } from '../engine/streams/rows/deciding-row';
import { wordsOf } from '../facts/reason-words';
import type { ClosedRow } from '../facts/row';
import { temporaryFolder } from '../testing/temporary-folder';
import { rowTexts, wholeRun } from '../testing/whole-run';
import { ElsewhereBench, rowAt, type Script } from './elsewhere.fixture';

// Experiments of one machine on several of the fleet, side by side: a bus of memory, a given clock, and processes that follow a script.

const folder = temporaryFolder();

function verdict(rows: readonly ClosedRow[]): RunVerdict {
  return { verdict: worstVerdictOf(rows), reason: rows.map(({ label }) => label).join(', ') };
}

/** Quiet by its declaration: here it yields two rows, the first after a second. */
function twoRows(bench: ElsewhereBench, secondMs = 1000): Experiment {
  return onEachMachine({
    ...experimentOf('quiet'),
    needs: () => [],
    check: async () => ({ subject: 'two rows', environment: { topology: 'here' } }),
    async *run(_, { clock, signal }) {
      for (const [label, ms] of Object.entries({ one: 1000, two: secondMs })) {
        await clock.sleep(ms, signal);
        if (signal.aborted) return;
        yield rowAt(bench.clock, label, { load: { here: {} } });
      }
    },
    verdict,
  });
}

/** As another machine carries it out; its second row is of this verdict. */
const measures =
  (second: ClosedRow['verdict'] = 'PASS', everyMs = 600): Script =>
  (child, type, clock) => {
    if (type === 'prepare') child.say({ type: 'prepared', subject: 'two rows there', environment: {} });
    if (type !== 'begin') return;
    clock.after(everyMs, () => child.say({ type: 'row', row: rowAt(clock, 'one') }));
    clock.after(2 * everyMs, () => {
      child.say({ type: 'row', row: rowAt(clock, 'two', { verdict: second }) });
      child.end();
    });
  };

function run(
  bench: ElsewhereBench,
  on: string,
  more: { experiment?: Experiment; stopAfterMs?: number } = {},
) {
  const { clock } = bench;
  return wholeRun({
    ...{ folder, clock, experiment: more.experiment ?? twoRows(bench), parameters: { on } },
    ...(more.stopAfterMs !== undefined && { stopAfterMs: more.stopAfterMs }),
    ways: bench.ways,
  });
}

test('rows of all machines come into one run, numbered through, each with its machine; the worst decides, and is named', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', measures('PASS', 1300));
  bench.start('display-2', measures('FAIL'));
  const {
    outcome,
    run: recorded,
    incidents,
    progress,
  } = await run(bench, 'display-1,this machine,display-2');
  expect(outcome).toMatchObject({
    ...{ state: 'finished', verdict: 'FAIL' },
    reason: 'display-2: one, two; display-1 is PASS; this machine is PASS',
  });
  // The first row of each in the order of the names, the rest as it was measured.
  expect(rowTexts(recorded).map(([label]) => label)).toEqual([
    ...['display-1: one', 'this machine: one', 'display-2: one'],
    ...['display-2: two', 'this machine: two', 'display-1: two'],
  ]);
  expect(recorded.rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  for (const { step, load, label } of recorded.rows) {
    expect(label.startsWith(`${step.machine}: `)).toBe(true);
    if (step.machine !== 'this machine') expect(Object.keys(load)).toEqual([step.machine]);
  }
  expect(incidents).toContainEqual(['machine-prepared', 'display-1: two rows there']);
  expect(progress).toEqual([]);
  expect(bench.child('display-1').heard.map(({ type }) => type)).toEqual(['prepare', 'begin']);
});

test('what one machine lacks refuses the run with its name, before anything starts on another one', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', measures());
  bench.start('display-2', (child, type) => {
    if (type !== 'prepare') return;
    const missing = { message: 'fio is not installed. Install it', field: 'requires', value: 'fio' };
    child.say({ type: 'ended', problem: { code: 'REQUIREMENT_MISSING', ...missing } });
  });
  const { outcome, run: recorded } = await run(bench, 'display-1,display-2,this machine');
  expect(outcome).toMatchObject({
    ...{ state: 'failed', verdict: null, reason: 'display-2: fio is not installed. Install it' },
    problem: { code: 'REQUIREMENT_MISSING' },
  });
  expect(recorded.rows).toEqual([]);
  expect(bench.child('display-1').heard.map(({ type }) => type)).toEqual(['prepare']);
  expect(bench.child('display-1').isKilled).toBe(true);
});

test('a machine that leaves in the middle keeps its rows, has an INVALID one, and the others go on', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', measures('PASS', 1000));
  const agent = bench.start('display-2', (child, type, clock) => {
    measures('PASS', 1200)(child, type, clock);
    if (type === 'begin') clock.after(1500, () => void agent.close());
  });
  const { outcome, run: recorded } = await run(bench, 'display-1,display-2');
  const why = 'the experiment was given up: the agent on display-2 was ended';
  expect(rowTexts(recorded)).toEqual([
    ['display-1: one', 'PASS', ''],
    ['display-2: one', 'PASS', ''],
    ['display-2: measurement not finished', 'INVALID', `the measurement of display-2 did not finish: ${why}`],
    ['display-1: two', 'PASS', ''],
  ]);
  expect(outcome.verdict).toBe('INVALID');
  expect(outcome.reason).toMatch(
    /^display-2: the measurement of display-2 did not finish.*; display-1 is PASS$/,
  );
});

test('a FAIL that was measured stays one where the machine is not measured to its end', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures('FAIL')(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    child.say({ type: 'row', row: rowAt(clock, 'one', { verdict: 'FAIL' }) });
    child.say({ type: 'ended', problem: { code: 'TOOL_FAILED', message: 'fio failed' } });
  });
  const { outcome, incidents } = await run(bench, 'display-1');
  expect(outcome).toMatchObject({
    verdict: 'FAIL',
    reason: 'display-1: one; the measurement of display-1 did not finish: fio failed',
  });
  expect(incidents).toContainEqual(['problem', 'display-1: fio failed']);
});

test('what is missing of a machine is said before the rows of it that are INVALID', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures('INVALID')(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    child.say({ type: 'row', row: rowAt(clock, 'one', { verdict: 'INVALID' }) });
    child.say({ type: 'ended', problem: { code: 'TOOL_FAILED', message: 'fio failed' } });
  });
  const { outcome } = await run(bench, 'display-1');
  expect(outcome).toMatchObject({
    verdict: 'INVALID',
    reason: 'display-1: the measurement of display-1 did not finish: fio failed; one',
  });
});

test('an experiment that ends without a row is no PASS', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type) => {
    if (type === 'prepare') child.say({ type: 'prepared', subject: '', environment: {} });
    if (type === 'begin') child.end();
  });
  const { outcome } = await run(bench, 'display-1');
  expect(outcome).toMatchObject({ verdict: 'INVALID', reason: 'display-1: nothing was measured' });
});

test('Ctrl-C stops all machines, and keeps what they measured', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures('PASS', 8000)(child, type, clock);
    if (type === 'stop') child.end();
  });
  const { outcome, run: recorded } = await run(bench, 'display-1,this machine', {
    experiment: twoRows(bench, 60_000),
    stopAfterMs: 14_000,
  });
  expect(outcome.state).toBe('aborted');
  expect(rowTexts(recorded).map(([label]) => label)).toEqual(['display-1: one', 'this machine: one']);
  expect(bench.child('display-1').heard.map(({ type }) => type)).toContain('stop');
});

test('a machine that is out of reach for longer than the lease ends what runs there, and is INVALID here', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', measures('PASS', 60_000));
  const ended = run(bench, 'display-1');
  bench.clock.after(3000, () => bench.server.cut('console', 'display-1'));
  const { outcome, run: recorded } = await ended;
  expect(bench.child('display-1').isKilled).toBe(true);
  expect(wordsOf(recorded.rows[0]?.reason ?? [])).toContain('display-1 was not reachable for 5 s');
  expect(outcome.verdict).toBe('INVALID');
});

test.each([
  ['of a time before the run', { from: '2020-01-01T00:00:00.000Z' }, 'for from'],
  ['of a time to come', { to: '2030-01-01T00:00:00.000Z' }, 'for to'],
  ['that is open', { to: null, verdict: null }, 'as row'],
  ['without a number where one belongs', { figures: { measuredSeconds: 'long' } }, 'as row'],
])('a row %s gives the machine up, by field and value', async (_, changes, words) => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    const row = { ...rowAt(clock, 'one'), ...changes };
    if (type === 'begin') child.sayText(JSON.stringify({ type: 'row', row }));
  });
  const { outcome, run: recorded } = await run(bench, 'display-1');
  expect(outcome.verdict).toBe('INVALID');
  expect(wordsOf(recorded.rows[0]?.reason ?? [])).toContain(words);
  expect(recorded.rows).toHaveLength(1);
});

/** A machine says one row of its own making, and ends. */
function saysRow(bench: ElsewhereBench, name: string, changes: Partial<ClosedRow>): void {
  bench.start(name, (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    clock.after(600, () => {
      child.say({ type: 'row', row: rowAt(clock, 'one', changes) });
      child.end();
    });
  });
}

test('a row is of the machine that said it, whatever it names', async () => {
  const bench = new ElsewhereBench();
  const named = { kind: 'core', id: '0', name: 'core 0', figures: {}, notMeasured: {} };
  saysRow(bench, 'aa', {
    ...{ step: { machine: 'bb' }, verdict: 'FAIL', load: { bb: {} } },
    subjects: [{ ...named, hosts: { machine: 'bb' } }],
    reason: [{ code: 'suspended', data: { seconds: 1, machine: 'bb' } }],
  });
  bench.start('bb', measures());
  const { outcome, run: recorded } = await run(bench, 'aa,bb');
  const [row] = recorded.rows;
  expect([row?.step, row?.load, row?.subjects[0]?.hosts]).toEqual([
    ...[{ machine: 'aa' }, { aa: {} }, { machine: 'aa' }],
  ]);
  expect(wordsOf(row?.reason ?? [])).toMatch(/^aa was suspended for 1\.0 s/);
  expect(recorded.rows.map(({ step }) => step.machine)).toEqual(['aa', 'bb', 'bb']);
  expect(outcome).toMatchObject({ verdict: 'FAIL', reason: 'aa: one; bb is PASS' });
});

test('no machine says of itself that it is gone', async () => {
  const bench = new ElsewhereBench();
  saysRow(bench, 'aa', { reason: [{ code: 'machine-ended', data: { machine: 'bb', why: 'no' } }] });
  const { outcome, run: recorded } = await run(bench, 'aa');
  expect(rowTexts(recorded)).toEqual([
    [
      ...['aa: measurement not finished', 'INVALID'],
      'the measurement of aa did not finish: the experiment was given up: Expected a reason that an experiment gives for reason but received machine-ended',
    ],
  ]);
  expect(outcome.verdict).toBe('INVALID');
});

test('a PASS of a row without figures is not believed', async () => {
  const bench = new ElsewhereBench();
  saysRow(bench, 'aa', { figures: { measuredSeconds: 10 } });
  bench.start('bb', measures());
  const { outcome, run: recorded } = await run(bench, 'aa,bb');
  expect(rowTexts(recorded)[0]).toEqual(['aa: one', 'INVALID', 'aa reports PASS for a row without a figure']);
  expect(outcome).toMatchObject({ verdict: 'INVALID', reason: 'aa: one; bb is PASS' });
});

/** Of `quiet` by its default parameters, of which 34 s are expected. */
const silenceSeconds = 2 * 34 + 30;

test('a machine whose experiment falls silent is ended, and the others go on', async () => {
  const bench = new ElsewhereBench();
  bench.start('aa', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type === 'begin') clock.after(600, () => child.say({ type: 'row', row: rowAt(clock, 'one') }));
  });
  bench.start('bb', measures());
  const beganNs = bench.clock.monotonicNs();
  const { outcome, run: recorded } = await run(bench, 'aa,bb');
  const why = `the experiment said nothing for ${silenceSeconds} s`;
  expect(rowTexts(recorded)).toEqual([
    ...['aa: one', 'bb: one', 'bb: two'].map((label) => [label, 'PASS', '']),
    ['aa: measurement not finished', 'INVALID', `the measurement of aa did not finish: ${why}`],
  ]);
  expect(outcome.verdict).toBe('INVALID');
  expect(bench.child('aa').isKilled).toBe(true);
  expect((bench.clock.monotonicNs() - beganNs) / 1e9).toBeLessThan(silenceSeconds + 60);
});

test('progress alone keeps no run going', async () => {
  const bench = new ElsewhereBench();
  bench.start('aa', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    const times = { phaseSeconds: 1, phaseElapsedSeconds: 0, remainingSeconds: 1 };
    const stop = clock.every(50_000, () => {
      if (child.isKilled) stop();
      else child.say({ type: 'progress', progress: { phase: 'waking', step: 1, steps: 2, ...times } });
    });
  });
  const { outcome, run: recorded } = await run(bench, 'aa');
  const why = `the experiment did not end within ${4 * silenceSeconds} s`;
  expect(wordsOf(recorded.rows[0]?.reason ?? [])).toBe(`the measurement of aa did not finish: ${why}`);
  expect(outcome.verdict).toBe('INVALID');
});

test('a machine that says too much gives itself up', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    for (let count = 0; count < 700; count++)
      child.say({ type: 'event', kind: 'thread-policy', text: 'again' });
  });
  const { outcome, incidents } = await run(bench, 'display-1');
  expect(outcome.reason).toContain('at most 50 messages a second');
  expect(incidents.length).toBeLessThan(520);
});

test('a machine that says too much in all gives itself up, however slowly it says it', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    const stop = clock.every(500, () => {
      if (child.isKilled) stop();
      const details = { text: 'x'.repeat(200_000) };
      child.say({ type: 'event', kind: 'thread-policy', text: 'again', details });
    });
  });
  const { outcome, incidents } = await run(bench, 'display-1');
  expect(outcome).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(/at most 32000000 bytes of one experiment for event but received 32\d{6}$/),
  });
  expect(incidents.filter(([kind]) => kind === 'thread-policy').length).toBeLessThan(160);
});

test('texts of another machine do nothing, and what is longer than a row gives the machine up', async () => {
  const bench = new ElsewhereBench();
  bench.start('display-1', (child, type, clock) => {
    measures()(child, type === 'begin' ? '' : type, clock);
    if (type !== 'begin') return;
    child.say({ type: 'row', row: rowAt(clock, '\u001b[2J\u202eone') });
    child.say({ type: 'row', row: rowAt(clock, 'x'.repeat(300_000)) });
  });
  const { run: recorded } = await run(bench, 'display-1');
  expect(recorded.rows.map(({ label }) => label)).toEqual([
    'display-1: \\u001b[2J\\u202eone',
    'display-1: measurement not finished',
  ]);
});
