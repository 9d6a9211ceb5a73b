import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whitelineProgram } from '../cli/commands';
import { Settings } from '../engine/history/settings';
import { readRun } from '../engine/sessions/read-run';
import { recordedRuns, recordedRunsFolder } from '../testing/recorded-runs';
import { declarations } from './declarations';
import { nameOfField } from './field-words';
import { parameterName, settingName } from './setting-name';

const path = (...keys: string[]) => keys.map((key) => ({ key, isThing: false }));

test.each(declarations.map(({ id, parameters }) => ({ id, parameters })))(
  'each parameter of $id has a name in comparisons',
  ({ id, parameters }) => {
    const nameless = Object.keys(parameters.shape).filter((key) => parameterName(id, key) === undefined);
    expect(nameless, 'give it a title: .meta({ title })').toEqual([]);
  },
);

/** These change nothing that is measured, and no run records them. */
const unrecorded = [
  ...['out', 'session', 'json', 'captureLogs', 'metrics', 'project', 'operator', 'client', 'logo', 'help'],
];

test.each(['watch', 'send'])('each flag of %s that a run records has a name in comparisons', (command) => {
  const found = whitelineProgram(null).commands.find((each) => each.name() === command);
  const flags = (found?.options ?? []).map((option) => option.attributeName());
  expect(flags.length).toBeGreaterThan(5);
  const nameless = flags.filter(
    (key) => !unrecorded.includes(key) && parameterName(command, key) === undefined,
  );
  expect(nameless, 'name it in app/experiments/field-words.ts').toEqual([]);
});

/** What is named by others: programs, parts of NDI's own configuration, files. */
const ofOthers = new Set(['versions', 'settings', 'clips', 'refused']);

test.each(recordedRuns())('each field of the environment that the run %s records has a name', (run) => {
  const { environment } = readRun(join(recordedRunsFolder, run));
  const nameless = [...new Settings(environment).all.values()].flatMap(({ path: parts }) => {
    const end = parts.findIndex(({ key }) => ofOthers.has(key));
    const own = end < 0 ? parts : parts.slice(0, end + 1);
    return own.filter(({ key, isThing }) => !isThing && nameOfField(key) === undefined).map(({ key }) => key);
  });
  expect([...new Set(nameless)], 'name it in app/experiments/field-words.ts').toEqual([]);
});

test('a setting is named as the window names it', () => {
  expect(settingName('parameters', 'stream-load', path('holdSeconds'))).toBe('Measured time per row (s)');
  expect(settingName('parameters', 'watch', path('names'))).toBe('Senders');
  expect(settingName('environment', 'watch', path('receivedFormats'))).toBe('Received formats');
  expect(settingName('environment', 'watch', path('power', 'governors'))).toBe('Power, CPU governor');
  expect(settingName('thresholds', 'watch', path('maxStealPercent'))).toBe(
    'Threshold: CPU taken by the hypervisor (%)',
  );
  const card = ['hosts', 'render-1', 'interfaces', 'eth0', 'mtuBytes'];
  const parts = card.map((key, index) => ({ key, isThing: index === 1 || index === 3 }));
  expect(settingName('environment', 'live', parts)).toBe('Machine render-1, network card eth0, MTU (bytes)');
  expect(settingName('environment', 'live', parts.slice(0, 2))).toBe('Machine render-1');
});
