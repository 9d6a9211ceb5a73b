import { describe, expect, test } from 'vitest';
import { experiments } from '../../experiments/runs';
import { exampleRow } from '../../testing/example-run';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { type WholeRun, wholeRun } from '../../testing/whole-run';
import type { Opened, WaysToOpen } from '../capabilities/open-capabilities';
import type { Capabilities, Capability, ContextWith, Experiment } from '../experiment/experiment';
import { experimentOf } from '../experiment/experiment-of';
import { readEvents } from '../sessions/read-run';

const folder = temporaryFolder();

const all: Capability[] = ['streams', 'native', 'helper', 'tools', 'machine'];

/** What each experiment is given, by its parameters. */
const needed: [id: string, parameters: Record<string, unknown>, Capability[]][] = [
  ['stream-load', {}, ['streams']],
  ['receiver-fan-out', {}, ['streams']],
  ['matrix', {}, ['streams', 'machines', 'machine', 'tools', 'experiments']],
  ['matrix', { link: false }, ['streams', 'machines']],
  ['codec-quality', {}, ['streams', 'native', 'tools']],
  ['transport', {}, ['streams', 'tools']],
  ['preflight', {}, ['native', 'tools']],
  ['quiet', {}, ['machine', 'native']],
  ['storage', {}, ['tools']],
  ['link', {}, ['machine', 'tools']],
  ['fan-out', {}, ['helper', 'machine']],
  ['nmos-scale', {}, ['helper']],
  ['pacing', {}, ['helper', 'tools']],
  ['pacing', { beside: 'stream-load' }, ['helper', 'tools', 'streams']],
];

/** Opens nothing, and keeps what was opened and closed in its order. */
class Doors {
  readonly noted: string[] = [];
  readonly ways: WaysToOpen;

  constructor(private readonly broken: { open?: Capability; close?: Capability } = {}) {
    this.ways = {
      streams: () => this.open('streams'),
      native: () => this.open('native'),
      helper: () => this.open('helper'),
      tools: () => this.open('tools'),
      machine: () => this.open('machine'),
      machines: () => this.open('machines'),
      experiments: () => this.open('experiments'),
    };
  }

  private async open<Name extends Capability>(name: Name): Promise<Opened<Name>> {
    if (this.broken.open === name) throw new Error(`${name} is not to be had`);
    this.noted.push(`open ${name}`);
    return {
      use: {} as Capabilities[Name],
      close: async () => {
        this.noted.push(`close ${name}`);
        if (this.broken.close === name) throw new Error('stuck');
      },
    };
  }
}

type Run = (context: ContextWith<Capability>, doors: Doors) => AsyncGenerator<ReturnType<typeof exampleRow>>;

async function carryOut(
  experiment: Experiment,
  run: Run,
  {
    doors = new Doors(),
    parameters = {},
    stopAfterMs,
  }: { doors?: Doors; parameters?: Record<string, unknown>; stopAfterMs?: number } = {},
): Promise<WholeRun & { noted: string[] }> {
  const whole = await wholeRun({
    ...{ clock: new SimulatedClock(), folder, parameters, stopAfterMs, ways: doors.ways },
    experiment: {
      ...experiment,
      run: (_, context) => run(context as ContextWith<Capability>, doors),
      verdict: () => ({ verdict: 'PASS', reason: 'it ended' }),
    },
  });
  return { ...whole, noted: doors.noted };
}

const ends: [end: string, run: Run, state: string][] = [
  [
    'ends well',
    async function* (_, { noted }) {
      noted.push('runs');
      yield exampleRow(0);
    },
    'finished',
  ],
  [
    'fails',
    async function* (_, { noted }) {
      noted.push('runs');
      yield exampleRow(0);
      throw new Error('it broke');
    },
    'failed',
  ],
  [
    'is stopped',
    async function* ({ clock, signal }, { noted }) {
      noted.push('runs');
      yield exampleRow(0);
      await clock.sleep(60_000, signal);
    },
    'aborted',
  ],
];

test('each experiment is among them', () => {
  const ids = experiments.map(({ declaration }) => declaration.id);
  expect(new Set(needed.map(([id]) => id))).toEqual(new Set(ids));
});

describe.each(needed)('%s %j', (id, parameters, names) => {
  const experiment = experimentOf(id);

  test.each(ends)(
    'that %s has opened what it needs, once, before, and closed it after',
    async (_, run, state) => {
      const { outcome, noted } = await carryOut(experiment, run, { parameters, stopAfterMs: 5_000 });
      expect(outcome.state).toBe(state);
      const closed = [...names].reverse();
      expect(noted).toEqual([
        ...names.map((name) => `open ${name}`),
        'runs',
        ...closed.map((name) => `close ${name}`),
      ]);
    },
  );

  test.each(all.filter((name) => !names.includes(name)))('fails where it uses %s', async (name) => {
    const { outcome, noted } = await carryOut(
      experiment,
      async function* (context) {
        void context[name];
        yield exampleRow(0);
      },
      { parameters },
    );
    expect(outcome).toMatchObject({
      ...{ state: 'failed', verdict: null },
      reason: `The experiment uses ${name}, which it does not name in what it needs`,
    });
    expect(noted.filter((entry) => entry.endsWith(` ${name}`))).toEqual([]);
  });
});

const three: Experiment = { ...experimentOf('storage'), needs: () => ['tools', 'native', 'helper'] };
const [[, endWell]] = ends as [(typeof ends)[number]];

test('where one does not open, nothing is run, and those before it are closed', async () => {
  const { outcome, run, noted } = await carryOut(three, endWell, { doors: new Doors({ open: 'helper' }) });
  expect(outcome).toMatchObject({ state: 'failed', verdict: null, reason: 'helper is not to be had' });
  expect(run.rows).toEqual([]);
  expect(noted).toEqual(['open tools', 'open native', 'close native', 'close tools']);
});

test('where one does not close, the others are closed, the run says so and its verdict stands', async () => {
  const { outcome, incidents, noted } = await carryOut(three, endWell, {
    doors: new Doors({ close: 'native' }),
  });
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect(noted.slice(-3)).toEqual(['close helper', 'close native', 'close tools']);
  expect(incidents).toEqual([['problem', 'The process that answers for native code did not close: stuck']]);
});

test('what a run needed is not to be had after it, and was closed before the run ended', async () => {
  const kept: ContextWith<Capability>[] = [];
  const { folder: runFolder } = await carryOut(
    three,
    async function* (context) {
      kept.push(context);
      void context.tools;
      yield exampleRow(0);
    },
    { doors: new Doors({ close: 'tools' }) },
  );
  expect(() => kept[0]?.tools).toThrow('The experiment uses tools');
  expect(readEvents(runFolder).map(({ kind }) => kind)).toEqual(['run-started', 'problem', 'run-ended']);
});

test('what is named twice is opened once', async () => {
  const twice: Experiment = { ...three, needs: () => ['tools', 'tools'] };
  expect((await carryOut(twice, endWell)).noted).toEqual(['open tools', 'runs', 'close tools']);
});
