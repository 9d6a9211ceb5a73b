import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClosedRow } from '../facts/row';
import type { Verdict } from '../facts/verdict';
import { exitCodes } from '../protocol/errors';
import type { RunSummary } from '../protocol/history';
import { whiteline } from '../testing/command-here';
import { examplePictures } from '../testing/example-pictures';
import { changedRow, exampleRow } from '../testing/example-run';
import { readNamedRun } from '../testing/named-rows';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';

const root = join(temporaryFolder(), 'my runs');
const at = ['--runs', root];

function record(
  name: string,
  rows: readonly ClosedRow[],
  verdict: Verdict,
  reason: string,
  place = root,
): void {
  const { recorder } = recorderIn(join(place, name));
  for (const row of rows) recorder.row(row);
  recorder.end('finished', verdict, reason);
}

beforeAll(() => {
  mkdirSync(root);
  const row = exampleRow();
  record('first', [row], 'PASS', '1 stream ran without loss');
  record('same', [row], 'PASS', 'the same again');
  const figures = { 'latencyMs.p99': 80, framesDropped: 3 };
  const worse = changedRow(row, { verdict: 'FAIL', figures });
  record('worse', [worse], 'FAIL', '3 of 120 frames were dropped in transport');
  record('invalid', [changedRow(row, { verdict: 'INVALID' })], 'INVALID', 'no load sample for 2.0 s');
});

describe('runs', () => {
  test('lists them as a table, and finds what is asked for', async () => {
    const { output, exitCode } = await whiteline('runs', ...at, '--text', 'transport DROPPED');
    expect(output).toMatch(
      /^began +experiment +verdict +folder\n20\d\d-\d\d-\d\d \d\d:\d\d +stream-load +FAIL +worse\n {2}1 stream: 3 of 120 frames were dropped in transport\n$/,
    );
    expect(exitCode).toBe(exitCodes.pass);
    expect((await whiteline('runs', ...at, '--until', '2020-01-01')).output).toBe('No matching runs.\n');
  });

  test('lists them as JSON, and writes them as Parquet', async () => {
    const out = join(root, '..', 'parquet');
    const { output, errors } = await whiteline(
      'runs',
      ...at,
      '--json',
      '--verdict',
      'pass',
      '--parquet',
      out,
    );
    const found = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunSummary);
    expect(found.map(({ folder }) => folder).sort()).toEqual(['first', 'same']);
    expect(errors).toContain(`Written: ${join(out, 'rows.parquet')}`);
    expect(readdirSync(out).sort()).toEqual(['events.parquet', 'rows.parquet', 'subjects.parquet']);
  });

  test.each([
    [['--verdict', 'GOOD'], 'Expected one of PASS, WARN, INVALID, FAIL for --verdict but received GOOD'],
    [['--since', 'yesterday'], 'Expected a date for --since but received yesterday'],
    [['--limit', '-1'], 'Expected a whole number from 0 to 999999999 for --limit but received -1'],
    [['--runs', '/absent'], 'There is no folder /absent with runs in it'],
  ])('refuses %j', async (flags, message) => {
    const { exitCode, errors } = await whiteline('runs', ...at, ...flags);
    expect(errors).toContain(message);
    expect(exitCode).toBe(exitCodes.badInput);
  });
});

describe('compare', () => {
  test('sets two runs side by side', async () => {
    const { output, exitCode } = await whiteline('compare', 'first', 'worse', ...at);
    expect(exitCode).toBe(exitCodes.fail);
    expect(output).toContain('No different settings.');
    expect(output).toContain('No step was repeated, so noise is unknown: no figure is judged by it.');
    expect(output).toMatch(/Streams 1: A PASS, B FAIL ▼ worse/);
    expect(output).toMatch(/Dropped +0 +3 ▼ worse/);
    expect(output).toMatch(/Latency p99 .* ≠ noise unknown\n/);
    expect(output).toMatch(/\n {2}[1-9]\d* figures the same in all runs\n/);
    expect(output).not.toMatch(/Submitted/);
    expect(output).toMatch(
      /\nB against A: 0 figures better, 1 worse, 1 differ by more than the tolerance \(noise unknown\)\.\n/,
    );
    expect(output).toContain(
      '\nThe noise is not known (one repeat each). More than 10 % worse than A, listed and not judged:\n',
    );
    expect(output).toMatch(
      /\nWorse than A beyond the noise of repeats and 10 %:\n {2}.+: FAIL, it was PASS\n/,
    );
    const json = JSON.parse((await whiteline('compare', 'first', 'worse', ...at, '--json')).output);
    expect(json).toMatchObject({
      experiment: 'stream-load',
      folders: [join(root, 'first'), join(root, 'worse')],
    });
    const dropped = json.steps[0].figures.find(
      ({ metric }: { metric: string }) => metric === 'framesDropped',
    );
    expect(dropped.runs[1]).toEqual({
      value: 3,
      perSecond: null,
      repeats: 1,
      changePercent: null,
      noise: null,
      standing: 'worse',
    });
  });

  test('against a pinned baseline a regression is exit code 1, and an INVALID run 5', async () => {
    const missing = await whiteline('compare', 'same', '--baseline', ...at);
    expect(missing.errors).toContain('Pin one: whiteline baseline RUN');
    expect(missing.exitCode).toBe(exitCodes.badInput);
    expect((await whiteline('baseline', 'first', ...at)).output).toBe('stream-load: first\n');
    const same = await whiteline('compare', 'same', '--baseline', ...at);
    expect(same.output).toContain('Nothing is worse than the baseline beyond the noise of repeats and 10 %.');
    expect(same.exitCode).toBe(exitCodes.pass);
    const worse = await whiteline('compare', 'worse', '--baseline', ...at);
    expect(worse.output).toMatch(/worse, Streams 1: Dropped 0 → 3, one repeat each/);
    expect(worse.exitCode).toBe(exitCodes.fail);
    for (const words of [
      ['invalid', '--baseline'],
      ['invalid', 'same'],
    ]) {
      const { output, exitCode } = await whiteline('compare', ...words, ...at);
      expect(output).toMatch(
        /\nNothing could be compared: no row is valid in both runs \((A|the baseline) is (PASS|INVALID), B is (PASS|INVALID)\)\.\n/,
      );
      expect(output).not.toContain('Nothing is worse');
      expect(exitCode).toBe(exitCodes.invalid);
    }
    const refused = await whiteline('baseline', 'invalid', ...at);
    expect(refused.errors).toMatch(/for run but received .+invalid \(INVALID\)\. Open it/);
    expect(refused.exitCode).toBe(exitCodes.badInput);
    expect((await whiteline('baseline', '--remove', 'stream-load', ...at)).output).toBe(
      'No run is pinned.\n',
    );
  });

  test('a tolerance counts with and without a baseline, and a verdict that is worse always does (V24)', async () => {
    const place = temporaryFolder();
    const compare = (...words: string[]) => whiteline('compare', ...words, '--runs', place);
    const row = changedRow(exampleRow(), { figures: { 'latencyMs.p99': 10 } });
    const slower = changedRow(row, { figures: { 'latencyMs.p99': 12 } });
    // Two repeats that are alike: the noise is known, and none.
    const twice = (one: ClosedRow): ClosedRow[] => [one, { ...one, index: one.index + 1 }];
    record('first', twice(row), 'PASS', 'as it was', place);
    record('slower', twice(slower), 'PASS', 'slower', place);
    record('once', [slower], 'PASS', 'slower', place);
    record('single', [row], 'PASS', 'as it was', place);
    record('failed', [changedRow(slower, { verdict: 'FAIL' })], 'FAIL', 'failed', place);
    await whiteline('baseline', 'first', '--runs', place);
    for (const [words, first] of [
      [['first', 'slower'], 'A'],
      [['slower', '--baseline'], 'the baseline'],
    ] as const) {
      const beyond = await compare(...words, '--tolerance', '19%');
      expect(beyond.output).toContain(`Worse than ${first} beyond the noise of repeats and 19 %:`);
      expect(beyond.exitCode).toBe(exitCodes.fail);
      const within = await compare(...words, '--tolerance', '20%');
      expect(within.output).toContain(`Nothing is worse than ${first} beyond the noise of repeats and 20 %.`);
      expect(within.exitCode).toBe(exitCodes.pass);
    }
    // One repeat each: what is slower is listed, and nothing is worse.
    const once = await compare('single', 'once');
    expect(once.output).toMatch(/listed and not judged:\n {2}.+Latency p99 10\.00 → 12\.00 ms \(\+20\.0 %\)/);
    expect(once.exitCode).toBe(exitCodes.pass);
    expect((await compare('first', 'failed', '--tolerance', '900%')).exitCode).toBe(exitCodes.fail);
    expect((await compare('failed', '--baseline', '--tolerance', '900%')).exitCode).toBe(exitCodes.fail);
  });

  test('a step of the baseline that was not measured again is listed, and is exit code 5', async () => {
    const place = temporaryFolder();
    const row = exampleRow();
    record('longer', [row, { ...changedRow(row, { streams: 2 }), index: 2 }], 'PASS', 'two', place);
    record('shorter', [row], 'PASS', 'one', place);
    await whiteline('baseline', 'longer', '--runs', place);
    const { output, exitCode } = await whiteline('compare', 'shorter', '--baseline', '--runs', place);
    expect(output).toContain(
      'Not compared, because not every run has these steps:\n  only in A: Streams 2\n',
    );
    expect(output).toContain('Of what was compared, nothing is worse than the baseline');
    expect(output).toContain('Not compared with the baseline: Streams 2 (not judged again)\n');
    expect(exitCode).toBe(exitCodes.invalid);
    record(
      'half',
      [row, { ...changedRow(row, { streams: 2, verdict: 'INVALID' }), index: 2 }],
      'INVALID',
      'half',
      place,
    );
    const half = await whiteline('compare', 'half', '--baseline', '--runs', place);
    expect(half.output).toContain('Not compared with the baseline: Streams 2 (not judged again)\n');
    expect(half.output).toContain('Of what was compared, nothing is worse than the baseline');
    expect(half.output).toMatch(/\n {2}\d+ figures not compared: no valid row in another run\n/);
    expect(half.output).not.toContain('? not comparable');
    expect(half.exitCode).toBe(exitCodes.invalid);
  });

  test.each([
    [['first'], 'Expected two runs or more for runs but received 1'],
    [['first', 'nothing'], 'Expected the folder, name or id of a run for run but received nothing'],
    [['first', 'worse', 'first'], 'Expected each run once for run but received'],
    [['first', 'same', '--tolerance', 'some'], 'Expected a percentage for --tolerance but received some'],
  ])('refuses %j', async (words, message) => {
    const { exitCode, errors } = await whiteline('compare', ...words, ...at);
    expect(errors).toContain(message);
    expect(exitCode).toBe(exitCodes.badInput);
  });
});

describe('note', () => {
  test('adds notes, pictures, the switch and a title to a run that is over', async () => {
    const picture = join(root, '..', 'rack.png');
    writeFileSync(picture, examplePictures.png);
    await whiteline('note', 'same', 'Cable was changed', '--switch', 'M4250', '--title', 'Hall 3', ...at);
    const { exitCode, output } = await whiteline('note', 'same', 'The rack', '--picture', picture, ...at);
    expect([exitCode, output]).toEqual([exitCodes.pass, `Noted in ${join(root, 'same')}\n`]);
    const run = readNamedRun(join(root, 'same'));
    expect(run).toMatchObject({ title: 'Hall 3', environment: { switch: 'M4250' }, state: 'finished' });
    expect(run.notes).toMatchObject([
      { kind: 'note', text: 'Cable was changed' },
      { kind: 'picture', text: 'The rack', file: 'pictures/rack.png' },
    ]);
    expect(readFileSync(join(root, 'same', 'pictures', 'rack.png'))).toEqual(readFileSync(picture));
    expect((await whiteline('runs', ...at, '--text', 'cable')).output).toContain('same');
  });

  test('refuses what says nothing, and what is no picture', async () => {
    const empty = await whiteline('note', 'first', ...at);
    expect(empty.errors).toContain('Expected a text, --picture, --switch or --title for text');
    const wrong = await whiteline('note', 'first', '--picture', join(root, 'first', 'run.json'), ...at);
    expect(wrong.errors).toContain('Expected a PNG, JPEG or WebP picture');
    expect([empty.exitCode, wrong.exitCode]).toEqual([exitCodes.badInput, exitCodes.badInput]);
  });
});
