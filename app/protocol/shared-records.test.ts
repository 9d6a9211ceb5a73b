import { describe, expect, test } from 'vitest';
import { range } from '../testing/columns';
import { Random, seeds } from '../testing/random';
import { sharedLoad } from '../testing/shared-load';
import { InjectedFault, LateCause, MissCause } from './records';
import {
  type CausedFrames,
  maxSharedCharacters,
  maxSharedFrames,
  mostFramesToShare,
  parseSharedRecords,
  type SharedRecords,
  sharedRecordsXml,
} from './shared-records';

/** Frame numbers by cause. */
function caused(frames: Record<number, number[]>): CausedFrames {
  const entries = Object.entries(frames).flatMap(([cause, numbers]) =>
    numbers.map((frameNumber) => ({ frameNumber, cause: Number(cause) })),
  );
  return {
    frameNumber: Uint32Array.from(entries, ({ frameNumber }) => frameNumber),
    cause: Uint8Array.from(entries, ({ cause }) => cause),
  };
}

const example: SharedRecords = {
  senderId: 3,
  sourceId: 4711,
  startNs: 123_456_789_012,
  wallOffsetUs: 1_700_000_000_000_000,
  boot: '1f0e-22',
  overflowed: 0,
  standstills: { stoppedMs: 1200, starvedMs: 0 },
  load: sharedLoad({ measuredNs: 123_999_999_999, cpuPercent: 93.4, othersPercent: 3.1 }),
  submitted: Uint32Array.of(10, 11, 12, 14),
  beginUs: Float64Array.of(333_433, 366_800, 400_090, 466_801),
  missed: caused({ [MissCause.SendBlocked]: [13, 15] }),
  late: caused({ [LateCause.Disk]: [11], [LateCause.Command]: [12, 13] }),
  injected: caused({ [InjectedFault.Skipped]: [10, 11], [InjectedFault.Spoilt]: [14] }),
};
const nothingSubmitted = { submitted: new Uint32Array(0), beginUs: new Float64Array(0) };
const xml = sharedRecordsXml(example);

test('records travel as ranges by cause and come back as they were', () => {
  expect(xml).toContain('begun="333433,33367,33290,66711"');
  expect(xml).toContain('missed-blocked="13,15" late-disk="11" late-command="12-13"');
  expect(xml).toContain('injected-skip="10-11" injected-spoilt="14"');
  expect(xml).toContain('measured="123999999999" cpu="93.4" others="3.1"');
  expect(xml).not.toContain('gpu');
  expect(parseSharedRecords(xml)).toEqual(example);
  const idle = { ...example, load: null, ...nothingSubmitted };
  expect(parseSharedRecords(sharedRecordsXml(idle))).toEqual(idle);
  const full = { ...example, load: sharedLoad({ measuredNs: 1, gpuPercent: 100, stealPercent: 7 }) };
  expect(parseSharedRecords(sharedRecordsXml(full))).toEqual(full);
  const wrapped = { ...example, submitted: Uint32Array.of(4294967294, 4294967295, 0, 1) };
  expect(parseSharedRecords(sharedRecordsXml(wrapped))).toEqual(wrapped);
});

test('times that no one knows are not reported', () => {
  const unreported = { ...example, beginUs: Float64Array.of(1, 2, Number.NaN, 4) };
  expect(sharedRecordsXml(unreported)).not.toContain('begun');
  expect(parseSharedRecords(sharedRecordsXml(unreported))?.beginUs).toEqual(
    new Float64Array(4).fill(Number.NaN),
  );
});

test('each cause comes back as itself', () => {
  const { SourceSkipped, SendBlocked, SenderLate, Injected } = MissCause;
  const missed = caused(
    Object.fromEntries([SourceSkipped, SendBlocked, SenderLate, Injected].map((cause) => [cause, [cause]])),
  );
  const { Disk, Decode, Damaged, Command } = LateCause;
  const late = caused(
    Object.fromEntries([Disk, Decode, Damaged, Command].map((cause) => [cause, [100 + cause]])),
  );
  expect(parseSharedRecords(sharedRecordsXml({ ...example, missed, late }))).toMatchObject({ missed, late });
});

test('a load that the system reported with more digits, or beyond its scale, is reported within it', () => {
  const reported = parseSharedRecords(
    sharedRecordsXml({ ...example, load: sharedLoad({ cpuPercent: 100.04, gpuPercent: 33.333 }) }),
  );
  expect(reported?.load).toMatchObject({ cpuPercent: 100, gpuPercent: 33.3 });
});

test('as many frames as may be shared fit in one message, whatever they are', () => {
  const submitted = Uint32Array.from(range(0, mostFramesToShare - 1), (index) => 4_000_000_000 + 2 * index);
  const beginUs = Float64Array.from(submitted, (_, index) => index * 2e9);
  const text = sharedRecordsXml({ ...example, submitted, beginUs, boot: 'f'.repeat(36) });
  expect(text.length).toBeLessThan(maxSharedCharacters);
  expect(parseSharedRecords(text)).toMatchObject({ submitted, beginUs });
});

test.each([
  ['nothing', ''],
  ['another element', '<ndi_tally on="1"/>'],
  ['no attributes', '<whiteline_records />'],
  ['an older version', xml.replace('version="2"', 'version="1"')],
  ['no version', xml.replace('version="2" ', '')],
  ['a sender that is no number', xml.replace('sender="3"', 'sender="x"')],
  ['no sender', xml.replace('sender="3" ', '')],
  ['a sender id that no frame can carry', xml.replace('sender="3"', 'sender="65536"')],
  ['a source id that no frame can carry', xml.replace('source="4711"', 'source="65536"')],
  ['a start that no number holds', xml.replace(/start="\d+"/, 'start="9999999999999999"')],
  ['a start before the clock began', xml.replace(/start="\d+"/, 'start="-1"')],
  ['a load above all', xml.replace('cpu="93.4"', 'cpu="100.1"')],
  ['a load in words', xml.replace('cpu="93.4"', 'cpu="much"')],
  ['a load of nothing', xml.replace('cpu="93.4"', 'cpu=""')],
  ['a range that runs backwards', xml.replace('12-13', '13-12')],
  ['a range without an end', xml.replace('12-13', '12-')],
  ['a list that is empty', xml.replace('12-13', '')],
  ['a number of more than 32 bits', xml.replace('12-13', '4294967296')],
  ['a range that would fill the memory', xml.replace('12-13', '0-4294967295')],
  ['many large ranges', xml.replace('12-13', Array(50).fill('0-999').join(','))],
  [
    'lists that are only together too long',
    xml.replace('12-13', '0-5999').replace('blocked="13,15"', 'blocked="0-5999"'),
  ],
  ['a time that no number holds', xml.replace('"333433,', '"9007199254740991,')],
  ['a time too few', xml.replace(',66711"', '"')],
  ['a time too many', xml.replace(',66711"', ',66711,1"')],
  [
    'times in words of nothing',
    sharedRecordsXml({ ...example, ...nothingSubmitted }).replace('/>', ' begun="x"/>'),
  ],
  ['times of nothing', xml.replace('submitted="10-12,14" ', '')],
  ['a time that runs backwards', xml.replace(',66711"', ',-5"')],
  ['a time in words', xml.replace(',66711"', ',soon"')],
  ['an attribute twice', xml.replace('/>', ' sender="4"/>')],
  ['a cause of somebody else', xml.replace('missed-blocked', 'missed-forgotten')],
  ['a second element', `${xml}<x/>`],
  ['text around it', ` ${xml}`],
  ['an attribute with markup', xml.replace('1f0e-22', '<b>')],
  ['more than anybody tells', xml.replace('1f0e-22', 'f'.repeat(maxSharedCharacters))],
])('%s is not such a message', (_, text) => {
  expect(text).not.toBe(xml);
  expect(parseSharedRecords(text)).toBeNull();
});

test('what a later version adds is skipped', () => {
  const added = xml.replace('/>', ' paused="12" late-heat="13"/>');
  expect(parseSharedRecords(added)).toEqual(parseSharedRecords(xml));
});

test('a message that nearly matches is refused in no time', () => {
  const before = process.cpuUsage();
  for (const part of ['a="b" ', 'a=""', 'submitted="', ' ', '="', '-'.repeat(40)]) {
    const times = Math.floor(16_000 / part.length);
    for (let round = 0; round < 100; round++) {
      expect(parseSharedRecords(`<whiteline_records ${part.repeat(times)}`)).toBeNull();
      expect(parseSharedRecords(`<whiteline_records ${part.repeat(times)}/>`)).toBeNull();
    }
  }
  // CPU time: what else runs here costs none. A pattern that goes back and forth would take hours.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(30);
});

describe.each(seeds)('seed %i', (seed) => {
  test('random records come back as they were', () => {
    const random = new Random(seed);
    for (let round = 0; round < 500; round++) {
      let number = random.whole(0, 2 ** 31);
      const submitted: number[] = [];
      const missed: Record<number, number[]> = { 0: [], 1: [], 2: [], 3: [] };
      const late: Record<number, number[]> = { 1: [], 2: [], 3: [], 4: [] };
      for (let index = random.whole(0, 80); index > 0; index--) {
        number += random.chance(0.9) ? 1 : random.whole(2, 1000);
        if (random.chance(0.95)) submitted.push(number);
        else missed[random.whole(0, 3)]?.push(number);
        if (random.chance(0.1)) late[random.whole(1, 4)]?.push(number);
      }
      const records = {
        ...example,
        senderId: random.whole(0, 65535),
        overflowed: random.whole(0, 1000),
        submitted: Uint32Array.from(submitted),
        beginUs: Float64Array.from(submitted, (slot) => slot * 33_333 + (slot % 7)),
        missed: caused(missed),
        late: caused(late),
      };
      expect(parseSharedRecords(sharedRecordsXml(records))).toEqual(records);
    }
  });

  test('foreign bytes never throw, and what is taken is sound', () => {
    const random = new Random(seed);
    let taken = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = [...xml];
      for (let edits = random.whole(1, 4); edits > 0; edits--) {
        const at = random.whole(0, bytes.length - 1);
        const byte = String.fromCharCode(random.chance(0.7) ? random.whole(32, 126) : random.whole(0, 65535));
        if (random.chance(0.3)) bytes.splice(at, random.whole(1, 20));
        else if (random.chance(0.2)) bytes.splice(at, 0, ...bytes.slice(random.whole(0, at), at));
        else bytes[at] = byte;
      }
      const records = parseSharedRecords(bytes.join(''));
      if (!records) continue;
      taken += 1;
      const { submitted, missed, late } = records;
      expect(submitted.length + missed.cause.length + late.cause.length).toBeLessThanOrEqual(maxSharedFrames);
      expect(records.beginUs).toHaveLength(submitted.length);
      for (const time of records.beginUs)
        expect(Number.isNaN(time) || (Number.isSafeInteger(time) && time >= 0)).toBe(true);
      expect(missed.frameNumber).toHaveLength(missed.cause.length);
      expect(late.frameNumber).toHaveLength(late.cause.length);
      for (const value of [records.senderId, records.sourceId, records.startNs, records.overflowed])
        expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
      expect(Number.isSafeInteger(records.wallOffsetUs)).toBe(true);
      const { measuredNs = 0, ...percents } = records.load ?? {};
      expect(Number.isSafeInteger(measuredNs)).toBe(true);
      for (const percent of Object.values(percents))
        expect(percent === null || (percent >= 0 && percent <= 100)).toBe(true);
    }
    expect(taken).toBeGreaterThan(100);
  });
});
