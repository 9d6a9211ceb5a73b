import { execFileSync } from 'node:child_process';
import type { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { followedAgain } from '../engine/runs/typed-again';
import { cases, Random, seeds } from '../testing/random';
import { whitelineProgram } from './commands';
import { sendAgain } from './send';
import { watchAgain } from './watch';

test('the command that repeats a watch has all that decides what is measured (V29)', () => {
  const flags = {
    address: ['192.0.2.7:5961', '192.0.2.8:5961'],
    from: ['192.0.2.7', '192.0.2.8'],
    duration: '10s',
  };
  const where = { out: '/tmp/run', session: 'evening', captureLogs: true, json: true };
  expect(watchAgain(['RACK (Whiteline 1)', "O'Neil"], { ...flags, ...where, thresholds: 'live' })).toBe(
    "whiteline watch 'RACK (Whiteline 1)' 'O'\\''Neil' --address 192.0.2.7:5961 --address 192.0.2.8:5961 --from 192.0.2.7 --from 192.0.2.8 --duration 10s --thresholds live",
  );
});

test('the command that repeats a send has all that decides what is sent', () => {
  const flags = { source: 'my clip.mov', format: '1280x720@60', reads: 'cached', pixelFormat: 'uyvy' };
  expect(
    sendAgain({
      ...{ ...flags, streams: '2', name: 'Whiteline', startFrame: '7', preload: true },
      ...{ audio: false, out: '/tmp/run', duration: '10' },
    }),
  ).toBe(
    "whiteline send --source 'my clip.mov' --format 1280x720@60 --reads cached --pixel-format uyvy --streams 2 --name Whiteline --start-frame 7 --preload --duration 10 --no-audio",
  );
});

test('what a live run followed is read back from its command: each sender with its address, whatever their order', () => {
  const senders = [
    { name: 'KAM, 1' },
    { name: "O'Neil (C)", address: '192.0.2.7:5961' },
    { name: 'KAM 2' },
    { name: '-x', address: '[2001:db8::7]:5962' },
  ];
  const live = followedAgain(senders, { from: ['192.0.2.9', 'render-2'], thresholds: 'my limits.yaml' });
  const { names, flags } = parsed('watch', wordsOf(live.command));
  expect({ names, ...flags }).toEqual(live.parameters);
  expect(names).toEqual(["O'Neil (C)", '-x', 'KAM, 1', 'KAM 2']);
  expect(flags).toMatchObject({ address: ['192.0.2.7:5961', '[2001:db8::7]:5962'] });
});

/** Where a command writes, what it says meanwhile, and who tests for whom: chosen anew each time. */
const elsewhere = [
  ...['out', 'session', 'json', 'captureLogs', 'metrics'],
  ...['project', 'client', 'operator', 'logo'],
];
const texts = [
  'a',
  'RACK (Whiteline 1)',
  "it's",
  'a,b',
  '-x',
  '--json',
  '$(id)',
  'ü\\n',
  '192.0.2.7:5961',
  '~/clip.mov',
];

interface Parsed<Flags extends object> {
  names: string[];
  flags: Flags;
}

/** What the command is given by these words; nothing is carried out. */
function parsed<Flags extends object>(name: string, words: readonly string[]): Parsed<Flags> {
  const program = whitelineProgram(null);
  const command = commandOf(program, name).action(() => undefined);
  program.parse([name, ...words], { from: 'user' });
  const flags = { ...command.opts<Flags>() };
  for (const key of elsewhere) Reflect.deleteProperty(flags, key);
  return { names: command.args, flags };
}

function commandOf(program: Command, name: string): Command {
  const command = program.commands.find((each) => each.name() === name);
  if (!command) throw new Error(`There is no command ${name}`);
  return command;
}

/** As a shell has them. */
function wordsOf(command: string): string[] {
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return said.split('\0').slice(2, -1);
}

function typedOf(option: Option, random: Random): string[] {
  const flag = option.long ?? '';
  if (option.isBoolean() || option.negate) return [flag];
  const values = Array.from({ length: option.variadic ? random.whole(1, 3) : 1 }, () => random.pick(texts));
  return values.flatMap((value) => [flag, option.variadic ? value.replaceAll(',', '\\,') : value]);
}

describe.each(seeds)('seed %i', (seed) => {
  test('whatever watch is given, the command that repeats it is given too', () => {
    expectRepeated<Parameters<typeof watchAgain>[1]>('watch', seed, ({ names, flags }) =>
      watchAgain(names, flags),
    );
  });

  test('whatever send is given, the command that repeats it is given too', () => {
    expectRepeated<Parameters<typeof sendAgain>[0]>('send', seed, ({ flags }) => sendAgain(flags));
  });
});

function expectRepeated<Flags extends object>(
  name: string,
  seed: number,
  again: (typed: Parsed<Flags>) => string,
): void {
  const random = new Random(seed);
  const { options } = commandOf(whitelineProgram(null), name);
  const seen = new Set<string>();
  for (let run = 0; run < cases(40, 400); run++) {
    const given = options.filter(() => random.chance(0.4));
    for (const option of given) seen.add(option.attributeName());
    const count = name === 'watch' ? random.whole(1, 3) : 0;
    const names = Array.from({ length: count }, () => random.pick(texts));
    const words = [...given.flatMap((option) => typedOf(option, random)), '--', ...names];
    const typed = parsed<Flags>(name, words);
    const repeated = again(typed);
    expect(parsed<Flags>(name, wordsOf(repeated)), `seed ${seed}: ${repeated}`).toEqual(typed);
  }
  expect(seen.size).toBe(options.length);
}
