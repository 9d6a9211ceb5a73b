import { expect, test } from 'vitest';
import { cutShort } from '../../engine/experiment/cut-short';
import { violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { rowSchema } from '../../facts/row';
import { figureOf, scalarOf } from '../../facts/row-figures';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample } from '../../testing/load-sample';
import { frameOf } from '../../testing/made-up-rows';
import { notHeldBack } from './held-back';
import { quietMetrics } from './metrics';
import { scoreRow, wakeUpRow } from './quiet-rows';
import { coreScore, quietRow, scoresRow } from './quiet-rows.fixture';
import { quietVerdict } from './verdict';

const scores = scoresRow(3, [coreScore(0, 151, 9800), coreScore(1, 148, 9900)]);

test('a row has the figures of its thread, of the machine beside it, and its busiest programs', () => {
  const row = quietRow(0, 60, { 30: 2.5 });
  expect(rowSchema.parse(JSON.parse(JSON.stringify(row)))).toEqual(JSON.parse(JSON.stringify(row)));
  expect(row).toMatchObject({
    ...{ label: 'wake-ups at 60 Hz', step: { 'quiet.rateHz': 60 }, verdict: 'PASS' },
    figures: {
      ...{ measuredSeconds: 10, 'quiet.wakeUps': 600, 'quiet.wakeUpsLate': 0, 'quiet.slotsOverslept': 0 },
      ...{ 'quiet.stolenMaxPercent': 1.5, 'quiet.othersCpuPercent': 3.5, 'quiet.busiestProgram': 'firefox' },
      ...{ 'quiet.programCpuPercent': 3, 'quiet.interruptsPerSecond': 1250, 'quiet.throttles': null },
    },
    subjects: [
      { kind: 'program', id: 'firefox', figures: { 'quiet.programCpuPercent': 3 } },
      { kind: 'program', id: 'kernel threads', figures: { 'quiet.programCpuPercent': 0.5 } },
    ],
  });
  expect(quietRow(0, 60, {}, { repeat: 2 }).label).toBe('wake-ups at 60 Hz, repeat 2');
});

test('each figure of the table is in each row, or says why not', () => {
  const nothing = wakeUpRow(
    frameOf(0),
    {
      ...{ rateHz: 60, repeat: null, wakeUps: null, heldBack: notHeldBack, samples: [], slowGovernors: [] },
      use: {
        ...{ othersPercent: null, programs: null, cores: 1, interruptsPerSecond: null, throttles: null },
        ...{ contextSwitchesPerSecond: null, frequencyMhz: null, slowestFrequencyMhz: null },
      },
    },
    defaultThresholds,
  );
  const unscored = scoreRow(frameOf(0), { cores: [], coresInAll: 0, problemMessage: '' });
  for (const row of [quietRow(0, 60), nothing, scores, unscored]) {
    for (const { id } of quietMetrics) {
      const isKnown = figureOf(row, id) !== null;
      expect(row.notMeasured[id] === undefined, `${row.label}: ${id}`).toBe(isKnown);
    }
  }
  expect(nothing.verdict).toBe('INVALID');
});

test('a system that does not report stolen time says so, and is not judged by it', () => {
  const reason = 'not measured on this system: /proc is absent';
  const samples = [loadSample({ cpuStealPercent: null, notMeasured: { cpuStealPercent: reason } })];
  const row = quietRow(0, 60, {}, { samples });
  expect(row.notMeasured['quiet.stolenMaxPercent']).toBe(reason);
  expect(row.verdict).toBe('PASS');
});

test('the score of the row is that of its slowest core, and each core is a subject', () => {
  expect(scores).toMatchObject({
    ...{ verdict: 'PASS', reason: [], step: {} },
    figures: { 'quiet.integerMsteps': 148, 'quiet.memoryMBps': 9800 },
    subjects: [
      { kind: 'core', id: '0', name: 'core 0', figures: { 'quiet.memoryMBps': 9800 }, notMeasured: {} },
      { kind: 'core', id: '1', name: 'core 1', figures: { 'quiet.integerMsteps': 148 } },
    ],
  });
});

test('a core without a score has the reason, and the row is a warning', () => {
  const refused = { core: 1, integerMsteps: null, memoryMBps: null, notMeasured: 'it is offline' };
  const row = scoresRow(0, [coreScore(0, 150, 9000), refused]);
  expect(row).toMatchObject({ verdict: 'WARN', figures: { 'quiet.integerMsteps': 150 } });
  expect(wordsOf(row.reason)).toBe('the score was not measured: core 1: it is offline');
  expect(row.subjects[1]?.notMeasured).toEqual({
    'quiet.integerMsteps': 'it is offline',
    'quiet.memoryMBps': 'it is offline',
  });
  const failed = scoresRow(0, [], 'there is no memory');
  expect(failed).toMatchObject({ verdict: 'WARN', figures: { 'quiet.memoryMBps': null } });
  expect(failed.notMeasured['quiet.memoryMBps']).toBe('there is no memory');
  const elsewhere = scoreRow(frameOf(0), { cores: [], coresInAll: 0, problemMessage: '' });
  expect(wordsOf(elsewhere.reason)).toMatch(/this system does not let a thread stay on one core/);
});

test('a run is judged by its worst row, and passes in the words of the row with the latest wake-up', () => {
  const late = quietRow(1, 120, { 5: 20, 900: 30 });
  expect(quietVerdict([quietRow(0, 60), late, scores])).toEqual({
    verdict: 'FAIL',
    reason: expect.stringMatching(
      /^No, this machine is not quiet enough to measure on\. wake-ups at 120 Hz: 2 of 1200 wake-ups were .* close firefox \(process 4321, 3.0 %/,
    ),
  });
  expect(quietVerdict([quietRow(0, 60, { 7: 1.5 }), quietRow(1, 120), scores])).toEqual({
    verdict: 'PASS',
    reason:
      'Yes, this machine is quiet enough to measure on. wake-ups at 60 Hz: all 600 wake-ups were in time, the latest 1.5 ms late',
  });
  const invalid = wakeUpRow(
    { ...frameOf(2), guards: [violatedBy([reasonOf('suspended', { seconds: 9 })])] },
    {
      ...{ rateHz: 60, repeat: null, wakeUps: null, heldBack: notHeldBack, samples: [], slowGovernors: [] },
      use: idle,
    },
    defaultThresholds,
  );
  expect(quietVerdict([late, invalid])).toEqual({
    verdict: 'FAIL',
    reason: expect.stringMatching(/; 1 other row was INVALID$/),
  });
  expect(quietVerdict([invalid])).toEqual({
    verdict: 'INVALID',
    reason:
      'It is not known whether this machine is quiet enough to measure on. wake-ups at 60 Hz: the thread never woke; the machine was suspended for 9.0 s',
  });
  expect(quietVerdict([]).verdict).toBe('INVALID');
  expect(quietVerdict([quietRow(0, 60), cutShort(quietRow(1, 120), 2.3, 10)])).toEqual({
    verdict: 'INVALID',
    reason: expect.stringMatching(
      /^It is not known whether this machine is quiet enough to measure on\. wake-ups at \d+ Hz: all /,
    ),
  });
  expect(quietVerdict([scores])).toMatchObject({
    ...{ verdict: 'INVALID', reason: expect.stringMatching(/^It is not known whether /) },
  });
  expect(quietVerdict([quietRow(0, 60, { 7: 9 })]).reason).toMatch(/^No, this machine .* without doubt\./);
  const unscored = scoresRow(3, [], 'there is no memory');
  expect(quietVerdict([quietRow(0, 60), unscored])).toMatchObject({
    ...{ verdict: 'WARN', reason: expect.stringMatching(/^Yes, /) },
  });
  expect(scalarOf(late, 'quiet.wakeUpsLate')).toBe(2);
});

const idle = {
  ...{ othersPercent: 0, programs: [], cores: 1, interruptsPerSecond: 1, throttles: null },
  ...{ contextSwitchesPerSecond: 1, frequencyMhz: null, slowestFrequencyMhz: null },
};
