import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { planText } from '../engine/plans/plan-text';
import { parsePlan } from '../engine/plans/read-plan';
import { commandLine, flagKey, flagOf, parameterSchemas, readParameters } from '../engine/runs/parameters';
import type { ExperimentDeclaration } from '../experiments/declaration';
import { declarations } from '../experiments/declarations';
import { declarationOf } from '../experiments/find';
import { badInput, problemText, toProblem } from '../protocol/errors';
import type { FieldSchema } from '../protocol/field-schema';
import { Random, seeds } from '../testing/random';
import { asTyped } from './finishing';
import { addParameterFlags, experimentFlags, type Flags, parametersOf, runFlagKeys } from './flags';

type Parameters = Record<string, unknown>;

const runsOfEach = 40;

/** Texts that a shell, YAML or a flag parser could take for something else, and some that parsers of ours ask for. */
const texts = [
  ...['a b', "it's", '"quoted"', '$HOME `id` \\', '#1 & more; !', '*?[x]', 'é 漢', 'two\nlines', ' edge '],
  ...['-5', '--out', '--', '-h', '=x', '1e3', '007', 'true', 'null', '~', '- x', 'a: b', '%', '1,2', ''],
  ...['white-line', 'noise', '640x360@30', '1920x1080@59.94', '1280x720', '60000/1001', 'skip:1-2; miss:9'],
  ...['192.0.2.7', 'render-pc', '192.0.2.7:5201', 'bars', '/tmp/a b', 'C:\\clips\\a.mov'],
];

function randomValue(schema: FieldSchema, random: Random): unknown {
  const { type, minimum = -1e9, maximum = 1e9, minItems = 0, maxItems = 4 } = schema;
  if (schema.anyOf) return randomValue(random.pick(schema.anyOf), random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'integer') return random.pick([minimum, maximum, random.whole(minimum, maximum)]);
  if (type === 'number')
    return random.pick([minimum, maximum, minimum + random.next() * (maximum - minimum)]);
  if (type === 'array') {
    const length = random.whole(minItems, Math.max(minItems, Math.min(maxItems, 4)));
    return Array.from({ length }, () => randomValue(schema.items ?? {}, random));
  }
  return random.pick(texts);
}

/** Valid parameters: each field by chance left out, or a value that its own schema takes. */
function randomParameters(declaration: ExperimentDeclaration, random: Random): Parameters {
  const shape = declaration.parameters.shape as Record<string, z.ZodType>;
  for (let attempt = 0; attempt < 2000; attempt++) {
    const parameters: Parameters = {};
    for (const [key, schema] of Object.entries(parameterSchemas(declaration))) {
      if (random.chance(0.3)) continue;
      const values = Array.from({ length: 30 }, () => randomValue(schema, random));
      const value = values.find((candidate) => shape[key]?.safeParse(candidate).success);
      if (value !== undefined) parameters[key] = value;
    }
    const result = declaration.parameters.safeParse(parameters);
    if (result.success) return result.data;
  }
  throw new Error(`No valid parameters of ${declaration.id} were found`);
}

/** The words that a real shell makes of each command. */
function wordsOf(commands: readonly string[]): string[][] {
  const end = 'END OF THE COMMAND';
  const script = commands.map((command) => `printf '%s\\0' ${command} '${end}'`).join('\n');
  const output = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 64e6 });
  const all: string[][] = [[]];
  for (const word of output.split('\0').slice(0, -1)) {
    if (word === end) all.push([]);
    else all[all.length - 1]?.push(word);
  }
  return all.slice(0, -1);
}

/** What the command's own flag parser makes of them, behind `whiteline run`. */
function parsed(declaration: ExperimentDeclaration, words: readonly string[]): Parameters {
  let flags: Flags = {};
  const program = new Command('whiteline').enablePositionalOptions().exitOverride();
  const run = program.command('run <plan>').enablePositionalOptions().option('--out <folder>');
  const command = run.command(declaration.id).allowExcessArguments(false).option('--out <folder>');
  addParameterFlags(command, declaration).action((given: Flags) => {
    flags = given;
  });
  program.parse([...words], { from: 'user' });
  return readParameters(declaration, parametersOf(declaration, flags));
}

/** A switch that is off and one that was not named are the same. */
function withoutOff(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== false));
}

describe.each(seeds)('seed %i', (seed) => {
  test.each(declarations)('every run of $id is repeated by its command line', (declaration) => {
    const random = new Random(seed);
    const all = Array.from({ length: runsOfEach }, () => randomParameters(declaration, random));
    const keys = Object.keys(parameterSchemas(declaration));
    expect(keys.filter((key) => all.every((parameters) => parameters[key] === undefined))).toEqual([]);
    const words = wordsOf(all.map((parameters) => commandLine(declaration, parameters)));
    for (const [index, parameters] of all.entries()) {
      const [program, ...rest] = words[index] ?? [];
      expect(program).toBe('whiteline');
      expect(withoutOff(parsed(declaration, rest)), `seed ${seed}: ${rest.join(' ')}`).toEqual(
        withoutOff(parameters),
      );
    }
  });

  test.each(declarations)('every run of $id is repeated by its plan', (declaration) => {
    const random = new Random(seed);
    for (let index = 0; index < runsOfEach; index++) {
      const parameters = randomParameters(declaration, random);
      const notes = random.chance(0.5) ? undefined : random.pick(['One line', 'Two\nlines # and a sign']);
      const experiments = [{ experiment: declaration.id, parameters, repeat: random.whole(1, 3) }];
      // A name is one line.
      const name = random.pick(texts.filter((text) => text !== '' && !text.includes('\n')));
      const plan = { name, notes, experiments };
      const text = planText(plan);
      const read = parsePlan(text, 'plan.yaml').plan;
      expect(read, `seed ${seed}:\n${text}`).toEqual(JSON.parse(JSON.stringify(plan)));
    }
  });
});

test.each(declarations)('no parameter of $id is named like a flag of whiteline run', (declaration) => {
  const flags = Object.entries(parameterSchemas(declaration)).map(([key, schema]) => flagKey(key, schema));
  expect(flags.filter((flag) => runFlagKeys.includes(flag))).toEqual([]);
  expect(new Set(flags).size).toBe(flags.length);
});

test('sources are named as one source is', () => {
  const declaration = declarationOf('codec-quality');
  const words = ['run', 'codec-quality', '--source', 'a.mov', '--source', 'noise'];
  expect(parsed(declaration, words)).toMatchObject({ sources: ['a.mov', 'noise'] });
  const line = commandLine(declaration, { sources: ['a.mov', 'noise'] });
  expect(line).toBe('whiteline run codec-quality --source a.mov --source noise');
});

test.each(declarations)(
  'the help of $id says what a flag switches off, as its description goes on, and says so of no other flag',
  (declaration) => {
    const help = addParameterFlags(new Command(), declaration)
      .configureHelp({ helpWidth: 10_000 })
      .helpInformation();
    const switches = Object.entries(parameterSchemas(declaration)).filter(
      ([, schema]) => schema.default === true,
    );
    expect(help.match(/ without this flag, the run /g) ?? []).toHaveLength(switches.length);
    for (const [key, schema] of switches) {
      const [, text = ''] = new RegExp(`${flagOf(key, schema)} +(.+)`).exec(help) ?? [];
      expect(text).toMatch(/^without this flag, the run [a-z]/);
      expect(text.toLowerCase()).toContain(schema.description?.toLowerCase());
    }
  },
);

test.each(declarations)('the help of $id says what counts without a flag', (declaration) => {
  const help = addParameterFlags(new Command(), declaration)
    .configureHelp({ helpWidth: 10_000 })
    .helpInformation();
  expect(help).not.toContain('--sources <values');
  expect(help).not.toMatch(/default: *\)/);
  for (const [key, schema] of Object.entries(parameterSchemas(declaration))) {
    const { default: usual } = schema;
    if (usual === undefined || typeof usual === 'boolean' || [usual].flat().join('') === '') continue;
    const line = help.split('\n').find((text) => text.includes(`  ${flagOf(key, schema)} `));
    expect(line).toMatch(/default/);
    const shown = [usual].flat().join(key.endsWith('Seconds') ? 's ' : ' ');
    if (!/default/i.test(schema.description ?? '')) expect(line).toContain(`(default: ${shown}`);
  }
});

test.each(declarations)(
  'the help of $id lists the basic flags first, and all others under Advanced',
  (of) => {
    const command = addParameterFlags(new Command(), of).option('--out <folder>', 'a flag of the run');
    const [, options = '', advanced = ''] = command.helpInformation().split(/\n(?:Options|Advanced):\n/);
    const flagsIn = (text: string): string[] => text.match(/(?<=^ {2})--[\w-]+/gm) ?? [];
    const flags = Object.entries(parameterSchemas(of)).map(
      ([key, schema]) => [key, flagOf(key, schema)] as const,
    );
    const flagsOf = (isBasic: boolean): string[] =>
      flags.filter(([key]) => of.basic.includes(key) === isBasic).map(([, flag]) => flag);
    expect(flagsIn(options)).toEqual([...flagsOf(true), '--out']);
    expect(flagsIn(advanced)).toEqual(flagsOf(false));
  },
);

/** What a command says of words that were typed; nothing where it takes them. */
function refusal({ id }: ExperimentDeclaration, words: readonly string[], check = () => {}): string {
  const declaration = declarationOf(id);
  const run = new Command('whiteline').exitOverride().command('run <plan>').enablePositionalOptions();
  const command = addParameterFlags(run.command(id), declaration);
  let said = '';
  command.action((given: Flags) => {
    try {
      readParameters(declaration, parametersOf(declaration, given));
      check();
    } catch (error) {
      said = problemText(asTyped(toProblem(error), command, experimentFlags));
    }
  });
  run.parent?.parse(['run', id, ...words], { from: 'user' });
  return said;
}

/** Values of a kind that a parameter does not take, as they are typed. */
function wrongTexts(key: string, schema: FieldSchema): string[] {
  const { type, minimum, maximum, items } = schema;
  if (type === 'array') return items ? wrongTexts(key, items) : [];
  if (schema.enum) return ['nonsense'];
  if (type !== 'integer' && type !== 'number') return [];
  const units = key.endsWith('Seconds') ? ['s', 'ms', ''] : [''];
  const scale: Record<string, number> = { s: 1, ms: 1000, '': 1 };
  const isOpen = (limit: number | undefined): boolean => limit === undefined || Math.abs(limit) > 1e12;
  const below =
    isOpen(minimum) || (units.length > 1 && minimum === 0) ? [] : [Math.max(0, (minimum ?? 0) - 1)];
  const above = isOpen(maximum) ? [] : [(maximum ?? 0) + 1];
  return [...below, ...above]
    .filter((value) => value < (minimum ?? value) || value > (maximum ?? value))
    .flatMap((value) => units.map((unit) => `${value * (scale[unit] ?? 1)}${unit}`));
}

describe.each(declarations)('a wrong value of $id', (declaration) => {
  const schemas = Object.entries(parameterSchemas(declaration));
  const cases = schemas.flatMap(([key, schema]) =>
    wrongTexts(key, schema).map((text) => [flagOf(key, schema), text] as const),
  );

  test.skipIf(cases.length === 0).each(cases)(
    '%s %s is named as it was typed, with what helps',
    (flag, text) => {
      expect(refusal(declaration, [flag, text])).toMatch(
        new RegExp(`^Expected .+ for ${flag} but received ${text}\\. (${flag}: )?\\S+`),
      );
    },
  );
});

test('a remedy names flags, and not the fields of a plan', () => {
  const said = (field: string, remedy: string): string =>
    refusal(declarationOf('stream-load'), [], () => {
      throw badInput(field, 'less', 9, remedy);
    });
  expect(said('goal', 'The run could never pass: lower the goal, or raise maxStreams')).toBe(
    'Expected less for --goal but received 9. The run could never pass: lower the goal, or raise --max-streams',
  );
  expect(said('scale', 'Set its size with format')).toMatch(/Set its size with --format$/);
  expect(said('hold', 'Give the movie, or use sources less')).toMatch(
    /Give the movie, or use --sources? less$/,
  );
});
