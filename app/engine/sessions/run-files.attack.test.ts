import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../facts/run';
import { WhitelineError } from '../../protocol/errors';
import { attackCount, attackSeed, hostileValue, nestedText } from '../../testing/attack';
import { whiteline } from '../../testing/command-here';
import { readNamedRun } from '../../testing/named-rows';
import { Random } from '../../testing/random';
import { recordRamp } from '../../testing/recorded-ramp';
import { temporaryFolder } from '../../testing/temporary-folder';
import { compareRuns } from '../history/compare';
import { findInHistory } from '../history/history';
import { exportText } from '../reports/export';
import { readEvents, readRun, readSamples } from './read-run';
import { runFiles } from './run-files';

const cuts = attackCount('WHITELINE_ATTACK_CUTS', 200);
/** A run that passed, whose files are cut and corrupted: reading gives what is left or refuses, and says what is missing. */
const root = temporaryFolder();
const whole = join(root, 'whole');
const folder = join(root, 'runs', 'spoilt');
const template = join(root, 'template.html');
const files = Object.values(runFiles);
let passed: Run;

beforeAll(() => {
  recordRamp(whole, { hour: 10, clean: 4, streams: 4, cpuPerStreamPercent: 5 });
  writeFileSync(template, readFileSync('dist/report/index.html'));
  reportCounts();
  passed = readRun(whole);
  writeFileSync(join(whole, runFiles.run), JSON.stringify(readNamedRun(whole)));
  expect([passed.verdict, passed.rows.length]).toEqual(['PASS', 5]);
});

/** As a recorder does at a run's end. */
function reportCounts(): void {
  const path = join(whole, runFiles.events);
  const events = readEvents(whole);
  const recorded = {
    rows: readRun(whole).rows.length,
    events: events.length,
    samples: readSamples(whole).length,
  };
  const lines = events.map((event) =>
    event.kind === 'run-ended' ? { ...event, details: { ...event.details, recorded } } : event,
  );
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Spoils one file in one way, and says how. */
function spoil(random: Random): string {
  const name = random.pick(files);
  const path = join(folder, name);
  const bytes = bytesAt(path);
  if (bytes.length === 0) return `${name}: nothing left to spoil`;
  const at = random.whole(0, bytes.length - 1);
  const lines = bytes.toString('utf8').split('\n');
  const line = random.whole(0, lines.length - 1);
  const ways: [string, () => void][] = [
    ['cut', () => truncateSync(path, at)],
    ['a byte', () => writeFileSync(path, bytes.fill(random.whole(0, 255), at, at + 1))],
    ['zeros', () => writeFileSync(path, bytes.fill(0, at, random.whole(at + 1, bytes.length)))],
    [
      'rubbish',
      () => writeFileSync(path, bytes.fill(random.whole(1, 255), at, random.whole(at + 1, bytes.length))),
    ],
    ['no line', () => writeFileSync(path, lines.filter((_, index) => index !== line).join('\n'))],
    ['a line twice', () => writeFileSync(path, [...lines, lines[line] ?? ''].join('\n'))],
    ['a nested line', () => writeFileSync(path, lines.fill(nestedText(50_000), line, line + 1).join('\n'))],
    [
      'a hostile line',
      () => writeFileSync(path, lines.fill(hostileLine(random, lines[line]), line, line + 1).join('\n')),
    ],
    ['gone', () => rmSync(path)],
    [
      'a folder',
      () => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      'a link to a device',
      () => {
        rmSync(path);
        symlinkSync('/dev/zero', path);
      },
    ],
  ];
  const [way, act] = random.pick(ways);
  act();
  return `${name}: ${way} at ${at}, line ${line}`;
}

/** One of ours with some of its values made hostile. */
function hostileLine(random: Random, line = ''): string {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    for (let spoilt = 0; spoilt < 3; spoilt++) value[random.pick(Object.keys(value))] = hostileValue(random);
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(hostileValue(random));
  }
}

function copy(): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
}

test('cuts and corruptions: what is left is read, what is missing is said, and nothing else happens', async () => {
  const random = new Random(attackSeed);
  for (let round = 0; round < cuts; round++) {
    copy();
    const spoilt = Array.from({ length: random.whole(1, 2) }, () => spoil(random)).join('; ');
    const where = `seed ${attackSeed}, round ${round}: ${spoilt}`;
    try {
      expectRead(where, round % 20 === 0);
    } catch (error) {
      expect(error, `${where}: ${(error as Error).stack}`).toBeInstanceOf(WhitelineError);
    }
    if (round % 20 === 0) findInHistory(join(root, 'runs'), {});
  }
});

/** None of a file that is gone, or is none. */
function bytesAt(path: string): Buffer {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : Buffer.alloc(0);
}

/** @throws WhitelineError for a folder in which nothing is of a run */
function expectRead(where: string, withReport: boolean): void {
  const used = process.cpuUsage();
  const run = readRun(folder);
  expect(readEvents(folder).length + readSamples(folder).length, where).toBeGreaterThanOrEqual(0);
  // The events say how many rows there were; what is said there instead is believed.
  const saysCounts = bytesAt(join(folder, runFiles.events)).equals(bytesAt(join(whole, runFiles.events)));
  if (saysCounts && run.rows.length < passed.rows.length) {
    expect(run.verdict, where).not.toBe('PASS');
    expect(run.verdict, where).not.toBe('WARN');
  }
  for (const kind of ['json', 'csv', 'junit'] as const)
    expect(exportText(folder, kind, template), where).not.toBe('');
  if (withReport) expect(exportText(folder, 'html', template), where).toContain('whiteline-run');
  if (run.experiment === passed.experiment) compareRuns([passed, run]);
  // Processor time: what other processes take meanwhile is none of it.
  const { user, system } = process.cpuUsage(used);
  expect((user + system) / 1e6, where).toBeLessThan(5);
}

test('the commands end with a documented exit code and no stack', async () => {
  const random = new Random(attackSeed);
  for (let round = 0; round < 4; round++) {
    copy();
    const where = `seed ${attackSeed}, round ${round}: ${spoil(random)}`;
    const report = join(root, `report-${round}.html`);
    const ended = await Promise.all([
      whiteline('report', folder, '--html', report),
      whiteline('runs', '--runs', join(root, 'runs')),
      whiteline('compare', whole, folder),
    ]);
    for (const { exitCode, errors } of ended) {
      expect([0, 1, 2, 3, 5], `${where}: ${errors}`).toContain(exitCode);
      expect(errors, where).not.toMatch(/\n {4}at /);
    }
    expect(existsSync(report), where).toBe(ended[0]?.exitCode === 0);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
