import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds, thresholdProfiles } from '../../protocol/thresholds';
import { range } from '../../testing/columns';
import { endLoad } from '../../testing/end-load';
import { temporaryFolder } from '../../testing/temporary-folder';
import { TestStream } from '../../testing/test-stream';
import { codedEvidence, judgeStream } from '../streams/rows/judgement';
import { parseProfile, readProfile } from './profiles';

const folder = temporaryFolder();

describe('built in', () => {
  test('study is what counts without a profile', () => {
    expect(readProfile('study')).toEqual({ name: 'study', thresholds: defaultThresholds });
  });

  test('flawless differs from it in the lost frames alone', () => {
    const { name, thresholds } = readProfile('flawless');
    expect(name).toBe('flawless');
    expect(thresholds).toEqual({ ...defaultThresholds, acceptableLostFrames: 0 });
  });

  test('no one changes a profile for others', () => {
    readProfile('study').thresholds.acceptableLostFrames = 7;
    expect(thresholdProfiles.study.acceptableLostFrames).toBe(1);
  });
});

/** Verdict of 10 s at 60 frames a second with these lost. */
function verdictOf(lost: number[], profile: string) {
  const stream = new TestStream();
  const { thresholds } = profile.includes(':') ? parseProfile(profile, 'own.yaml') : readProfile(profile);
  const counter = stream.ledger.openRange(60, thresholds.lostWindowSeconds);
  counter.last = 659;
  stream.send(0, 719);
  for (const slot of range(0, 719)) if (!lost.includes(slot)) stream.capture(slot);
  const circumstances = {
    ...{
      sender: endLoad(20),
      receiver: endLoad(20),
      guards: [],
      contradictions: [],
      wallOffsetUs: 0,
    },
    lateDisk: { rateMBps: null, neededMBps: null, reads: null },
  };
  const evidence = codedEvidence(stream.ledger.close(counter, 659), thresholds, circumstances);
  const { verdict, reason } = judgeStream(evidence, circumstances, thresholds);
  return { verdict, reason: wordsOf(reason) };
}

test('one lost frame in 2 s is WARN by study and FAIL by flawless, with rule and time', () => {
  expect(verdictOf([], 'flawless').verdict).toBe('PASS');
  expect(verdictOf([120], 'study').verdict).toBe('WARN');
  const { verdict, reason } = verdictOf([120], 'flawless');
  expect(verdict).toBe('FAIL');
  // Slot 0 falls at 1 s.
  expect(reason).toBe(
    '1 of 600 frames was dropped in transport (rule: no frame lost; the worst time was from 00:00:03.000 to 00:00:03.016 UTC)',
  );
});

test('a profile of one’s own sets the window too', () => {
  const lost = [120, 300];
  expect(verdictOf(lost, 'study').verdict).toBe('WARN');
  const { verdict, reason } = verdictOf(lost, 'lostWindowSeconds: 5');
  expect(verdict).toBe('FAIL');
  expect(reason).toContain(
    'rule: at most 1 frame lost in any 5 s; the worst time was from 00:00:03.000 to 00:00:06.016 UTC',
  );
  expect(verdictOf(lost, 'lostWindowSeconds: 5\nacceptableLostFrames: 2').verdict).toBe('WARN');
});

describe('a file', () => {
  test('changes what it names, over its base', () => {
    const path = join(folder, 'theatre.yaml');
    writeFileSync(path, '# For the theatre\nbase: flawless\nmaxStealPercent: 2.5\n');
    expect(readProfile(path)).toEqual({
      name: 'theatre',
      thresholds: { ...thresholdProfiles.flawless, maxStealPercent: 2.5 },
    });
    expect(parseProfile('name: Opera\n', path).name).toBe('Opera');
    expect(parseProfile('', path)).toEqual({ name: 'theatre', thresholds: defaultThresholds });
  });

  test.each([
    [
      '\nacceptableLostFrames: -1',
      'own.yaml:2:1: Expected a whole number from 0 to 1000000 for acceptableLostFrames but received -1',
    ],
    [
      'base: study\nlostWindowSeconds: long',
      'own.yaml:2:1: Expected a number from 0.1 to 3600 s for lostWindowSeconds but received long',
    ],
    ['lostWindow: 1\n', 'own.yaml:1:1: Expected a known limit for thresholds but received lostWindow'],
    ['base: perfect', 'own.yaml:1:1: Expected one of study, flawless for base but received perfect'],
    ['name: ""', 'own.yaml:1:1: Expected a text of 1 to 60 characters for name but received nothing'],
    ['- 1', 'own.yaml:1:1: Expected names with values for thresholds but received [1]'],
    ['a: [1', 'own.yaml:1:6: Expected YAML for the thresholds but received Flow sequence'],
    ['a: 1\na: 2', 'own.yaml:2:1: Expected YAML for the thresholds but received Map keys must be unique'],
    ['name: *x', 'own.yaml:1:1: Expected YAML for the thresholds but received Unresolved alias'],
  ])('that is wrong is refused with line and column: %j', (text, message) => {
    expect(() => parseProfile(text, 'own.yaml')).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining(message) }),
    );
  });

  test('that is not there, and a name that no one knows', () => {
    expect(() => readProfile('./absent.yaml')).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', remedy: expect.stringContaining('study, flawless') }),
    );
    for (const name of ['strict', 'constructor', '__proto__'])
      expect(() => readProfile(name)).toThrow(
        `Expected one of study, flawless, or a YAML file for thresholds but received ${name}`,
      );
  });
});
