import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../facts/run';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { readNamedRun } from '../../testing/named-rows';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readEvents, runFiles } from './read-run';

const root = temporaryFolder();
const whole = join(root, 'whole');
const { recorder } = recorderIn(whole);
for (let index = 0; index < 5; index++) {
  recorder.event('problem', `before row ${index}`);
  recorder.sample(loadSample({ wallMs: 1.7e12 + index * 500 }));
  recorder.row(exampleRow(index));
}
await recorder.end('finished', 'PASS', 'no frame lost');

const folder = join(root, 'spoilt');
const linesOf = (name: string): string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
/** Changes lines of a file; undefined takes one away. */
function spoil(name: string, change: (line: string, index: number) => string | undefined): void {
  write(
    name,
    linesOf(name)
      .map(change)
      .filter((line): line is string => line !== undefined),
  );
}
const oneByte = (line: string): string => line.replace(':', '=');

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
});

/** A run of a version that did not report how much it recorded. */
function forgetCounts(): void {
  spoil(runFiles.events, (line) => {
    const event = JSON.parse(line) as RunEvent;
    if (event.details) delete event.details.recorded;
    return JSON.stringify(event);
  });
}

test('a whole run lacks nothing, with or without the counts of its end', () => {
  expect(readNamedRun(folder)).toMatchObject({ verdict: 'PASS', reason: 'no frame lost' });
  expect(readNamedRun(folder).missing).toBeUndefined();
  forgetCounts();
  expect(readNamedRun(folder).missing).toBeUndefined();
  expect(readNamedRun(folder).verdict).toBe('PASS');
});

describe.each([
  ['a run that tells how much it recorded', () => undefined],
  ['a run of an older version', forgetCounts],
])('%s', (_, prepare) => {
  beforeEach(prepare);

  test('a spoilt byte in a row: its number is known, and PASS is not claimed', () => {
    spoil(runFiles.rows, (line, index) => (index === 2 ? oneByte(line) : line));
    expect(readNamedRun(folder)).toMatchObject({
      ...{ state: 'finished', verdict: 'INVALID' },
      reason: '1 of 5 rows (2) is missing or unreadable; the recorded verdict was PASS: no frame lost',
      missing: { rows: 1, rowNumbers: [2], events: 0, samples: 0, files: [] },
    });
  });

  test('rows that are gone without a trace', () => {
    spoil(runFiles.rows, (line, index) => (index === 1 || index === 3 ? undefined : line));
    expect(readNamedRun(folder)).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(/^2 of 5 rows \(1, 3\) are missing or unreadable; /),
    });
  });

  test('a last row that is spoilt, and two that became one line', () => {
    spoil(runFiles.rows, (line, index) => (index === 4 ? oneByte(line) : line));
    expect(readNamedRun(folder).missing).toMatchObject({ rows: 1, rowNumbers: [4] });
    cpSync(whole, folder, { recursive: true });
    writeFileSync(
      join(folder, runFiles.rows),
      linesOf(runFiles.rows).reduce((text, line, index) => text + line + (index === 1 ? ' ' : '\n'), ''),
    );
    expect(readNamedRun(folder).missing).toMatchObject({ rows: 2, rowNumbers: [1, 2] });
  });

  test('a row that takes the place of another one, and one of a number beyond', () => {
    spoil(runFiles.rows, (line, index) => (index === 2 ? linesOf(runFiles.rows)[1] : line));
    expect(readNamedRun(folder)).toMatchObject({ verdict: 'INVALID', missing: { rows: 1, rowNumbers: [2] } });
    cpSync(whole, folder, { recursive: true });
    spoil(runFiles.rows, (line, index) => (index === 4 ? line.replace('"index":4', '"index":9') : line));
    expect(readNamedRun(folder)).toMatchObject({ verdict: 'INVALID', missing: { rows: 5 } });
  });

  test('a row of values that no row has', () => {
    spoil(runFiles.rows, (line, index) => (index === 0 ? line.replace('"streams":1', '"streams":-1') : line));
    expect(readNamedRun(folder).missing).toMatchObject({ rows: 1, rowNumbers: [0] });
  });

  test('an event, a sample, and a file', () => {
    spoil(runFiles.events, (line, index) => (index === 2 ? oneByte(line) : line));
    expect(readNamedRun(folder)).toMatchObject({ verdict: 'INVALID', missing: { events: 1, rows: 0 } });
    spoil(runFiles.samples, (line, index) => (index < 2 ? oneByte(line) : line));
    expect(readNamedRun(folder)).toMatchObject({
      missing: { events: 1, samples: 2 },
      reason: expect.stringMatching(/^1 event and 2 samples are missing or unreadable; /),
    });
    rmSync(join(folder, runFiles.samples));
    expect(readNamedRun(folder).missing?.files).toEqual([runFiles.samples]);
    expect(readNamedRun(folder).verdict).toBe('INVALID');
  });
});

test('rows and samples behind the last one that is there are known by the counts of the end', () => {
  spoil(runFiles.rows, (line, index) => (index > 2 ? undefined : line));
  spoil(runFiles.samples, (line, index) => (index > 3 ? undefined : line));
  expect(readNamedRun(folder)).toMatchObject({
    missing: { rows: 2, rowNumbers: [3, 4], samples: 1, events: 0 },
    reason: expect.stringMatching(/^2 of 5 rows \(3, 4\) and 1 sample are missing or unreadable; /),
  });
});

test('a FAIL stays one, and says what is missing', () => {
  spoil(runFiles.events, (line) => line.replace('"verdict":"PASS"', '"verdict":"FAIL"'));
  spoil(runFiles.rows, (line, index) => (index === 2 ? undefined : line));
  expect(readNamedRun(folder)).toMatchObject({
    verdict: 'FAIL',
    reason: '1 of 5 rows (2) is missing or unreadable; no frame lost',
  });
});

test('a run whose beginning or end was spoilt within its line is read all the same', () => {
  spoil(runFiles.events, (line, index) =>
    index === 0 ? line.replace('"parameters"', '"parameterz"') : line,
  );
  expect(readNamedRun(folder)).toMatchObject({
    ...{ id: readNamedRun(whole).id, title: readNamedRun(whole).title, verdict: 'INVALID' },
    missing: { events: 1 },
  });
  cpSync(whole, folder, { recursive: true });
  spoil(runFiles.events, (line) => line.replace('"verdict":"PASS"', '"verdict":"PAST"'));
  expect(readNamedRun(folder)).toMatchObject({
    state: 'interrupted',
    verdict: null,
    missing: { events: 1 },
  });
});

test('what a newer version reports stands as its text, and is not missing', () => {
  spoil(runFiles.events, (line, index) =>
    index === 2 ? line.replace('"problem"', '"clock-adjusted"') : line,
  );
  expect(readEvents(folder)[2]).toMatchObject({ kind: 'other', text: 'before row 1' });
  expect(readNamedRun(folder)).toMatchObject({ verdict: 'PASS' });
});

test('a line on its way into a run that goes on is not missing', () => {
  const running = join(root, 'running');
  const { recorder: other } = recorderIn(running);
  other.sample(loadSample());
  other.row(exampleRow(0));
  appendFileSync(join(running, runFiles.rows), JSON.stringify(exampleRow(1)).slice(0, 500));
  expect(readNamedRun(running, { running: true }).missing).toBeUndefined();
  expect(readNamedRun(running).missing).toBeUndefined();
  void other.end('aborted', null, 'stopped');
});

test('a row number of the sky is neither counted to nor listed', () => {
  appendFileSync(join(folder, runFiles.rows), `${JSON.stringify(exampleRow(2 ** 50))}\n`);
  forgetCounts();
  const { missing } = readNamedRun(folder);
  expect(missing?.rows).toBe(2 ** 50 + 1 - 6);
  expect(missing?.rowNumbers).toHaveLength(100);
});
