import { expect } from 'vitest';

/** A pattern among expected properties would match any text, as an object without properties does: `expect.stringMatching` is meant. */
expect.addEqualityTesters([
  function isPatternForText(received, expected): boolean | undefined {
    return typeof received === 'string' && expected instanceof RegExp ? false : undefined;
  },
]);
