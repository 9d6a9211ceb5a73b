import { expect, test } from 'vitest';
import { faultVerbs } from '../../../protocol/records';
import { isSpoiling, kindOfVerb } from '../../faults/expected-counts';
import { injectedFrames } from './injected';

const span = { missCause: 0, firstFrame: 10, lastFrame: 12, frames: 3 };

test.each(faultVerbs.filter(isSpoiling))(
  '%s explains what it spoils, and pictures that lose their code by it',
  (verb) => {
    const faults = [{ verb, first: 11, last: 20 }];
    expect(injectedFrames(faults, { ...span, stage: kindOfVerb[verb] }, 25)).toBe(2);
    expect(injectedFrames(faults, { ...span, stage: 'undecodable' }, 25)).toBe(2);
    expect(injectedFrames(faults, { ...span, stage: 'transport' }, 25)).toBe(0);
  },
);

test('black explains pictures without a code, and a repeat does not', () => {
  expect(
    injectedFrames([{ verb: 'black', first: 10, last: 10 }], { ...span, stage: 'undecodable' }, 25),
  ).toBe(1);
  expect(
    injectedFrames([{ verb: 'repeat', first: 10, last: 10 }], { ...span, stage: 'undecodable' }, 25),
  ).toBe(0);
});
