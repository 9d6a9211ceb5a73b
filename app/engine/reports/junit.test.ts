import { expect, test } from 'vitest';
import { replacedLabel } from '../../facts/row-labels';
import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import { changedRow, exampleRow, exampleRun, type RowChanges } from '../../testing/example-run';
import { junitProblems } from '../../testing/junit-schema';
import { type Element, elementsIn, parseXml } from '../../testing/xml';
import { junitOf } from './junit';

/** The suite of a file, which the strictest schema takes. */
function suiteIn(text: string): Element {
  const document = parseXml(text);
  expect(junitProblems(document)).toEqual([]);
  expect(document.children).toHaveLength(1);
  return document.children[0] as Element;
}

function row(index: number, changes: RowChanges): StreamsRow {
  return changedRow(exampleRow(index), changes);
}

const nasty = 'lost "5" frames <b>&amp;</b> at\n12:00 \u0007 \ud800 ]]> 𝄞';
const rows = [
  row(0, { verdict: 'PASS', streams: 0 }),
  row(1, { verdict: 'WARN', reason: 'one frame lost' }),
  row(2, { verdict: 'FAIL', reason: nasty, label: 'multi-TCP' }),
  row(3, { verdict: 'INVALID', reason: 'the hypervisor took 9 %' }),
];
const run = {
  ...exampleRun([]),
  rows,
  verdict: 'INVALID' as const,
  environment: { hosts: [{ hostName: 'rack-04', cpuModel: 'A & B', memoryModules: [{ sizeMb: 8192 }] }] },
};

test('a case for each row: FAIL a failure with reason and time, INVALID an error, WARN a pass that says so', () => {
  const suite = suiteIn(junitOf(run));
  expect(suite.attributes).toMatchObject({ tests: '4', failures: '1', errors: '1', skipped: '0' });
  const cases = elementsIn(suite, 'testcase');
  expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
    ...[[], [], ['failure'], ['error']],
  ]);
  // Named by experiment and row (V29); two rows that were set alike have their number.
  expect(cases.map(({ attributes }) => attributes.name)).toEqual([
    ...['Stream load: Streams 0', 'Stream load: Streams 1, row 1'],
    ...['Stream load: multi-TCP', 'Stream load: Streams 1, row 3'],
  ]);
  const failure = cases[2]?.children[0];
  const reported = nasty.replace('\u0007', '\ufffd').replace('\ud800', '\ufffd');
  expect(failure?.text).toContain(reported);
  expect(failure?.attributes.message).toContain(reported);
  expect(failure?.attributes.message).toContain(rows[2]?.from);
  expect(failure?.attributes.message).toContain(rows[2]?.to);
  expect(elementsIn(suite, 'system-out')[0]?.text).toContain(
    'Stream load: Streams 1, row 1\nWARN: one frame lost\n',
  );
  expect(suite.attributes).toMatchObject({ hostname: 'rack-04', timestamp: '2026-11-21T00:00:00' });
});

test('a row that was measured again is no case, and the one in its place has the name that it always has', () => {
  const retried = [
    row(0, { verdict: 'PASS', streams: 0 }),
    row(1, { verdict: 'INVALID', reason: 'the process was stopped', label: replacedLabel(2) }),
    row(2, { verdict: 'WARN', reason: 'one frame lost' }),
  ];
  const suite = suiteIn(junitOf({ ...run, rows: retried, verdict: 'WARN' }));
  expect(suite.attributes).toMatchObject({ tests: '2', failures: '0', errors: '0' });
  expect(elementsIn(suite, 'testcase').map(({ attributes }) => attributes.name)).toEqual([
    ...['Stream load: Streams 0', 'Stream load: Streams 1'],
  ]);
  const [, replaced] = retried;
  expect(elementsIn(suite, 'system-out')[0]?.text).toContain(
    `\n\nRow 1, replaced by row 2, between ${replaced?.from} and ${replaced?.to}\nINVALID: the process was stopped\n\n`,
  );
  const replacedIn = (text: string) =>
    elementsIn(suiteIn(text), 'property').find(({ attributes }) => attributes.name === 'rowsReplaced');
  expect(replacedIn(junitOf({ ...run, rows: retried }))?.attributes.value).toBe('1');
  expect(replacedIn(junitOf(run))?.attributes.value).toBe('0');
});

test('figures stand in the output behind the name of their case, and what was not measured says why', () => {
  const [output] = elementsIn(suiteIn(junitOf(run)), 'system-out');
  const text = output?.text.split('\n\n')[1] ?? '';
  expect(text).toMatch(/^Stream load: Streams 1, row 1\n/);
  const measured = exampleRow(1);
  expect(text).toContain(`framesSubmitted (Submitted): ${measured.figures.framesSubmitted}\n`);
  expect(text).toContain(
    `sender.gpuMaxPercent (Sender GPU max, all programs (%)): not measured: ${measured.notMeasured['sender.gpuMaxPercent']}`,
  );
});

test('parameters, thresholds and environment are properties', () => {
  const properties = elementsIn(parseXml(junitOf(run)), 'property').map(({ attributes }) => attributes);
  expect(properties).toContainEqual({ name: 'environment.hosts.0.cpuModel', value: 'A & B' });
  expect(properties).toContainEqual({ name: 'environment.hosts.0.memoryModules.0.sizeMb', value: '8192' });
  expect(properties).toContainEqual({ name: 'parameter.maxStreams', value: '1' });
  expect(properties).toContainEqual({ name: 'threshold.maxStealPercent', value: '5' });
});

test('a run without a row is an error, and no empty suite that passes', () => {
  const document = suiteIn(junitOf({ ...run, rows: [], state: 'failed', reason: 'no NDI' }));
  expect(document.attributes).toMatchObject({ tests: '1', errors: '1' });
  expect(elementsIn(document, 'error')[0]?.text).toContain('no NDI');
});

test('a run that is not whole is no success', () => {
  const missing = { rows: 1, rowNumbers: [1], events: 0, samples: 0, files: [] };
  const rows = [row(0, { verdict: 'PASS' }), row(2, { verdict: 'PASS' })];
  const xml = suiteIn(junitOf({ ...exampleRun([]), rows, missing }));
  expect(xml.attributes).toMatchObject({ tests: '3', failures: '0', errors: '1' });
  const [error] = elementsIn(xml, 'error');
  expect(error?.text).toBe('1 of 3 rows (1) is missing or unreadable');
});

test('a run without a verdict, and one whose verdict no row has, are no success', () => {
  const rows = [row(0, { verdict: 'PASS' }), row(1, { verdict: 'WARN' })];
  const suite = (change: Partial<Run>) => {
    const xml = suiteIn(junitOf({ ...exampleRun([]), rows, ...change }));
    const { failures, errors } = xml.attributes;
    const [problem] = [...elementsIn(xml, 'failure'), ...elementsIn(xml, 'error')];
    return { failures, errors, text: problem?.text };
  };
  const reason = 'the goal of 8 streams was not reached';
  expect(suite({ verdict: 'FAIL', reason })).toEqual({ failures: '1', errors: '0', text: `FAIL: ${reason}` });
  expect(suite({ verdict: 'INVALID', reason })).toMatchObject({ failures: '0', errors: '1' });
  const words = {
    aborted: 'aborted',
    failed: 'failed',
    interrupted: 'interrupted',
    running: 'still running',
  };
  for (const state of ['aborted', 'failed', 'interrupted', 'running'] as const)
    expect(suite({ verdict: null, state, reason: 'stopped' })).toEqual({
      failures: '0',
      errors: '1',
      text: `the run is ${words[state]} and has no verdict: stopped`,
    });
  expect(suite({ verdict: 'WARN' })).toMatchObject({ failures: '0', errors: '0' });
});

test('names of any kind, and none, keep to the schema', () => {
  const hosts = [{ hostName: ' ' }];
  const suite = suiteIn(junitOf({ ...run, title: `${nasty}\u0000`, experiment: '', environment: { hosts } }));
  expect(suite.attributes.hostname).toBe('localhost');
  expect(suite.attributes.package).toBe('whiteline');
});

test.each([
  ['no properties', /<properties>.*<\/properties>\n/s, '', 'testsuite has not exactly one properties'],
  ['no type', / type="FAIL"/, '', 'failure has no type'],
  ['a zone', /timestamp="([^"]+)"/, 'timestamp="$1Z"', 'testsuite has the timestamp "2026-11-21T00:00:00Z"'],
  ['a count', /tests="4"/, 'tests="5"', 'suite 0 says tests 5, and it is 4'],
  ['words', /<testsuites>/, '<testsuites tests="4">', 'testsuites has an attribute tests'],
])('the schema refuses a file with %s wrong', (_, part, instead, said) => {
  expect(junitProblems(parseXml(junitOf(run).replace(part, instead)))).toContain(said);
});
