import { describe, expect, test } from 'vitest';
import { Random, seeds } from '../testing/random';
import { parseSharedRecords, type SharedRecords, sharedRecordsXml } from './shared-records';

const example: SharedRecords = {
  senderId: 3,
  sourceId: 4711,
  startNs: 123_456_789_012,
  wallOffsetUs: 1_700_000_000_000_000,
  boot: '1f0e-22',
  submitted: [10, 11, 12, 14],
  missed: [13],
};

test('records travel as ranges and come back as they were', () => {
  const xml = sharedRecordsXml(example);
  expect(xml).toContain('submitted="10-12,14" missed="13"');
  expect(parseSharedRecords(xml)).toEqual(example);
  const empty = { ...example, submitted: [], missed: [] };
  expect(parseSharedRecords(sharedRecordsXml(empty))).toEqual(empty);
  const wrapped = { ...example, submitted: [4294967294, 4294967295, 0, 1] };
  expect(parseSharedRecords(sharedRecordsXml(wrapped))).toEqual(wrapped);
});

test.each([
  ['nothing', ''],
  ['another element', '<ndi_tally on="1"/>'],
  ['no attributes', '<whiteline_records />'],
  ['another version', sharedRecordsXml(example).replace('version="1"', 'version="2"')],
  ['a sender that is no number', sharedRecordsXml(example).replace('sender="3"', 'sender="x"')],
  [
    'a start that no number holds',
    sharedRecordsXml(example).replace(/start="\d+"/, 'start="99999999999999999"'),
  ],
  ['a range that runs backwards', sharedRecordsXml(example).replace('10-12', '12-10')],
  ['a number of more than 32 bits', sharedRecordsXml(example).replace('10-12', '4294967296')],
  ['a range that would fill the memory', sharedRecordsXml(example).replace('10-12', '0-4294967295')],
  ['many large ranges', sharedRecordsXml(example).replace('10-12', Array(50).fill('0-9999').join(','))],
  ['a second element', `${sharedRecordsXml(example)}<x/>`],
  ['an attribute with markup', sharedRecordsXml(example).replace('1f0e-22', '<b>')],
])('%s is not such a message', (_, xml) => {
  expect(parseSharedRecords(xml)).toBeNull();
});

test('a message that nearly matches is refused in no time', () => {
  const hostile = `<whiteline_records ${'a="b" '.repeat(20_000)}`;
  const startedMs = Date.now();
  expect(parseSharedRecords(hostile)).toBeNull();
  expect(parseSharedRecords(`<whiteline_records ${'a=""'.repeat(20_000)}>`)).toBeNull();
  expect(Date.now() - startedMs).toBeLessThan(2000);
});

describe.each(seeds)('seed %i', (seed) => {
  test('random records come back as they were', () => {
    const random = new Random(seed);
    for (let round = 0; round < 500; round++) {
      let number = random.whole(0, 2 ** 31);
      const submitted: number[] = [];
      const missed: number[] = [];
      for (let index = random.whole(0, 80); index > 0; index--) {
        number += random.chance(0.9) ? 1 : random.whole(2, 1000);
        (random.chance(0.95) ? submitted : missed).push(number);
      }
      const records = { ...example, senderId: random.whole(0, 65535), submitted, missed };
      expect(parseSharedRecords(sharedRecordsXml(records))).toEqual(records);
    }
  });

  test('foreign bytes never throw, and what is taken is sound', () => {
    const random = new Random(seed);
    const good = sharedRecordsXml(example);
    for (let round = 0; round < 20_000; round++) {
      const bytes = [...good];
      for (let edits = random.whole(1, 4); edits > 0; edits--) {
        const at = random.whole(0, bytes.length - 1);
        const byte = String.fromCharCode(random.chance(0.7) ? random.whole(32, 126) : random.whole(0, 65535));
        if (random.chance(0.3)) bytes.splice(at, random.whole(1, 20));
        else bytes[at] = byte;
      }
      const records = parseSharedRecords(bytes.join(''));
      if (!records) continue;
      expect(records.submitted.length + records.missed.length).toBeLessThanOrEqual(200_002);
      for (const value of [...records.submitted, ...records.missed, records.senderId, records.sourceId])
        expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
    }
  });
});
