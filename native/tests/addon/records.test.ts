import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LateCause, MissCause, PictureClass, PictureStatus, SlotState } from '../../../app/protocol/records';

const header = readFileSync('native/media/records/records.h', 'utf8');

/** Names and values of an enumeration of the core. */
function numbersOf(name: string): Record<string, number> {
  const [, names = ''] = new RegExp(`enum class ${name} : uint8_t \\{([^}]*)\\}`).exec(header) ?? [];
  return Object.fromEntries(
    [...names.matchAll(/(\w+) = (\d+)/g)].map(([, key, value]) => [key, Number(value)]),
  );
}

test.each(Object.entries({ SlotState, LateCause, MissCause, PictureStatus, PictureClass }))(
  '%s has the same numbers in the core',
  (name, numbers) => {
    expect(numbersOf(name)).toEqual(numbers);
  },
);
