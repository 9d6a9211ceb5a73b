import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { flagOf, parameterSchemas } from '../engine/runs/parameters';
import { declarations } from '../experiments/declarations';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';
import { flagMeanings } from '../testing/flag-meanings';
import { whitelineProgram } from './commands';
import { fleetProgram } from './fleet-commands';
import { nmosProgram } from './nmos-commands';

interface FoundFlag {
  name: string;
  command: string;
  option: Option;
}

function flagsIn(command: Command, path: readonly string[] = []): FoundFlag[] {
  const own = command.options.flatMap((option) =>
    option.long ? [{ name: option.long.slice(2), command: path.join(' '), option }] : [],
  );
  return [...own, ...command.commands.flatMap((each) => flagsIn(each, [...path, each.name()]))];
}

const found = [whitelineProgram(null), nmosProgram(), fleetProgram()].flatMap((program) => flagsIn(program));
const ofRun = declarations.map(({ id }) => `run ${id}`);
const isDuration = ({ option }: FoundFlag): boolean => /<durations?(\.\.\.)?>/.test(option.flags);
const textOf = ({ command, name }: Pick<FoundFlag, 'command' | 'name'>): string => `${command} --${name}`;

/** Those of an experiment stand in its folder. */
const written = [
  ...Object.entries(flagMeanings).flatMap(([name, [meaning, ...commands]]) =>
    commands
      .flatMap((command) => (command === 'run *' ? ofRun : [command]))
      .map((command) => ({ name, meaning, command })),
  ),
  ...declarations.flatMap(({ id }) =>
    Object.entries(flagsOf(id)).map(([name, meaning]) => ({ name, meaning, command: `run ${id}` })),
  ),
];

function flagsOf(id: string): Record<string, string> {
  const text = readFileSync(`app/experiments/${id}/flags.json`, 'utf8');
  return z.record(z.string(), z.string()).parse(JSON.parse(text));
}

test('each flag of each command has a meaning, and each meaning that is written down has its flag', () => {
  expect(found.map(textOf).sort()).toEqual(written.map(textOf).sort());
});

test('a name of a flag means the same wherever it stands, and no other name does', () => {
  const pairs = new Set(written.map(({ name, meaning }) => `${name}: ${meaning}`));
  expect(pairs.size).toBe(new Set(written.map(({ name }) => name)).size);
  expect(pairs.size).toBe(new Set(written.map(({ meaning }) => meaning)).size);
});

test('a flag takes a value in every command that has it, or in none; and a duration in all or none', () => {
  for (const flag of found) {
    const same = found.filter(({ name }) => name === flag.name);
    expect(new Set(same.map(isDuration)).size, flag.name).toBe(1);
    // `report` alone writes files.
    const valued = same.filter(({ command }) => command !== 'report');
    expect(new Set(valued.map(({ option }) => option.isBoolean())).size, flag.name).toBeLessThan(2);
  }
});

test('what is read as a duration is shown as one, and its usual value has a unit', () => {
  const seconds = declarations.flatMap((declaration) =>
    Object.entries(parameterSchemas(declaration)).flatMap(([key, schema]) =>
      key.endsWith('Seconds') ? [`run ${declaration.id} ${flagOf(key, schema)}`] : [],
    ),
  );
  const shown = found.filter(isDuration);
  const shownOfRuns = shown.filter(({ command }) => command.startsWith('run')).map(textOf);
  expect(shownOfRuns.sort()).toEqual(seconds.sort());
  for (const { option } of shown)
    if (typeof option.defaultValue === 'string')
      expect(option.defaultValue, option.flags).toMatch(/^\d+(ms|s|m|h)$/);
});

test.each([
  [['run', 'link', '--duration', '2s'], '--hold'],
  [['run', 'storage', '--passes', '2'], '--repeats'],
  [['run', 'pacing', '--listen', 'lo'], '--listen-interface'],
  [['run', 'preflight', '--listen', '3s'], '--duration'],
  [['nmos', 'doctor', '--wait', '2s'], '--duration'],
])('%j: a name that a flag had leads to the present one', async (words, present) => {
  const { exitCode, errors } = await whiteline(...words);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toContain(`unknown option '${words.at(-2)}'\n  (Did you mean ${present}?)`);
});

const lists = found.filter(({ option }) => option.variadic);

test.each(lists.map((list) => [textOf(list), list] as const))(
  '%s takes commas and words alike',
  (_, list) => {
    const read = (...words: string[]): unknown =>
      words.reduce<unknown>((before, word) => list.option.parseArg?.(word, before), list.option.defaultValue);
    expect(read('a,b', 'c')).toEqual(['a', 'b', 'c']);
    expect(read('a', 'b', 'c')).toEqual(read('a, b,c'));
    expect(read('a\\,b')).toEqual(['a,b']);
  },
);
