import type { Random } from '../random';

/** What a careless, old, broken or hostile writer puts where something else belongs. */
const strange: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e21, -1e300, 2 ** 31, 2 ** 53 + 2, 5e-324],
  ...[
    '',
    ' ',
    '0',
    '-1',
    'NaN',
    'null',
    '__proto__',
    '../../etc/passwd',
    '\u0000',
    '\ud800',
    '𝄞',
    'ﬀ',
    '=1+1',
  ],
  ...['</script>', '2026-02-30T25:61:61Z', '9'.repeat(400), 'a'.repeat(5000), '(a+)+$'],
  ...[
    [],
    {},
    [[[[]]]],
    [null],
    { length: 1e9 },
    { length: { toString: 1 } },
    { constructor: { prototype: 1 } },
    { toString: 1 },
  ],
];

const keys = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'kind',
  'schema',
  'length',
  '0',
  'details',
  '\u0000',
];

/** A value like this one with one to four changes, each somewhere in it. The value itself stays as it is. */
export function mutated(value: unknown, random: Random): unknown {
  let changed = value;
  for (let left = random.whole(1, 4); left > 0; left--) changed = changedOnce(changed, random);
  return changed;
}

function changedOnce(value: unknown, random: Random): unknown {
  const isEnd = typeof value !== 'object' || value === null || random.chance(0.05);
  if (isEnd) return replacement(value, random);
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.1)) return reshaped(value, random);
  const [key, inner] = random.pick(entries);
  if (Array.isArray(value)) return value.map((item) => (item === inner ? changedOnce(item, random) : item));
  return withOwn(value, key, changedOnce(inner, random));
}

/** Sets a key as JSON.parse would: `__proto__` is one like any other. */
function withOwn(value: object, key: string, inner: unknown): object {
  const copy = { ...value };
  Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

function replacement(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random.chance(0.4)) return value * random.pick([-1, 0, 1e-9, 1e9, 2, 0.5]);
  if (typeof value === 'string' && random.chance(0.4)) return mutatedText(value, random);
  return random.pick(strange);
}

/** One entry less or more, or one of them twice. */
function reshaped(value: object, random: Random): unknown {
  if (Array.isArray(value)) {
    const at = random.whole(0, value.length);
    const item = value.length > 0 && random.chance(0.7) ? random.pick(value) : random.pick(strange);
    const put = random.chance(0.5) ? [] : [item];
    return [...value.slice(0, at), ...put, ...value.slice(at + 1 - put.length)];
  }
  const entries = Object.entries(value);
  if (entries.length > 0 && random.chance(0.6)) {
    const [left] = random.pick(entries);
    return Object.fromEntries(entries.filter(([key]) => key !== left));
  }
  return withOwn(value, random.pick(keys), random.pick(strange));
}

const pieces = [
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    ';',
    '-',
    '/',
    '\\',
    '&',
    '<',
    '>',
  ],
  ...[
    '\u0000',
    '\ufeff',
    '\ud800',
    '0',
    '1',
    '-1',
    '1e999',
    'NaN',
    'null',
    'true',
    '!!js',
    '&a',
    '*a',
    '<<',
    '|',
  ],
  ...['%', '#', '@', '..', '×', '²', '٣', 'a'.repeat(300)],
];

/** A text like this one: pieces cut out, doubled, moved, put in, or written over. */
export function mutatedText(text: string, random: Random): string {
  let changed = text;
  for (let left = random.whole(1, 4); left > 0; left--) {
    const from = random.whole(0, changed.length);
    const to = Math.min(changed.length, from + random.whole(0, random.chance(0.2) ? 200 : 8));
    const [before, cut, after] = [changed.slice(0, from), changed.slice(from, to), changed.slice(to)];
    const put = random.pick(['', cut + cut, random.pick(pieces), random.pick(pieces) + cut]);
    changed = before + put + after;
  }
  return changed;
}
