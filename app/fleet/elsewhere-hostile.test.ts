import { expect, test } from 'vitest';
import { wordsOf } from '../facts/reason-words';
import { WhitelineError } from '../protocol/errors';
import { checkedExperimentMessage } from '../protocol/fleet/experiment-messages';
import { askSubject, fromHostSubject, toHostSubject } from '../protocol/fleet/subjects';
import { plainLine } from '../protocol/plain-text';
import { defaultThresholds } from '../protocol/thresholds';
import { mutated } from '../testing/fuzz/mutate';
import { cases, Random, seeds } from '../testing/random';
import { ElsewhereBench, FakeChild, rowAt } from './elsewhere.fixture';
import { Bench, leaseKeyOf } from './fleet.fixture';

// What hostile consoles ask of agents for experiments, and what hostile agents say for them.

const count = cases(1500, 10_000);
const [seed] = seeds;

async function each(good: readonly unknown[], act: (value: unknown) => unknown): Promise<void> {
  for (let index = 0; index < count; index++) {
    const random = new Random(seed + index);
    try {
      await act(mutated(random.pick(good), random));
    } catch (error) {
      expect.fail(`WHITELINE_SEED=${seed + index}: ${(error as Error).stack}`);
    }
  }
}

/** An agent whose experiments are kept, and the lease of a console. */
async function leased() {
  const bench = new Bench();
  const children: FakeChild[] = [];
  bench.agent({
    experiments: {
      spawn: () => {
        const child = new FakeChild(() => undefined);
        children.push(child);
        return child;
      },
      places: {
        folder: () => ({ path: '/var/tmp/secret-1', called: 'temporary folder' }),
        movie: async (name) => ({ path: `/media/secret/${name}`, called: name }),
      },
    },
  });
  const fence = await bench.acquire();
  const start = async (experiment: string, parameters: unknown): Promise<string> => {
    const started = await bench.ask({ name: 'experiment.start', fence, experiment, parameters });
    return (started as { runId: string }).runId;
  };
  return { bench, children, fence, start };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

const parameters = {
  quiet: { ratesHz: [60, 1000], holdSeconds: 5, repeats: 2 },
  preflight: { host: '192.0.2.7', senders: 2, movie: 'opening.mov', durationSeconds: 1 },
  storage: {
    sizeMib: 16,
    repeats: 1,
    holdSeconds: 1,
    tests: ['SEQ1M-Q1T1'],
    operations: ['read'],
    streams: 1,
  },
};
const commands = Object.entries(parameters).map(([experiment, given]) => ({
  ...{ name: 'experiment.start', fence: 999_999, key: leaseKeyOf('x'), experiment, parameters: given },
}));

test.each([
  ['a folder', 'storage', { folders: ['/etc'] }, 'folders'],
  ['an interface', 'preflight', { interface: '../../etc' }, 'interface'],
  ['other machines', 'quiet', { on: 'display-2' }, 'on'],
  ['a host that is a flag', 'preflight', { host: '-f' }, 'host'],
  ['a parameter of no experiment', 'quiet', { command: 'sh' }, 'command'],
  ['an experiment that needs two ends', 'stream-load', {}, 'experiment'],
  ['no experiment at all', 'constructor', {}, 'experiment'],
])('%s from outside is refused, and starts nothing', async (_, experiment, given, field) => {
  const { start, children } = await leased();
  await expect(start(experiment, given)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(start(experiment, given)).rejects.toThrow(field);
  expect(children).toEqual([]);
});

test('places are those of the agent’s user, and no path of them leaves the machine', async () => {
  const { start, children, bench, fence } = await leased();
  const runId = await start('preflight', parameters.preflight);
  expect(children[0]?.heard[0]).toMatchObject({ parameters: { movie: '/media/secret/opening.mov' } });
  children[0]?.say({ type: 'prepared', subject: '/media/secret/opening.mov', environment: {} });
  const said = bench.bus.newest(fromHostSubject(bench.identity.id, runId));
  expect(JSON.parse(Object(said).json)).toMatchObject({ subject: 'opening.mov' });
  await bench.ask({ name: 'experiment.end', fence, runId });
  await bench.clock.pass(0);
  await start('storage', parameters.storage);
  expect(children[1]?.heard[0]).toMatchObject({ parameters: { folders: ['/var/tmp/secret-1'] } });
});

test('no number of a process leaves the machine', async () => {
  const { start, children, bench } = await leased();
  const runId = await start('quiet', parameters.quiet);
  const data = { name: 'node', percent: 12, processIds: 'processes 16846, 21058' };
  const row = rowAt(bench.clock, 'one', { reason: [{ code: 'close-program', data }] });
  children[0]?.say({ type: 'row', row });
  const said = checkedExperimentMessage(bench.bus.newest(fromHostSubject(bench.identity.id, runId)));
  expect(said.type === 'row' && wordsOf(said.row.reason)).toBe(
    'close node (several processes, 12.0 % of the CPU)',
  );
});

test('one runs at a time, is kept alive, and ends with the lease', async () => {
  const { start, children, bench, fence } = await leased();
  const runId = await start('quiet', parameters.quiet);
  await expect(start('quiet', {})).rejects.toThrow('one experiment at a time');
  await expect(bench.ask({ name: 'experiment.end', fence, runId: 'other' })).rejects.toThrow('other');
  const alive = children[0]?.keptAlive ?? 0;
  await bench.clock.pass(2000);
  expect(children[0]?.keptAlive).toBe(alive + 4);
  expect(children[0]?.isKilled).toBe(false);
  await bench.clock.pass(3500);
  expect(children[0]?.isKilled).toBe(true);
  expect(bench.bus.newest(fromHostSubject(bench.identity.id, runId))).toEqual({
    ...{ type: 'exit', words: 'was ended by its agent: its console was not heard for 5 s' },
  });
});

test('whatever an agent is asked without its lease starts nothing', async () => {
  const { bench, children } = await leased();
  await each(commands, (value) =>
    bench.bus.request(askSubject(bench.identity.id), value).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof WhitelineError)) throw error;
      },
    ),
  );
  expect(children).toEqual([]);
});

test('whatever parameters come, a process is given none but those of the schema', async () => {
  const { bench, children, fence } = await leased();
  await each(commands, async (value) => {
    const asked = { ...Object(value), fence, key: leaseKeyOf('control-1') };
    const [started] = await Promise.allSettled([bench.bus.request(askSubject(bench.identity.id), asked)]);
    if (started.status === 'rejected') {
      if (!(started.reason instanceof WhitelineError)) throw started.reason;
      return;
    }
    const [prepare] = children.at(-1)?.heard ?? [];
    if (prepare?.type !== 'prepare') throw new Error('it was not prepared first');
    const known = Object.keys(Object(parameters)[prepare.experiment]);
    expect([...known, 'format', 'folders']).toEqual(expect.arrayContaining(Object.keys(prepare.parameters)));
    const { runId } = Object(started.value);
    await bench.ask({ name: 'experiment.end', fence, runId });
    await bench.clock.pass(0);
    await bench.ask({ name: 'lease.renew', fence });
  });
  expect(children.length).toBeGreaterThan(count / 50);
});

test('whatever is said to an experiment that runs, its process hears what a console says', async () => {
  const { bench, children, start } = await leased();
  const runId = await start('quiet', parameters.quiet);
  const subject = toHostSubject(bench.identity.id, runId, leaseKeyOf('control-1'));
  const good = [{ type: 'begin', wallOffsetUs: 5e9, thresholds: defaultThresholds }, { type: 'stop' }];
  await each(good, (value) => bench.bus.publish(subject, value));
  await bench.clock.pass(0);
  const heard = children[0]?.heard.slice(1) ?? [];
  expect(heard.length).toBeGreaterThan(count / 100);
  for (const message of heard) {
    expect(['begin', 'stop']).toContain(message.type);
    if (message.type !== 'begin') continue;
    expect(Math.abs(message.wallOffsetUs)).toBeLessThanOrEqual(1e16);
    expect(Object.keys(message.thresholds).sort()).toEqual(Object.keys(defaultThresholds).sort());
  }
});

test('what an experiment says of its problem makes no line of its own', () => {
  const problem = { code: 'TOOL_FAILED', message: 'no\r\nPASS: all is well', remedy: 'a\nb', value: 'c\nd' };
  const json = JSON.stringify({ type: 'ended', problem: { ...problem, others: [problem] } });
  const plain = { code: 'TOOL_FAILED', message: 'no\\u000d PASS: all is well', remedy: 'a b', value: 'c d' };
  expect(checkedExperimentMessage({ json })).toEqual({
    ...{ type: 'ended', problem: { ...plain, others: [plain] } },
  });
});

test('whatever an agent says for an experiment, the console takes what an experiment says', async () => {
  const { clock } = new ElsewhereBench();
  const row = rowAt(clock, 'one', {
    reason: [{ code: 'text', data: { text: 'a\u001b[2J' } }],
    details: { a: 1 },
  });
  const good = [
    { type: 'prepared', subject: 'a', environment: { fio: '3.33' } },
    { type: 'row', row },
    { type: 'event', kind: 'thread-policy', text: 'a', details: { b: [1] } },
    {
      type: 'progress',
      progress: {
        phase: 'a',
        step: 1,
        steps: 2,
        phaseSeconds: 1,
        phaseElapsedSeconds: 0,
        remainingSeconds: 3,
      },
    },
    { type: 'ended', problem: { code: 'TOOL_FAILED', message: 'no' } },
  ];
  let taken = 0;
  const take = (value: unknown): void => {
    try {
      const message = checkedExperimentMessage(value);
      taken += 1;
      for (const text of textsIn(message)) expect(text.split('\n').map(plainLine).join('\n')).toBe(text);
      if (message.type === 'row') expect(message.row.verdict).not.toBeNull();
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
    }
  };
  await each(good, (value) => take({ json: JSON.stringify(value) ?? '' }));
  await each([{ json: JSON.stringify(good[1]) }, { type: 'exit', words: 'was ended' }], take);
  take({ json: `{"type":"row","row":${'['.repeat(5000)}${']'.repeat(5000)}}` });
  expect(taken).toBeGreaterThan(count / 50);
});
