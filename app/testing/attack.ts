import { type Random, seeds } from './random';

/** Of the whole suite. */
export const [attackSeed] = seeds;

/** How many of something: a few, or as many as the long form (`npm run soak -- attack`) asks for. */
export function attackCount(
  variable: 'WHITELINE_ATTACK_KILLS' | 'WHITELINE_ATTACK_CUTS',
  few: number,
): number {
  return Number(process.env[variable] ?? few);
}

/** A value as hostile JSON may be: of every kind, some of them long, odd or nested. */
export function hostileValue(random: Random, levels = 3): unknown {
  const simple: readonly unknown[] = [
    ...[
      null,
      true,
      false,
      0,
      -1,
      1e308,
      0.5,
      2 ** 53,
      '',
      'x',
      '__proto__',
      '../../../etc/passwd',
      '\u202e\u0007',
    ],
    'x'.repeat(random.whole(1, 5000)),
  ];
  if (levels === 0 || random.chance(0.5)) return random.pick(simple);
  const entries = Array.from({ length: random.whole(0, 6) }, () => hostileValue(random, levels - 1));
  if (random.chance(0.4)) return entries;
  const names = ['__proto__', 'constructor', 'toString', 'valueOf', 'toJSON', 'length', 'name', 'type', 'x'];
  return Object.fromEntries(entries.map((value) => [random.pick(names), value]));
}

/** JSON of lists in objects in lists, as deep as asked for, which no stringify could make. */
export function nestedText(depth: number): string {
  return '{"x":['.repeat(depth / 2) + ']}'.repeat(depth / 2);
}

/** A request as a window sends it, with parts of it put out of place, left out or made hostile. */
export function spoiltRequest(random: Random, command: Record<string, unknown>): unknown {
  const request: Record<string, unknown> = { type: 'request', requestId: random.whole(1, 1e6), command };
  const spoil = (part: Record<string, unknown>): void => {
    const keys = Object.keys(part);
    const key = keys.length > 0 && random.chance(0.9) ? random.pick(keys) : '__proto__';
    if (random.chance(0.2)) delete part[key];
    else part[key] = hostileValue(random);
  };
  for (let spoilt = 0; spoilt < random.whole(1, 2); spoilt++)
    spoil(random.chance(0.7) ? { ...command } : request);
  const spoiltCommand = { ...command };
  spoil(spoiltCommand);
  return { ...request, ...(random.chance(0.8) && { command: spoiltCommand }) };
}
