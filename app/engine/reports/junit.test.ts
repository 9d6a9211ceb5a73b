import { expect, test } from 'vitest';
import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import { changedRow, exampleRow, exampleRun, type RowChanges } from '../../testing/example-run';
import { type Element, elementsIn, parseXml } from '../../testing/xml';
import { junitOf } from './junit';

/** What the schema of Jenkins and its like (junit-10.xsd) allows: attributes that must be there, and children. */
const schema: Record<string, { required: string[]; optional: string[]; children: string[] }> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    required: ['name', 'tests'],
    optional: ['failures', 'errors', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { required: [], optional: [], children: ['property'] },
  property: { required: ['name', 'value'], optional: [], children: [] },
  testcase: {
    required: ['name', 'classname'],
    optional: ['time', 'status', 'assertions', 'file'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: [], optional: ['message', 'type'], children: [] },
  error: { required: [], optional: ['message', 'type'], children: [] },
  'system-out': { required: [], optional: [], children: [] },
};

function check({ name, attributes, children }: Element): void {
  const rule = schema[name];
  if (!rule) throw new Error(`${name} is no element of JUnit`);
  for (const required of rule.required) expect(Object.keys(attributes), name).toContain(required);
  for (const attribute of Object.keys(attributes))
    expect([...rule.required, ...rule.optional], name).toContain(attribute);
  for (const child of children) {
    expect(rule.children, name).toContain(child.name);
    check(child);
  }
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
  const document = parseXml(junitOf(run));
  check(document);
  expect(document.attributes).toMatchObject({ tests: '4', failures: '1', errors: '1' });
  const cases = elementsIn(document, 'testcase');
  expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
    ['system-out'],
    ['system-out'],
    ['failure', 'system-out'],
    ['error', 'system-out'],
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
  expect(cases[1]?.children[0]?.text).toMatch(/^WARN: one frame lost/);
  const [suite] = elementsIn(document, 'testsuite');
  expect(suite?.attributes).toMatchObject({ hostname: 'rack-04', timestamp: '2026-11-21T00:00:00' });
});

test('figures stand in the output of their case, and what was not measured says why', () => {
  const [, second] = elementsIn(parseXml(junitOf(run)), 'testcase');
  const text = second?.children.at(-1)?.text ?? '';
  const measured = exampleRow(1);
  expect(text).toContain(`framesSubmitted (Submitted): ${measured.figures.framesSubmitted}\n`);
  expect(text).toContain(
    `sender.gpuMaxPercent (Sender GPU max (%)): not measured: ${measured.notMeasured['sender.gpuMaxPercent']}`,
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
  const document = parseXml(junitOf({ ...run, rows: [], state: 'failed', reason: 'no NDI' }));
  check(document);
  expect(document.attributes).toMatchObject({ tests: '1', errors: '1' });
  expect(elementsIn(document, 'error')[0]?.text).toContain('no NDI');
});

test('a run that is not whole is no success', () => {
  const missing = { rows: 1, rowNumbers: [1], events: 0, samples: 0, files: [] };
  const rows = [row(0, { verdict: 'PASS' }), row(2, { verdict: 'PASS' })];
  const xml = parseXml(junitOf({ ...exampleRun([]), rows, missing }));
  check(xml);
  expect(xml.attributes).toMatchObject({ tests: '3', failures: '0', errors: '1' });
  const [error] = elementsIn(xml, 'error');
  expect(error?.text).toBe('1 of 3 rows (1) is missing or unreadable');
});

test('a run without a verdict, and one whose verdict no row has, are no success', () => {
  const rows = [row(0, { verdict: 'PASS' }), row(1, { verdict: 'WARN' })];
  const suite = (change: Partial<Run>) => {
    const xml = parseXml(junitOf({ ...exampleRun([]), rows, ...change }));
    check(xml);
    const { failures, errors } = xml.attributes;
    const [problem] = [...elementsIn(xml, 'failure'), ...elementsIn(xml, 'error')];
    return { failures, errors, text: problem?.text };
  };
  const reason = 'the run ended before its goal of 8';
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
