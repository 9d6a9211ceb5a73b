import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { planJsonSchema } from '../../experiments/plan-schema';
import { temporaryFolder } from '../../testing/temporary-folder';
import { planText } from './plan-text';
import { preparePlan } from './planned-runs';
import { checkedPlan, parsePlan, positionInPlan, readPlan } from './read-plan';

const folder = temporaryFolder();
const host = { request: vi.fn(async (): Promise<never> => Promise.reject(new Error('no such movie'))) };

const checks = { host, transport: { name: 'NDI runtime', check: async () => null } };

const good = `# Before the doors open
name: Hall 3
notes: |
  Both lines
  of it
thresholds: flawless
experiments:
  - experiment: stream-load
    name: Ramp to four
    parameters:
      maxStreams: 4
      holdSeconds: 1.5
      stopOn: [invalid]
  - experiment: stream-load
    repeat: 2
`;

function refusal(text: string): string {
  try {
    parsePlan(text, 'plan.yaml');
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_INPUT' });
    return (error as Error).message;
  }
  throw new Error(`not refused:\n${text}`);
}

test('a plan is read with its defaults, and written again as it was meant', () => {
  const { plan, text } = parsePlan(good, 'plan.yaml');
  expect(text).toBe(good);
  expect(plan).toMatchObject({ name: 'Hall 3', notes: 'Both lines\nof it\n', thresholds: 'flawless' });
  expect(plan.experiments).toEqual([
    {
      ...{ experiment: 'stream-load', name: 'Ramp to four', repeat: 1 },
      parameters: { maxStreams: 4, holdSeconds: 1.5, stopOn: ['invalid'] },
    },
    { experiment: 'stream-load', parameters: {}, repeat: 2 },
  ]);
  const written = planText(plan);
  expect(parsePlan(written, 'again.yaml').plan).toEqual(plan);
  expect(written).toMatch(/holdSeconds: 1\.5 # Measured time of each row, s/);
  expect(written).toMatch(/stopOn: \[invalid\]/);
});

test('a value that a comment could swallow stays whole', () => {
  const parameters = { name: 'a # b', source: '# no\ncomment' };
  const plan = checkedPlan(
    { name: 'x', experiments: [{ experiment: 'stream-load', parameters }] },
    positionInPlan,
  );
  expect(parsePlan(planText(plan), 'plan.yaml').plan).toEqual(plan);
});

/** A plan of one experiment, its lines behind the first two. */
const entry = (...lines: string[]): string =>
  ['name: x', 'experiments:', '  - experiment: stream-load', ...lines].join('\n');
const parameter = (line: string): string => entry('    parameters:', `      ${line}`);

describe('refused with line and column', () => {
  test.each([
    [
      'a value of the wrong type',
      parameter('maxStreams: many'),
      /^plan\.yaml:5:7: Expected a whole number from 1 to 64 for maxStreams but received many\. maxStreams: /,
    ],
    [
      'a value out of range',
      parameter('holdSeconds: 0'),
      /^plan\.yaml:5:7: Expected a number from 1\.5 to 86400 s for holdSeconds but received 0\./,
    ],
    [
      'a value that is missing',
      parameter('maxStreams:'),
      /^plan\.yaml:5:7: Expected .+ for maxStreams but received nothing\./,
    ],
    [
      'a value that a parser refuses',
      parameter('format: 1x1@1'),
      /^plan\.yaml:5:7: Expected an even width .+ for format but received 1x1@1\. Use/,
    ],
    [
      'an entry of a list',
      parameter('stopOn: [invalid, rain]'),
      /^plan\.yaml:5:25: Expected a list.*, each one of .+ for stopOn\.1 but received rain/,
    ],
    [
      'an unknown parameter',
      parameter('maxStream: 4'),
      /^plan\.yaml:5:7: Expected a known parameter for parameters but received maxStream\. Did you mean maxStreams\? Known are source, /,
    ],
    [
      'parameters that are a list',
      entry('    parameters: [1]'),
      /^plan\.yaml:4:5: Expected names with values for parameters but received \[1\]/,
    ],
    [
      'an unknown experiment',
      'name: x\nexperiments:\n  - experiment: speed-of-light',
      /^plan\.yaml:3:5: Expected one of stream-load, .+ for experiment but received speed-of-light/,
    ],
    [
      'an experiment without a name',
      'name: x\nexperiments:\n  - repeat: 2',
      /^plan\.yaml:3:5: Expected one of stream-load.+ for experiment but received nothing/,
    ],
    [
      'an experiment that is a word',
      'name: x\nexperiments:\n  - stream-load',
      /^plan\.yaml:3:5: Expected names with values for the experiment but received stream-load/,
    ],
    [
      'too many repeats',
      entry('    repeat: 101'),
      /^plan\.yaml:4:5: Expected a whole number from 1 to 100 for repeat but received 101/,
    ],
    [
      'an unknown field of an experiment',
      entry('    repeats: 2'),
      /^plan\.yaml:4:5: Expected a known field for the experiment but received repeats\. Did you mean repeat\?/,
    ],
    [
      'an unknown field of the plan',
      'name: x\nnote: y\nexperiments: []',
      /^plan\.yaml:2:1: Expected a known field for the plan but received note\. Did you mean notes\?/,
    ],
    [
      'a plan without experiments',
      'name: x',
      /^plan\.yaml:1:1: Expected a list of 1 to 200 entries with names and values for experiments but received nothing/,
    ],
    [
      'an empty list of experiments',
      'name: x\nexperiments: []',
      /^plan\.yaml:2:1: Expected a list of 1 to 200 entries/,
    ],
    [
      'a plan without a name',
      'experiments:\n  - experiment: stream-load',
      /^plan\.yaml:1:1: Expected a text of 1 to 80 characters for name but received nothing/,
    ],
    ['a list', '- 1', /^plan\.yaml:1:1: Expected names with values for the plan but received \[1\]/],
    ['nothing', '', /^plan\.yaml:1:1: Expected names with values for the plan but received nothing/],
    [
      'half a list',
      'name: x\nexperiments: [',
      /^plan\.yaml:2:\d+: Expected YAML for the plan but received Flow sequence/,
    ],
    [
      'a field twice',
      'name: x\nname: y',
      /^plan\.yaml:2:1: Expected YAML for the plan but received Map keys must be unique/,
    ],
    [
      'a tab as indentation',
      'name: x\nexperiments:\n\t- experiment: stream-load',
      /^plan\.yaml:3:\d+: Expected YAML for the plan but received Tabs are not allowed/,
    ],
    [
      'two documents',
      'name: x\n---\nname: y',
      /^plan\.yaml:\d+:\d+: Expected YAML for the plan but received Source contains multiple documents/,
    ],
    ['a tag', 'name: !secret x', /^plan\.yaml:1:7: Expected YAML for the plan but received Unresolved tag/],
    [
      'an alias of nothing',
      'name: *x',
      /^plan\.yaml:1:\d+: Expected YAML for the plan but received Unresolved alias/,
    ],
  ])('%s', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('everything that is wrong at once, a line for each', () => {
    const text =
      'name: ""\nexperiments:\n  - experiment: stream-load\n    parameters:\n      goal: 0\n      audio: 1\n  - experiment: x';
    const lines = refusal(text).split('\n');
    expect(lines.map((line) => /^plan\.yaml:(\d+:\d+): /.exec(line)?.[1])).toEqual([
      '1:1',
      '5:7',
      '6:7',
      '7:5',
    ]);
  });

  test('an alias is followed to what it stands for', () => {
    const text =
      'name: x\nexperiments:\n  - experiment: stream-load\n    parameters: &p\n      goal: 0\n  - experiment: stream-load\n    parameters: *p';
    expect(refusal(text).split('\n')).toEqual([
      expect.stringMatching(/^plan\.yaml:5:7: /),
      expect.stringMatching(/^plan\.yaml:5:7: /),
    ]);
  });

  test.each([
    ['in itself', 'name: x\nexperiments: &a [*a]', '2:18'],
    ['in parameters', 'name: x\nexperiments:\n  - parameters: &p\n      host: [*p]', '4:14'],
  ])('an alias of what it stands in: %s', (_, text, place) => {
    expect(refusal(text)).toBe(
      `plan.yaml:${place}: Expected YAML for the plan but received an alias inside of what it stands for`,
    );
  });

  test.each(['[', '{a: ', '- ', '? '])('a text nested too deep by %j', (opening) => {
    expect(refusal(opening.repeat(100_000))).toMatch(
      /^plan\.yaml:1:\d+: Expected YAML for the plan but received more than 100 levels of nesting$/,
    );
  });

  test('a small text that unfolds into a huge one', () => {
    const rows = Array.from({ length: 9 }, (_, index) => {
      const before = index === 0 ? '1' : `*a${index - 1}`;
      return `a${index}: &a${index} [${Array(9).fill(before).join(', ')}]`;
    });
    expect(refusal(rows.join('\n'))).toMatch(/Expected YAML for the plan but received Excessive alias count/);
  });
});

test('a name of JavaScript’s own is an unknown parameter like any other', () => {
  expect(refusal(parameter('__proto__: { maxStreams: 3 }'))).toMatch(/Expected a known parameter/);
  expect(refusal(parameter('constructor: 1'))).toMatch(/received constructor/);
});

test('a plan that is not there, or that is something else, is refused by its path', () => {
  expect(() => readPlan(join(folder, 'absent.yaml'))).toThrow(
    expect.objectContaining({
      code: 'NOT_FOUND',
      message: expect.stringContaining('absent.yaml cannot be read (ENOENT)'),
    }),
  );
  expect(() => readPlan(folder)).toThrow(/cannot be read \(EISDIR\)/);
  const film = join(folder, 'film.mov');
  writeFileSync(film, Buffer.alloc(2 * 1024 * 1024));
  expect(() => readPlan(film)).toThrow(
    /Expected a file of at most 1048576 bytes for plan but received .+film\.mov of 2097152 bytes/,
  );
});

test.runIf(process.platform === 'linux')('a device or a pipe is refused at once', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of ['/dev/zero', pipe])
    expect(() => readPlan(path)).toThrow(`Expected a file for plan but received ${path}`);
});

test('a plan of the console is refused with the number of the experiment', () => {
  const plan = {
    name: 'x',
    experiments: [{ experiment: 'stream-load' }, { experiment: 'stream-load', parameters: { goal: 0 } }],
  };
  expect(() => checkedPlan(plan, positionInPlan)).toThrow(
    /^experiment 2: Expected .+ for goal but received 0/,
  );
});

describe('on this machine', () => {
  const prepared = (text: string) => preparePlan(parsePlan(text, 'plan.yaml'), checks);

  test('each run has a folder of its own, in order', async () => {
    const { runs, profile } = await prepared(good);
    expect(profile.name).toBe('flawless');
    expect(runs.map((run) => [run.folder, run.name])).toEqual([
      ['01-ramp-to-four', 'Ramp to four'],
      ['02-stream-load-1', 'stream-load 1'],
      ['03-stream-load-2', 'stream-load 2'],
    ]);
    expect(runs[0]?.prepared.parameters).toMatchObject({ maxStreams: 4, holdSeconds: 1.5, audio: true });
  });

  test('a movie that is missing is reported at its line, beside everything else', async () => {
    const lines = ['    parameters:', `      source: ${join(folder, 'none.mov')}`];
    const text = `${entry(...lines)}\nthresholds: strict`;
    const error = await prepared(text).catch((problem) => problem);
    expect(error.code).toBe('BAD_INPUT');
    expect(error.message.split('\n')).toEqual([
      expect.stringMatching(/^plan\.yaml:5:7: .+none\.mov does not exist/),
      expect.stringMatching(/^plan\.yaml:6:1: Expected one of study, flawless/),
    ]);
  });

  test('without NDI, experiments of streams are reported before anything starts, and wrong input goes first', async () => {
    const transport = { name: 'NDI runtime', check: async () => 'No NDI runtime was found. Install one' };
    const without = (text: string) =>
      preparePlan(parsePlan(text, 'plan.yaml'), { host, transport }).catch((problem) => problem);
    const text = `${entry()}\n  - experiment: preflight`;
    expect(await without(text)).toMatchObject({
      ...{ code: 'REQUIREMENT_MISSING', message: 'plan.yaml:3:5: No NDI runtime was found. Install one' },
    });
    const wrong = await without(`${text}\nthresholds: strict`);
    expect(wrong.code).toBe('BAD_INPUT');
    expect(wrong.message.split('\n')).toHaveLength(2);
  });

  test('thresholds that were chosen go before the plan’s', async () => {
    const { profile, plan } = await preparePlan(parsePlan(good, 'plan.yaml'), {
      ...{ ...checks, chosen: 'study' },
    });
    expect([profile.name, plan.thresholds]).toEqual(['study', 'study']);
  });
});

describe('the published schema', () => {
  const validate = new Ajv2020().compile(JSON.parse(planJsonSchema()));

  test('takes a plan that the code takes', () => {
    expect(validate(parse(good)), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each([
    ['an unknown experiment', { experiment: 'x' }],
    ['a parameter out of range', { experiment: 'stream-load', parameters: { maxStreams: 65 } }],
    ['an unknown parameter', { experiment: 'stream-load', parameters: { maxStream: 4 } }],
    ['too many repeats', { experiment: 'stream-load', repeat: 101 }],
  ])('refuses %s', (_, broken) => {
    expect(validate({ name: 'x', experiments: [broken] })).toBe(false);
    expect(() => checkedPlan({ name: 'x', experiments: [broken] }, positionInPlan)).toThrow();
  });
});
