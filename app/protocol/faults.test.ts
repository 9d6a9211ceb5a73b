import { expect, test } from 'vitest';
import { faultsText, moveFaults, parseFaults, parseSentFaults } from './faults';
import { faultVerbs } from './records';

const allVerbs =
  'miss:10-12; skip:100-104; repeat:200; swap:300,301; tear:400; ' +
  'tear-middle:410; stale-band:420-421; green:430; swap-chroma:440; dim:450; shrink:460; mislabel:470; ' +
  'damage-top:500; damage-bottom:510; delay:600,50ms; black:700-710; stall:800-860';

test('every verb is read, and written back as it was', () => {
  const faults = parseFaults(allVerbs);
  expect(faults).toEqual([
    { verb: 'miss', first: 10, last: 12 },
    { verb: 'skip', first: 100, last: 104 },
    { verb: 'repeat', first: 200, last: 200 },
    { verb: 'swap', first: 300, last: 301 },
    { verb: 'tear', first: 400, last: 400 },
    { verb: 'tear-middle', first: 410, last: 410 },
    { verb: 'stale-band', first: 420, last: 421 },
    { verb: 'green', first: 430, last: 430 },
    { verb: 'swap-chroma', first: 440, last: 440 },
    { verb: 'dim', first: 450, last: 450 },
    { verb: 'shrink', first: 460, last: 460 },
    { verb: 'mislabel', first: 470, last: 470 },
    { verb: 'damage-top', first: 500, last: 500 },
    { verb: 'damage-bottom', first: 510, last: 510 },
    { verb: 'delay', first: 600, last: 600, delayMs: 50 },
    { verb: 'black', first: 700, last: 710 },
    { verb: 'stall', first: 800, last: 860 },
  ]);
  expect(new Set(faults.map(({ verb }) => verb))).toEqual(new Set(faultVerbs));
  expect(faultsText(faults)).toBe(allVerbs);
});

test('spaces, an empty end, ranges of one and seconds are understood', () => {
  expect(parseFaults('')).toEqual([]);
  expect(parseFaults(' skip: 300 ;; delay:5-7,1.5s ; ')).toEqual([
    { verb: 'skip', first: 300, last: 300 },
    { verb: 'delay', first: 5, last: 7, delayMs: 1500 },
  ]);
  expect(faultsText(parseFaults('skip:300-300;delay:5-7,1.5s'))).toBe('skip:300; delay:5-7,1500ms');
});

test.each([
  ['skip', /VERB:NUMBERS with one of miss, skip.+ but received skip\b/],
  ['drop:5', /but received drop:5/],
  ['miss:10-14, skip:100-104', /a semicolon between two faults for inject/],
  ['skip:', /a number, or a range .+ behind skip: for inject but received skip:/],
  ['skip:5-4', /a number, or a range .+ behind skip: for inject but received skip:5-4/],
  ['skip:-5', /behind skip:/],
  ['skip:1-2-3', /behind skip:/],
  ['skip:9999999999', /behind skip:/],
  ['miss:a', /behind miss:/],
  ['skip:5,50ms', /behind skip:/],
  ['swap:300', /two numbers, the lower one first behind swap:/],
  ['swap:300-301', /behind swap:/],
  ['swap:301,300', /behind swap:/],
  ['swap:300,300', /behind swap:/],
  ['delay:600', /how long to wait, at most 10 s behind delay:/],
  ['delay:600,0ms', /behind delay:/],
  ['delay:600,11s', /behind delay:/],
  ['delay:600,soon', /Expected a duration for inject but received soon/],
])('the fault “%s” is refused by field, value and remedy', (text, message) => {
  const refused = (): unknown => parseFaults(`skip:1; ${text}`);
  expect(refused).toThrow(message);
  expect(refused).toThrow(
    expect.objectContaining({ field: 'inject', remedy: expect.stringMatching(/^Use for example /) }),
  );
});

test('faults move to absolute numbers', () => {
  expect(moveFaults(parseFaults('swap:3,4; delay:9,5ms'), 1000)).toEqual([
    { verb: 'swap', first: 1003, last: 1004 },
    { verb: 'delay', first: 1009, last: 1009, delayMs: 5 },
  ]);
});

test('a verb of a sender that is misspelt is answered with those of a sender', () => {
  expect(() => parseSentFaults('skp:0', 'faults')).toThrow(/with one of (?!.*stall)miss.*skip/);
  expect(() => parseFaults('skp:0')).toThrow(/with one of .*stall/);
});

test('a sender has no stall: it is refused with the verb that makes it silent', () => {
  expect(parseSentFaults('skip:0-2; tear:20')).toHaveLength(2);
  expect(() => parseSentFaults('skip:0-2; stall:10-69', 'faults')).toThrow(
    expect.objectContaining({
      ...{ code: 'BAD_INPUT', field: 'faults', value: 'stall:10-69' },
      remedy: expect.stringContaining('for a sender that sends no picture use skip:10-69'),
    }),
  );
});
