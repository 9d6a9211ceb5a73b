import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { baselineFile } from '../engine/history/baseline';
import { runFiles } from '../engine/sessions/read-run';
import { sessionFiles } from '../engine/sessions/read-session';
import {
  type ArchiveCommand,
  type ArchiveCommandName,
  type ArchiveResult,
  archiveCommands,
} from '../protocol/archive';
import { FileGrants } from '../protocol/file-grants';
import { machineClock } from '../protocol/machine-clock';
import { noReportHeader, type ReportHeader } from '../protocol/report-header';
import { carryOut } from '../rpc/serve-commands';
import { examplePictures } from '../testing/example-pictures';
import { loadSample } from '../testing/load-sample';
import { type RecordedRun, recordRun } from '../testing/recorded-run';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { Archive } from './archive';
import type { ArchiveApplication } from './archive-application';
import { deletedFolder, deleteRun, eraseOverdue } from './deleted-runs';
import { removeUnfinishedImports } from './import-runs';

const folder = temporaryFolder();
const picture = join(folder, 'rack.png');
writeFileSync(picture, examplePictures.png);
const template = join(folder, 'template.html');
writeFileSync(template, '<script type="application/json" id="whiteline-run">{}</script>');

let root = '';
let number = 0;
let archive: Archive;
/** What the operator chooses next; null: the dialog is closed. */
let chosen: string | null = null;
let opened: string[] = [];
let shown: string[] = [];
let suggested = '';
const grants = new FileGrants();

beforeEach(() => {
  root = join(folder, `${number++}`, 'runs');
  chosen = null;
  opened = [];
  shown = [];
  const application: ArchiveApplication & { header: ReportHeader } = {
    reportTemplate: template,
    header: noReportHeader,
    // Like the real ones, a method of its object.
    async reportHeader() {
      return this.header;
    },
    printPage: async (htmlFile, pdfFile) => cpSync(htmlFile, pdfFile),
    choosePicture: async () => chosen,
    chooseImport: async () => chosen,
    redeemGrant: async (purpose, grant) => grants.redeem(purpose, grant),
    chooseExport: async (_, name) => {
      suggested = name;
      return chosen === null ? null : grants.offer(chosen);
    },
    open: async (path) => {
      opened.push(path);
      return null;
    },
    show: async (path) => {
      shown.push(path);
    },
  };
  archive = new Archive(root, application, machineClock);
});

async function ask<Name extends ArchiveCommandName>(
  command: ArchiveCommand<Name>,
): Promise<ArchiveResult<Name>> {
  const { name }: { name: Name } = command;
  return carryOut(archiveCommands, archive.commands, name, command);
}

/** Root may read everything, so it is an ordinary user meanwhile. */
async function asSomebody<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return act();
  for (const path of [folder, dirname(root), root]) chmodSync(path, 0o777);
  process.seteuid?.('nobody');
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

const write = (name: string, reported: RecordedRun = {}): string => recordRun(join(root, name), reported);
const day = (number: number): string => `2026-11-${number}T10:00:00.000Z`;

async function listed(): Promise<string[]> {
  return (await ask({ name: 'listRuns' })).runs.map((run) => run.folder);
}

describe('the list', () => {
  test('of a folder that is not there yet is empty', async () => {
    expect(await ask({ name: 'listRuns' })).toEqual({
      ...{ runs: [], total: 0, experiments: [], hosts: [], recorded: 0 },
      ...{ baselines: {}, baselinesProblem: null },
    });
    expect(await ask({ name: 'listDeleted' })).toEqual([]);
  });

  test('comes in pages, newest first, with all there is to filter by', async () => {
    for (let one = 10; one < 15; one++) write(`run-${one}`, { startedAt: day(one), host: `host-${one}` });
    write('link', { startedAt: day(20), experiment: 'link', verdict: 'FAIL', host: 'host-10' });
    const page = await ask({ name: 'listRuns', filter: { experiment: 'stream-load' }, offset: 1, limit: 2 });
    expect(page.runs.map((run) => run.folder)).toEqual(['run-13', 'run-12']);
    expect(page).toMatchObject({ total: 5, recorded: 6, experiments: ['link', 'stream-load'] });
    expect(page.hosts).toEqual(['host-10', 'host-11', 'host-12', 'host-13', 'host-14']);
    const failed = await ask({ name: 'listRuns', filter: { verdict: 'FAIL' } });
    expect(failed.runs.map((run) => run.folder)).toEqual(['link']);
  });

  test('says of each run whose session it is of, and whether it is the baseline', async () => {
    write('alone', { startedAt: day(12) });
    write('session/01-load', { startedAt: day(11) });
    writeFileSync(join(root, 'session', sessionFiles.lines), '');
    write('sorted-by-hand/b', { startedAt: day(10) });
    const { isBaseline } = await ask({ name: 'pinBaseline', run: 'session/01-load' });
    expect(isBaseline).toBe(true);
    const { runs, baselines } = await ask({ name: 'listRuns' });
    expect(runs.map((run) => [run.folder, run.session, run.isBaseline])).toEqual([
      ['alone', null, false],
      ['session/01-load', 'session', true],
      ['sorted-by-hand/b', null, false],
    ]);
    expect(baselines).toEqual({ 'stream-load': 'session/01-load' });
    expect(await ask({ name: 'unpinBaseline', experiment: 'stream-load' })).toBeNull();
    expect((await ask({ name: 'listRuns' })).baselines).toEqual({});
  });
});

test.each(['..', '../runs/a', '/etc', 'a/../../secret', '.deleted/x/run', 'absent', 'a\0b', '.', ''])(
  'a run called %j is refused by every command that takes one',
  async (run) => {
    write('a');
    recordRun(join(root, '..', 'secret'));
    recordRun(join(root, deletedFolder, 'x', 'run'));
    const commands: ArchiveCommand[] = [
      { name: 'openRun', run },
      { name: 'listEvents', run },
      { name: 'compareRuns', runs: ['a', run] },
      { name: 'renameRun', run, title: 'x' },
      { name: 'addNote', run, text: 'x' },
      { name: 'attachPicture', run },
      { name: 'pinBaseline', run },
      { name: 'deleteRun', run },
      { name: 'exportRun', run, kind: 'json' },
      { name: 'openReport', run },
      { name: 'openFolder', run },
    ];
    chosen = picture;
    for (const command of commands)
      await expect(ask(command), command.name).rejects.toMatchObject({
        code: run === 'absent' ? 'NOT_FOUND' : 'BAD_INPUT',
      });
    expect([...opened, ...shown]).toEqual([]);
  },
);

test('a run opens with its rows, load, events and notes', async () => {
  write('a', { rows: 3, reason: '3 streams carried' });
  await ask({ name: 'addNote', run: 'a', text: 'EEE was on' });
  const opening = await ask({ name: 'openRun', run: 'a' });
  expect(opening.run.rows).toHaveLength(3);
  expect(opening.summary).toMatchObject({ folder: 'a', verdict: 'PASS', notes: ['EEE was on'] });
  expect(opening.notes).toMatchObject([{ text: 'EEE was on' }]);
  expect(opening.load.wallMs).toEqual([loadSample().wallMs]);
});

test('events come in pages, by time', async () => {
  write('a');
  await ask({ name: 'addNote', run: 'a', text: 'EEE was on' });
  const kindsOf = async (offset?: number, limit?: number) => {
    const { events, total } = await ask({ name: 'listEvents', run: 'a', offset, limit });
    return [total, ...events.map(({ kind }) => kind)];
  };
  expect(await kindsOf()).toEqual([3, 'run-started', 'run-ended', 'note']);
  expect(await kindsOf(1, 1)).toEqual([3, 'run-ended']);
  expect(await kindsOf(3)).toEqual([3]);
});

test('runs are compared, with the load of each', async () => {
  write('a', { rows: 1 });
  write('b', { rows: 2, startedAt: day(21) });
  const { comparison, runs, notComparable } = await ask({ name: 'compareRuns', runs: ['b', 'a'] });
  expect(notComparable).toBeNull();
  expect(comparison.runs.map(({ startedAt }) => startedAt)).toEqual([day(21), day(20)]);
  expect(runs.map(({ summary, load }) => [summary.folder, load.wallMs.length])).toEqual([
    ['b', 1],
    ['a', 1],
  ]);
  expect(comparison.tolerancePercent).toBe(10);
  write('link', { experiment: 'link' });
  await expect(ask({ name: 'compareRuns', runs: ['a', 'a'] })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(ask({ name: 'compareRuns', runs: ['a', 'link'] })).rejects.toMatchObject({
    message: 'Expected runs of one experiment (stream-load) for runs but received link',
  });
});

test('a run gets another title, notes and a picture, and keeps its verdict', async () => {
  write('a');
  expect(await ask({ name: 'renameRun', run: 'a', title: ' Hall 3 ' })).toMatchObject({ title: 'Hall 3' });
  await expect(ask({ name: 'renameRun', run: 'a', title: ' ' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(ask({ name: 'renameRun', run: 'a', title: 'PASS \u202eLIAF' })).rejects.toThrow(
    'Expected a name of visible characters for title but received PASS \\u202eLIAF',
  );
  expect(await ask({ name: 'attachPicture', run: 'a', text: 'The rack' })).toBeNull();
  chosen = picture;
  expect(await ask({ name: 'attachPicture', run: 'a', text: 'The rack' })).toMatchObject({
    ...{ title: 'Hall 3', verdict: 'PASS', notes: ['The rack'] },
  });
  const { pictures } = await ask({ name: 'openRun', run: 'a' });
  expect(pictures.map(({ caption }) => caption)).toEqual(['The rack']);
  chosen = template;
  await expect(ask({ name: 'attachPicture', run: 'a' })).rejects.toMatchObject({
    message: `Expected a PNG, JPEG or WebP picture for picture but received ${template}`,
  });
});

test('a title that was recorded elsewhere turns nothing that stands beside it', async () => {
  const path = write('a');
  const events = join(path, runFiles.events);
  writeFileSync(events, readFileSync(events, 'utf8').replaceAll('Stream load', 'PASS \\u202eLIAF'));
  const { runs } = await ask({ name: 'listRuns' });
  expect(runs.map(({ title }) => title)).toEqual(['PASS \\u202eLIAF']);
});

test('a spoilt file of baselines leaves the runs: they are listed, renamed and deleted, and it is named', async () => {
  write('a');
  await ask({ name: 'pinBaseline', run: 'a' });
  const file = join(root, baselineFile);
  writeFileSync(file, '{{{');
  const { runs, baselines, baselinesProblem } = await ask({ name: 'listRuns' });
  expect(runs).toMatchObject([{ folder: 'a', isBaseline: false }]);
  expect(baselines).toEqual({});
  expect(baselinesProblem).toMatchObject({
    message: expect.stringContaining(file),
    remedy: 'Repair it, or remove it and pin again',
  });
  expect(await ask({ name: 'renameRun', run: 'a', title: 'other' })).toMatchObject({ title: 'other' });
  await expect(ask({ name: 'pinBaseline', run: 'a' })).rejects.toThrow(file);
  await ask({ name: 'deleteRun', run: 'a' });
  expect(await listed()).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe('{{{');
});

describe('a deleted run', () => {
  test('is out of the list, and undone it is as it was, the baseline again', async () => {
    const path = write('session/a');
    write('b');
    const before = readFileSync(join(path, runFiles.events), 'utf8');
    await ask({ name: 'pinBaseline', run: 'session/a' });
    const deleted = await ask({ name: 'deleteRun', run: 'session/a' });
    expect(deleted).toMatchObject({
      ...{ folder: 'session/a', title: 'Stream load', experiment: 'stream-load', wasBaseline: true },
    });
    expect(await listed()).toEqual(['b']);
    expect((await ask({ name: 'listRuns' })).baselines).toEqual({});
    for (const name of ['openRun', 'deleteRun'] as const)
      await expect(ask({ name, run: 'session/a' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'The run session/a is not there any more: it was deleted, or its folder was moved',
      });
    expect(await ask({ name: 'listDeleted' })).toEqual([deleted]);
    rmSync(join(root, 'session'), { recursive: true });

    const restored = await ask({ name: 'restoreRun', deletion: deleted.deletion });
    expect(restored).toMatchObject({ folder: 'session/a', isBaseline: true });
    expect(readFileSync(join(path, runFiles.events), 'utf8')).toBe(before);
    expect(await ask({ name: 'listDeleted' })).toEqual([]);
    await expect(ask({ name: 'restoreRun', deletion: deleted.deletion })).rejects.toThrow(
      'Expected one of a deleted run for deletion',
    );
  });

  test('does not take the place of a run or a baseline that came after it', async () => {
    write('a');
    await ask({ name: 'pinBaseline', run: 'a' });
    const { deletion } = await ask({ name: 'deleteRun', run: 'a' });
    write('a', { reason: 'another one' });
    await ask({ name: 'pinBaseline', run: 'a' });
    await expect(ask({ name: 'restoreRun', deletion })).rejects.toThrow('Expected a run whose place');
    const second = await ask({ name: 'deleteRun', run: 'a' });
    write('b');
    await ask({ name: 'pinBaseline', run: 'b' });
    expect(await ask({ name: 'restoreRun', deletion: second.deletion })).toMatchObject({
      ...{ reason: 'another one', isBaseline: false },
    });
    expect(JSON.parse(readFileSync(join(root, baselineFile), 'utf8'))).toEqual({ 'stream-load': 'b' });
  });

  test('is erased for good', async () => {
    write('a');
    const { deletion } = await ask({ name: 'deleteRun', run: 'a' });
    expect(existsSync(join(root, deletedFolder, deletion))).toBe(true);
    expect(await ask({ name: 'eraseRun', deletion })).toBeNull();
    expect(existsSync(join(root, deletedFolder, deletion))).toBe(false);
    for (const name of [deletion, '..', '.', '../a', '/etc'])
      await expect(ask({ name: 'eraseRun', deletion: name })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('is erased by itself after the days that deleted runs are kept, and not before', async () => {
    const days = 86_400_000;
    const now = Date.now();
    const deleted = ['a', 'b'].map((name, index) => {
      write(name);
      return deleteRun(root, name, new Date(now - (30 + index) * days));
    });
    expect(eraseOverdue(root, 30, now)).toBe(1);
    expect(await ask({ name: 'listDeleted' })).toEqual([deleted[0]]);
    expect(eraseOverdue(root, 30, now + 1)).toBe(1);
    expect(await ask({ name: 'listDeleted' })).toEqual([]);
    expect(eraseOverdue(root, 30, now)).toBe(0);
  });

  test('was not put aside before a kill: it is where it was, and no deletion', async () => {
    write('a');
    const home = join(root, deletedFolder, 'cut-short');
    mkdirSync(home, { recursive: true });
    const record = { folder: 'a', deletedAt: day(20), wasBaseline: false };
    writeFileSync(join(home, 'deleted.json'), JSON.stringify(record));
    expect(await ask({ name: 'listDeleted' })).toEqual([]);
    expect(await listed()).toEqual(['a']);
  });

  test('lies about its place: it is put nowhere else', async () => {
    write('a');
    const { deletion } = await ask({ name: 'deleteRun', run: 'a' });
    const record = { folder: '../outside', deletedAt: day(20), wasBaseline: false };
    writeFileSync(join(root, deletedFolder, deletion, 'deleted.json'), JSON.stringify(record));
    await expect(ask({ name: 'restoreRun', deletion })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(existsSync(join(root, '..', 'outside'))).toBe(false);
  });

  test('goes on: it is refused until it is over', async () => {
    const { recorder } = recorderIn(join(root, 'live'));
    recorder.sample(loadSample());
    await expect(ask({ name: 'deleteRun', run: 'live' })).rejects.toThrow(
      'Expected a run that is over for run',
    );
    recorder.end('finished', 'PASS', 'done');
    expect(await ask({ name: 'deleteRun', run: 'live' })).toMatchObject({ folder: 'live' });
  });
});

describe('an import', () => {
  const elsewhere = (name: string, reported: RecordedRun = {}): string =>
    recordRun(join(root, '..', 'stick', name), reported);

  test('copies a run, and only what somebody could have recorded', async () => {
    chosen = elsewhere('my run: 1');
    mkdirSync(join(chosen, 'pictures'));
    writeFileSync(join(chosen, 'pictures', 'a.png'), 'x');
    writeFileSync(join(chosen, '.hidden'), 'x');
    symlinkSync('/etc/passwd', join(chosen, 'pictures', 'b.png'));
    symlinkSync('/etc', join(chosen, 'linked'));
    const old = new Date('2026-01-01');
    utimesSync(join(chosen, runFiles.samples), old, old);
    write('my-run-1', { startedAt: day(11) });
    const imported = await ask({ name: 'importRuns' });
    expect(imported).toMatchObject({ runs: [{ folder: 'my-run-1-2', verdict: 'PASS' }], unreadableLines: 0 });
    const copy = join(root, 'my-run-1-2');
    expect(existsSync(join(copy, 'pictures', 'a.png'))).toBe(true);
    for (const left of ['.hidden', 'linked', 'pictures/b.png'])
      expect(existsSync(join(copy, left))).toBe(false);
    expect(statSync(join(copy, runFiles.samples)).mtimeMs).toBe(old.getTime());
    await expect(ask({ name: 'importRuns' })).rejects.toThrow('Expected a run that is not here yet');
    expect(await listed()).toEqual(['my-run-1-2', 'my-run-1']);
  });

  test.each(['Evil.app', 'tool.workflow', 'a.{21EC2020-3AEA-1069-A2DD-08002B30309D}'])(
    'gives %s a name that means nothing to the system',
    async (name) => {
      chosen = elsewhere(name);
      const imported = await ask({ name: 'importRuns' });
      expect(imported?.runs[0]?.folder).toMatch(/^[\w-]+$/);
    },
  );

  test('takes a folder that was dropped onto the window, by its word and once', async () => {
    const dropped = elsewhere('dropped');
    const { grant } = grants.grant('import', dropped);
    expect(await ask({ name: 'importRuns', grant })).toMatchObject({ runs: [{ folder: 'dropped' }] });
    const forged = grants.grant('export', dropped).grant;
    for (const word of [grant, forged, '0'.repeat(64)])
      await expect(ask({ name: 'importRuns', grant: word })).rejects.toThrow(
        'Expected a folder that was dropped onto the window',
      );
    await expect(ask({ name: 'importRuns', grant: dropped })).rejects.toThrow('for grant but received');
  });

  test('copies a session with its runs, and reports what cannot be read there', async () => {
    elsewhere('night/01-load');
    const cut = elsewhere('night/02-link', { experiment: 'link' });
    writeFileSync(join(cut, runFiles.rows), '{"row":', { flag: 'a' });
    chosen = join(cut, '..');
    await expect(ask({ name: 'importRuns' })).rejects.toThrow(
      'the folder of a run, or of a plan with its runs',
    );
    writeFileSync(join(chosen, sessionFiles.lines), '{}\n');
    const imported = await ask({ name: 'importRuns' });
    expect(imported?.runs.map((run) => [run.folder, run.session])).toEqual([
      ['night/01-load', 'night'],
      ['night/02-link', 'night'],
    ]);
    expect(imported?.unreadableLines).toBe(1);
  });

  test('of what is no run, is ours already or goes on is refused, and leaves nothing behind', async () => {
    expect(await ask({ name: 'importRuns' })).toBeNull();
    const ours = write('a');
    const headless = elsewhere('headless');
    writeFileSync(join(headless, runFiles.events), '');
    const { recorder } = recorderIn(join(root, '..', 'stick', 'live'));
    recorder.sample(loadSample());
    const refusals: [path: string, message: string][] = [
      [folder, 'the folder of a run'],
      [picture, 'the folder of a run'],
      [join(folder, 'absent'), 'the folder of a run'],
      [ours, `a folder apart from ${root}`],
      [headless, 'a run whose start is recorded'],
      [join(root, '..', 'stick', 'live'), 'a run that is over'],
    ];
    for (const [path, message] of refusals) {
      chosen = path;
      await expect(ask({ name: 'importRuns' }), path).rejects.toThrow(message);
    }
    recorder.end('finished', 'PASS', '');
    expect(await listed()).toEqual(['a']);
  });

  test('of what may not be read says so, and leaves nothing behind', async () => {
    chosen = elsewhere('locked');
    const file = join(chosen, 'pictures.zip');
    writeFileSync(file, 'x', { mode: 0 });
    mkdirSync(root, { recursive: true });
    const refused = asSomebody(() => ask({ name: 'importRuns' }));
    await expect(refused).rejects.toThrow(`a folder that can be read for folder but received ${file}`);
    expect(readdirSync(root)).toEqual([]);
  });

  test('that a kill cut short is removed, once no one can be at it any more', () => {
    const unfinished = join(root, '.importing-abc');
    recordRun(unfinished);
    removeUnfinishedImports(root, Date.now());
    expect(existsSync(unfinished)).toBe(true);
    removeUnfinishedImports(root, Date.now() + 2 * 3_600_000);
    expect(existsSync(unfinished)).toBe(false);
  });
});

describe('an export', () => {
  test.each(['html', 'pdf', 'json', 'csv', 'junit', 'parquet'] as const)(
    'as %s is written where the operator says',
    async (kind) => {
      write('plan/a');
      expect(await ask({ name: 'exportRun', run: 'plan/a', kind })).toBeNull();
      expect(suggested).toBe('whiteline-render-stream-load-2026-11-20t10-00-00');
      chosen = join(root, '..', `out.${kind}`);
      const written = await ask({ name: 'exportRun', run: 'plan/a', kind });
      expect(written?.path).toBe(chosen);
      expect(grants.writtenPath(written?.grant ?? '')).toBe(chosen);
      const file = kind === 'parquet' ? join(chosen, 'rows.parquet') : chosen;
      expect(statSync(file).size).toBeGreaterThan(50);
    },
  );

  test('is named by the client and the project that its run recorded', async () => {
    const events = join(recordRun(join(root, 'headed')), runFiles.events);
    const [first = '', ...others] = readFileSync(events, 'utf8').split('\n');
    const { details, ...event } = JSON.parse(first);
    const header = { client: 'Northlight', project: 'Hall 3' };
    writeFileSync(
      events,
      [JSON.stringify({ ...event, details: { ...details, header } }), ...others].join('\n'),
    );
    await ask({ name: 'exportRun', run: 'headed', kind: 'csv' });
    expect(suggested).toMatch(/^whiteline-northlight-hall-3-/);
  });

  test('that cannot be written says so', async () => {
    write('a');
    chosen = join(root, 'no', 'such', 'folder.csv');
    await expect(ask({ name: 'exportRun', run: 'a', kind: 'csv' })).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
    });
  });
});

test('a report is opened, and a folder only shown: one of an application would start it', async () => {
  const path = write('a');
  expect(await ask({ name: 'openReport', run: 'a' })).toBeNull();
  await ask({ name: 'openFolder', run: 'a' });
  expect(opened).toEqual([join(path, 'report.html')]);
  expect(shown).toEqual([join(path, runFiles.events)]);
  expect(readFileSync(opened[0] ?? '', 'utf8')).toContain('all well');
});

describe('a session', () => {
  const recorded = resolve('test-content/runs/session');
  const copy = (): void => cpSync(recorded, join(root, 'hall-3'), { recursive: true });

  test('opens as one thing, with what each of its runs came to', async () => {
    copy();
    rmSync(join(root, 'hall-3', '02-one-stream-1'), { recursive: true });
    const { session, runs } = await ask({ name: 'openSession', session: 'hall-3' });
    expect(session).toMatchObject({ name: 'A small plan', verdict: 'INVALID' });
    expect(session.runs.map(({ state }) => state)).toEqual(['finished', 'unreadable', 'finished']);
    expect(runs.map((run) => run?.folder ?? null)).toEqual([
      'hall-3/01-link',
      null,
      'hall-3/03-one-stream-2',
    ]);
    expect(runs[0]).toMatchObject({ session: 'hall-3', verdict: 'WARN' });
  });

  test('has one report, which opens by one command', async () => {
    copy();
    await ask({ name: 'openSessionReport', session: 'hall-3' });
    const file = join(root, 'hall-3', 'report.html');
    expect(opened).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toContain('One stream 2');
  });

  test('and chosen runs are exported as one', async () => {
    copy();
    write('alone');
    const runs = ['alone', 'hall-3/01-link'];
    const groups = [{ session: 'hall-3' }, { runs }];
    for (const [index, group] of groups.entries()) {
      chosen = null;
      expect(await ask({ name: 'exportGroup', group, kind: 'json' })).toBeNull();
      expect(suggested).toMatch(index === 0 ? /^whiteline-a-small-plan-2026/ : /^whiteline-2-chosen-runs/);
      chosen = join(root, '..', `group-${index}.json`);
      expect(await ask({ name: 'exportGroup', group, kind: 'json' })).toMatchObject({
        path: chosen,
        problems: [],
      });
      expect(JSON.parse(readFileSync(chosen, 'utf8')).runs).toHaveLength(index === 0 ? 3 : 2);
    }
    const twice = ask({ name: 'exportGroup', group: { runs: ['alone', 'alone'] }, kind: 'json' });
    await expect(twice).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test.each(['..', '../runs/hall-3', '/etc', 'alone', '.deleted/x', 'absent', 'hall-3/01-link', '.', ''])(
    'called %j is refused by every command that takes one',
    async (session) => {
      copy();
      write('alone');
      recordRun(join(root, deletedFolder, 'x', 'run'));
      writeFileSync(join(root, deletedFolder, 'x', sessionFiles.lines), '');
      const asked: ArchiveCommand[] = [
        { name: 'openSession', session },
        { name: 'openSessionReport', session },
        { name: 'exportGroup', group: { session }, kind: 'csv' },
      ];
      chosen = join(root, '..', 'never.csv');
      for (const command of asked)
        await expect(ask(command)).rejects.toThrow(
          /a (session|run) below|for (group\.)?session but received nothing/,
        );
      expect(existsSync(chosen)).toBe(false);
      expect(opened).toEqual([]);
    },
  );
});
