import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { expect, test } from 'vitest';
import type { SessionReportData } from '../../protocol/report';
import { noReportHeader } from '../../protocol/report-header';
import { sessionExportSchema } from '../../protocol/session';
import { examplePictures } from '../../testing/example-pictures';
import { changedRow, exampleRow } from '../../testing/example-run';
import { junitProblems } from '../../testing/junit-schema';
import { loadSample } from '../../testing/load-sample';
import { recordRun } from '../../testing/recorded-run';
import { temporaryFolder } from '../../testing/temporary-folder';
import { parseXml } from '../../testing/xml';
import { literal, queryRows, withDatabase } from '../history/database';
import { readRun, runFiles } from '../sessions/read-run';
import { sessionFiles } from '../sessions/read-session';
import { exportGroup, type ReportTools } from './export';
import { reportData } from './html';
import { chosenGroup, GroupReader, type RunGroup, sessionGroup } from './run-group';
import { sessionReportData } from './session-page';

const root = temporaryFolder();
const recorded = resolve('test-content/runs');
const place = '<script type="application/json" id="whiteline-run">{}</script>';
const template = join(root, 'template.html');
writeFileSync(template, place);
const tools: ReportTools = {
  reportTemplate: template,
  reportHeader: async () => noReportHeader,
  printPage: async (htmlFile, pdfFile) => writeFileSync(pdfFile, `%PDF of ${readFileSync(htmlFile).length}`),
};
let number = 0;

/** A copy of a recorded session: a run of link and two of stream-load. */
function copyOfSession(): string {
  const folder = join(root, `session-${++number}`);
  cpSync(join(recorded, 'session'), folder, { recursive: true });
  return folder;
}

function dataOf(group: RunGroup, most?: number): SessionReportData {
  return sessionReportData(new GroupReader(group), most);
}

async function exported(group: RunGroup, kind: 'html' | 'pdf' | 'json' | 'csv' | 'junit') {
  const path = join(root, `export-${++number}`);
  const problems = await exportGroup(group, kind, path, tools);
  return { text: readFileSync(path, 'utf8'), problems };
}

test('each run of a session is in the page as it is in its own report, and the session is what its runs are', () => {
  const folder = join(recorded, 'session');
  const data = dataOf(sessionGroup(folder));
  const folders = ['01-link', '02-one-stream-1', '03-one-stream-2'].map((name) => join(folder, name));
  const alone = folders.map((run) => reportData(run, false));
  expect(JSON.parse(JSON.stringify(data.runs))).toEqual(
    JSON.parse(JSON.stringify(alone.map((run) => ({ ...run, isShort: false })))),
  );
  expect(data.session).toMatchObject({
    ...{ name: 'A small plan', state: 'finished', verdict: 'WARN', reason: '3 runs: 1 WARN (link), 2 PASS' },
    runs: [{ name: 'link' }, { name: 'One stream 1', verdict: 'PASS' }, { name: 'One stream 2' }],
  });
  // Nothing was changed between them.
  expect(data.differences).toEqual([]);
});

test('repeats of an experiment stand beside each other, step by step, every row of them once', () => {
  const { repeats, runs } = dataOf(sessionGroup(join(recorded, 'session')));
  expect(repeats.map(({ experiment, runs: own, differences }) => [experiment, own, differences])).toEqual([
    ['stream-load', [1, 2], []],
  ]);
  const steps = repeats[0]?.steps ?? [];
  expect(steps.map(({ label }) => label)).toEqual(['Streams 0', 'Streams 1']);
  for (const [streams, { rows }] of steps.entries()) {
    expect(rows.map(({ run }) => run)).toEqual([1, 2]);
    for (const { run, row } of rows) expect(runs[run]?.run.rows[row]?.step.streams).toBe(streams);
  }
});

test('chosen runs stand in their order; what was not the same when they began is reported', () => {
  const at = (hour: string): string => `2026-11-20T${hour}:00:00.000Z`;
  const late = recordRun(join(root, 'late'), { startedAt: at('12'), endedAt: at('13'), host: 'rack-2' });
  const early = recordRun(join(root, 'early'), { startedAt: at('10'), endedAt: at('11'), verdict: 'FAIL' });
  const { session, runs, differences } = dataOf(chosenGroup([late, early]));
  expect(session).toMatchObject({
    ...{ name: '2 chosen runs', startedAt: at('10'), endedAt: at('13'), state: 'finished', verdict: 'FAIL' },
    ...{ reason: '2 runs: 1 FAIL (Stream load), 1 PASS', runs: [{ folder: late }, { folder: early }] },
  });
  expect(runs.map((run) => run?.run.startedAt)).toEqual([at('12'), at('10')]);
  // A session that was begun after the first of its runs.
  const group = chosenGroup([late, early]);
  const begun = { ...group, session: { ...group.session, startedAt: at('12') } };
  expect(dataOf(begun).session).toMatchObject({ startedAt: at('10'), endedAt: at('13') });
  expect(differences).toEqual([
    { of: 'environment', path: 'hosts.0.hostName', name: 'Machine, host name', values: ['rack-2', 'render'] },
  ]);
});

test('how long runs took of which one was interrupted is not known', () => {
  const at = (second: string): string => `2026-11-20T10:00:${second}.000Z`;
  const whole = recordRun(join(root, 'whole-beside'), { startedAt: at('00'), endedAt: at('17') });
  const killed = recordRun(join(root, 'killed-beside'), { startedAt: at('30') });
  const events = join(killed, runFiles.events);
  const [begun = ''] = readFileSync(events, 'utf8').split('\n');
  writeFileSync(events, `${begun}\n`);
  expect(dataOf(chosenGroup([whole, killed])).session).toMatchObject({ startedAt: at('00'), endedAt: null });
});

test('other words of another experiment, or of an older version, are no change', () => {
  const chosen = [
    ['quiet', 'this machine by itself'],
    ['quiet', 'this machine alone'],
    ['link', 'this machine alone, over loopback'],
  ].map(([experiment = '', topology = ''], index) =>
    recordRun(join(root, `topology-${index}`), { experiment, topology }),
  );
  expect(dataOf(chosenGroup(chosen)).differences).toEqual([]);
  const far = recordRun(join(root, 'topology-far'), { experiment: 'link', topology: 'this machine and far' });
  expect(dataOf(chosenGroup([...chosen, far])).differences.map(({ path }) => path)).toEqual(['topology']);
});

test('a folder that is given twice is refused, by another way too', () => {
  const folder = recordRun(join(root, 'twice'));
  const link = join(root, 'twice-by-a-link');
  symlinkSync(folder, link);
  for (const again of [folder, `${folder}/../twice`, link])
    expect(() => chosenGroup([folder, again])).toThrow(/Expected each run once for run but received/);
});

test('a run whose folder is gone is named, the rest is reported, and no one says that all was well', async () => {
  const folder = copyOfSession();
  rmSync(join(folder, '02-one-stream-1'), { recursive: true });
  const { session, runs } = dataOf(sessionGroup(folder));
  expect(runs.map((run) => run !== null)).toEqual([true, false, true]);
  expect(session).toMatchObject({
    verdict: 'INVALID',
    reason: '3 runs: 1 unreadable (One stream 1), 1 WARN (link), 1 PASS',
  });
  expect(session.runs[1]).toMatchObject({ state: 'unreadable', verdict: null });
  const { text, problems } = await exported(sessionGroup(folder), 'csv');
  expect(problems).toEqual([expect.stringMatching(/02-one-stream-1 is not in the report: .+ holds no run/)]);
  expect(text).toMatch(/\r\n2,"One stream 1","stream-load",.*"unreadable: .+ holds no run",+\r\n3,/);
  const suites = parseXml((await exported(sessionGroup(folder), 'junit')).text).children;
  expect(suites[1]?.attributes).toMatchObject({ tests: '1', errors: '1', skipped: '0' });
  expect(junitProblems({ name: 'testsuites', attributes: {}, text: '', children: suites })).toEqual([]);
});

test('a run that is gone is missing too where the beginning of its session is lost', () => {
  const folder = copyOfSession();
  rmSync(join(folder, '02-one-stream-1'), { recursive: true });
  const [, ...lines] = readFileSync(join(folder, 'session.jsonl'), 'utf8').split('\n');
  writeFileSync(join(folder, 'session.jsonl'), lines.join('\n'));
  const { session } = dataOf(sessionGroup(folder));
  expect(session.runs.map(({ folder: name, state }) => [name, state])).toContainEqual([
    '02-one-stream-1',
    'unreadable',
  ]);
  expect(session.verdict).toBe('INVALID');
});

test('a plan that was cut off between two runs is INVALID at best', () => {
  const folder = copyOfSession();
  rmSync(join(folder, '03-one-stream-2'), { recursive: true });
  const lines = readFileSync(join(folder, 'session.jsonl'), 'utf8').trimEnd().split('\n').slice(0, 5);
  writeFileSync(join(folder, 'session.jsonl'), `${lines.join('\n')}\n`);
  const { session } = dataOf(sessionGroup(folder));
  expect(session.runs.map(({ state }) => state)).toEqual(['finished', 'finished', 'waiting']);
  expect([session.state, session.verdict]).toEqual(['interrupted', 'INVALID']);
});

test('a link in the place of a run, or of its rows, is not followed', () => {
  const folder = copyOfSession();
  rmSync(join(folder, '02-one-stream-1', runFiles.events));
  rmSync(join(folder, '02-one-stream-1', runFiles.rows));
  for (const name of [runFiles.events, runFiles.rows])
    symlinkSync(join(folder, '03-one-stream-2', name), join(folder, '02-one-stream-1', name));
  symlinkSync(join(recorded, 'storage'), join(folder, '04-storage'));
  // Samples that have just been written are of a run that goes on.
  utimesSync(join(folder, '02-one-stream-1', runFiles.samples), 0, 0);
  const { session, runs } = dataOf(sessionGroup(folder));
  expect(session.runs.map(({ folder: name }) => name)).toEqual([
    '01-link',
    '02-one-stream-1',
    '03-one-stream-2',
  ]);
  expect(runs[1]?.run.rows ?? []).toEqual([]);
  expect(session.verdict).toBe('INVALID');
});

test('a run that is cut short is in the page with the rows that are whole, and is reported', async () => {
  const folder = copyOfSession();
  const rows = join(folder, '03-one-stream-2', runFiles.rows);
  truncateSync(rows, readFileSync(rows).length - 100);
  const { session, runs } = dataOf(sessionGroup(folder));
  expect(runs[2]?.run.rows).toHaveLength(1);
  expect(session.runs[2]?.verdict).toBe('INVALID');
  const { problems } = await exported(sessionGroup(folder), 'json');
  expect(problems).toEqual([expect.stringMatching(/03-one-stream-2: 1 of 2 rows \(1\) is missing/)]);
});

test('a session of which no run can be reported is refused, and no file is left', async () => {
  const folder = copyOfSession();
  for (const name of ['01-link', '02-one-stream-1', '03-one-stream-2'])
    rmSync(join(folder, name), { recursive: true });
  for (const kind of ['html', 'pdf', 'json', 'csv', 'junit', 'parquet'] as const) {
    const path = join(root, `none-${kind}`);
    await expect(exportGroup(sessionGroup(folder), kind, path, tools)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringMatching(/at least one run of A small plan .+ received 3 runs: 3 unreadable/),
    });
    expect(existsSync(path)).toBe(false);
  }
  const waiting = copyOfSession();
  const lines = readFileSync(join(waiting, sessionFiles.lines), 'utf8').split('\n');
  writeFileSync(join(waiting, sessionFiles.lines), `${lines[0]}\n`);
  for (const name of ['02-one-stream-1', '03-one-stream-2']) rmSync(join(waiting, name), { recursive: true });
  const { session } = dataOf(sessionGroup(waiting));
  expect(session.reason).toBe('3 runs: 1 WARN (link), 2 not run (One stream 1, One stream 2)');
  const junit = parseXml((await exported(sessionGroup(waiting), 'junit')).text);
  expect(junit.children.map(({ attributes }) => attributes.skipped)).toEqual(['0', '1', '1']);
  expect(junitProblems(junit)).toEqual([]);
});

test('JSON is of the published schema, with every run as it is read', async () => {
  const folder = copyOfSession();
  rmSync(join(folder, '01-link'), { recursive: true });
  const { text } = await exported(sessionGroup(folder), 'json');
  const json = JSON.parse(text);
  const validate = new Ajv2020().compile(JSON.parse(readFileSync('docs/schema/session.schema.json', 'utf8')));
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  const { runs } = sessionExportSchema.parse(json);
  const read = readRun(join(folder, '02-one-stream-1'));
  expect(runs.map(({ run }) => run?.id ?? null)).toEqual([null, read.id, expect.any(String)]);
  expect(runs[1]?.run).toEqual(JSON.parse(JSON.stringify(read)));
  expect(validate({ ...json, runs: [{ ...json.runs[0], run: {} }] })).toBe(false);
});

test('CSV has one head for all runs, and each line as many cells', async () => {
  const { text } = await exported(sessionGroup(join(recorded, 'session')), 'csv');
  const lines = text.trimEnd().split('\n');
  const cells = (line: string): number => line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g)?.length ?? 0;
  expect(new Set(lines.map(cells)).size).toBe(1);
  const rowsOf = (run: number): number => lines.filter((line) => line.startsWith(`${run},`)).length;
  const folders = ['01-link', '02-one-stream-1', '03-one-stream-2'];
  expect([1, 2, 3].map(rowsOf)).toEqual(
    folders.map((name) => readRun(join(recorded, 'session', name)).rows.length),
  );
  expect(lines[0]).toContain('"link.throughputMbps (Throughput (Mb/s))"');
  expect(lines[0]).toContain('"framesDropped (Dropped)"');
});

test('CSV has a line for a run that was interrupted before its first row', async () => {
  const folder = copyOfSession();
  const run = join(folder, '02-one-stream-1');
  rmSync(run, { recursive: true });
  recordRun(run, { experiment: 'stream-load', rows: [] });
  const events = join(run, runFiles.events);
  const [begun = ''] = readFileSync(events, 'utf8').split('\n');
  writeFileSync(events, `${begun}\n`);
  for (const name of [runFiles.events, runFiles.samples]) utimesSync(join(run, name), 0, 0);
  const { text } = await exported(sessionGroup(folder), 'csv');
  const own = text.split('\r\n').filter((line) => line.startsWith('2,'));
  expect(own).toEqual([expect.stringMatching(/^2,"[^"]+","stream-load",.*"interrupted: The run was/)]);
});

test('JUnit has a suite for each run, and counts them all', async () => {
  const { text } = await exported(sessionGroup(join(recorded, 'session')), 'junit');
  const file = parseXml(text);
  const sum = (name: string): number =>
    file.children.reduce((all, { attributes }) => all + Number(attributes[name]), 0);
  expect(file.children.map(({ attributes }) => attributes.name)).toEqual([
    '1. link (link)',
    ...['2. One stream 1 (stream-load)', '3. One stream 2 (stream-load)'],
  ]);
  expect(junitProblems(file)).toEqual([]);
  expect(sum('tests')).toBeGreaterThan(3);
});

test('Parquet has the rows of all runs', async () => {
  const path = join(root, 'tables');
  await exportGroup(sessionGroup(join(recorded, 'session')), 'parquet', path, tools);
  const sql = `SELECT runId, count(*) AS n FROM ${literal(join(path, 'rows.parquet'))} GROUP BY runId ORDER BY runId`;
  const found = await withDatabase((connection) => queryRows(connection, sql));
  expect(found).toHaveLength(3);
});

test('no text of a run or of a plan ends the script that it stands in', async () => {
  const hostile = '</script><script>alert(1)</script> $& \u202e';
  const folder = recordRun(join(root, 'hostile'), {
    rows: [changedRow(exampleRow(0), { reason: hostile, label: hostile })],
    reason: hostile,
    host: hostile,
  });
  const { text } = await exported(chosenGroup([folder, recordRun(join(root, 'harmless'))]), 'html');
  expect(text.match(/<\/?script/g)).toEqual(['<script', '</script']);
  expect(text).not.toContain('\u202e');
  expect(text).toContain('alert(1)');
});

test('pictures and notes keep their time, and the room for pictures is that of the page', () => {
  const folder = recordRun(join(root, 'pictured'));
  const picture = Buffer.concat([examplePictures.png, Buffer.alloc(9e6)]);
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'pictures', 'rack.png'), picture);
  const at = '2026-11-20T10:00:00.500Z';
  const event = { at, kind: 'picture', text: 'The rack', details: { file: 'pictures/rack.png' } };
  writeFileSync(join(folder, runFiles.events), `${JSON.stringify(event)}\n`, { flag: 'a' });
  const again = join(root, 'pictured-again');
  cpSync(folder, again, { recursive: true });
  const { runs } = dataOf(chosenGroup([folder, again]));
  expect(runs.map((run) => run?.pictures.map((each) => [each.at, each.caption]))).toEqual([
    [[at, 'The rack']],
    [],
  ]);
  expect(runs[1]?.picturesLeftOut).toHaveLength(1);
});

test('a page of very many runs stays small: points are shared, and what it has no room for is reported', () => {
  const samples = Array.from({ length: 1000 }, (_, second) => loadSample({ wallMs: 1.7e12 + second * 500 }));
  const one = recordRun(join(root, 'many', '0'), { samples, rows: 3 });
  const folders = Array.from({ length: 40 }, (_, index) => join(root, 'many', String(index)));
  for (const folder of folders.slice(1)) cpSync(one, folder, { recursive: true });
  const whole = dataOf(chosenGroup(folders));
  expect(whole.runs.every((run) => run && !run.isShort && run.load.wallMs.length === 500)).toBe(true);
  expect(whole.repeats[0]?.steps[0]?.rows).toHaveLength(120);

  const most = JSON.stringify(whole.runs[0]).length * 10;
  const { runs, session, repeats } = dataOf(chosenGroup(folders), most);
  const kept = runs.filter((run) => run && !run.isShort).length;
  expect(kept).toBeGreaterThanOrEqual(9);
  expect(kept).toBeLessThanOrEqual(10);
  expect(JSON.stringify(runs).length).toBeLessThan(most * 1.5);
  expect(runs.at(-1)).toMatchObject({ isShort: true, run: { verdict: 'PASS', rows: [] } });
  expect(repeats[0]?.runs).toHaveLength(kept);
  expect(session.runs).toHaveLength(40);
});
