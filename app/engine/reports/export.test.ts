import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordMetrics } from '../../facts/metrics/records';
import { headingWithUnit } from '../../facts/metrics/registry';
import { wordsOf } from '../../facts/reason-words';
import { scalarOf } from '../../facts/row-figures';
import { runSchema } from '../../facts/run';
import { WhitelineError } from '../../protocol/errors';
import { type PageData, type ReportData, reportLoadFigures } from '../../protocol/report';
import { noReportHeader } from '../../protocol/report-header';
import { examplePictures } from '../../testing/example-pictures';
import { changedRow, exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { tableRow } from '../../testing/made-up-rows';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readRun } from '../sessions/read-run';
import { csvOf, figuresOf } from './csv';
import { exportRun, exportText, type ReportTools } from './export';
import { loadColumnsOf } from './load-columns';
import { withFirstLosses } from './loss-causes';

const root = temporaryFolder();
const folder = join(root, 'run');
const hostile = 'a "quoted", </script><script>alert(1)</script> $& text';
const rows = [exampleRow(0), changedRow(exampleRow(1), { reason: hostile, verdict: 'WARN' })];
const { recorder } = recorderIn(folder);
recorder.sample(loadSample({ wallMs: 1000, lostPerSecond: null }));
recorder.sample(loadSample({ wallMs: 2000, lostPerSecond: 2 }));
recorder.event('stream-added', '1 streams', { streams: 1 }, 1);
recorder.event('host-died', 'the sending host ended with code 139');
for (const row of rows) recorder.row(row);
recorder.end('finished', 'WARN', hostile);

const template = join(root, 'template.html');
const place = '<script type="application/json" id="whiteline-run">{}</script>';
writeFileSync(template, `<html>${place}</html>`);

const tools: ReportTools = {
  reportTemplate: template,
  reportHeader: async () => noReportHeader,
  printPage: async (htmlFile, pdfFile) => writeFileSync(pdfFile, `%PDF of ${readFileSync(htmlFile).length}`),
};

const linkRow = tableRow(
  'link',
  { 'link.throughputMbps': 941.25, 'link.protocol': 'TCP, or so' },
  { label: 'TCP, "send"' },
);

/** Cells of one line of CSV (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return cells.map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replace(/""/g, '"'),
  );
}

function dataOf(html: string): ReportData & Pick<PageData, 'header'> {
  const parts = /^<html><script type="application\/json" id="whiteline-run">(.*)<\/script><\/html>$/s.exec(
    html,
  );
  const json = parts?.[1] ?? '';
  expect(json).not.toContain('<');
  return JSON.parse(json);
}

/** What a table has beside its rows. */
const about = {
  parameters: { format: '1280x720@60' },
  environment: { source: { kind: 'noise' }, hosts: [{ hostName: 'render-1' }, { hostName: 'display-1' }] },
};
/** Columns that every run has, before its figures. */
const fixedHeads = [
  ...['experiment', 'source', 'format (size@rate)', 'machines', 'row', 'label', 'from (UTC)', 'to (UTC)'],
  ...['verdict', 'reason'],
];

/** Without the mark at the beginning, which spreadsheets need to read it as UTF-8. */
function linesOf(csv: string): string[] {
  expect(csv.charCodeAt(0)).toBe(0xfeff);
  expect(csv.endsWith('\r\n')).toBe(true);
  expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  return csv.slice(1).trimEnd().split('\r\n');
}

test('CSV: no text is a formula to a spreadsheet, and numbers stay numbers', () => {
  const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', ' =1', '\n=1', '\r\n@x', '＝1+1'];
  const texts = ['-5', '+2.5', 'a=b', '', '"=1"'];
  const reported = [...formulas, ...texts].map((text, index) =>
    tableRow(
      'link',
      { 'link.throughputMbps': -941.25, 'link.protocol': text },
      { index, label: text, reason: text },
    ),
  );
  const csv = csvOf({ experiment: 'link', rows: reported, ...about });
  const cells = linesOf(csv).slice(1).map(cellsOf);
  for (const [index, text] of formulas.entries())
    expect(cells[index]?.filter((cell) => cell === `'${text.trim()}`)).toHaveLength(3);
  expect(cells.flat().filter((cell) => /^\s*[=+@＝]|^-[^\d]/.test(cell))).toEqual(['+2.5', '+2.5', '+2.5']);
  for (const text of ['"=1"', '-5', '+2.5', 'a=b'])
    expect(cells.flat().filter((cell) => cell === text)).toHaveLength(3);
  expect(csv.match(/(?<=,)-941\.25(?=,)/g)).toHaveLength(reported.length);
});

test('CSV: a text of any kind is one cell of one line, no longer than a spreadsheet takes', () => {
  const label = 'a\u0000\u0007\u001b[31m\r\nb\u202e,"c"';
  const row = tableRow('link', {}, { label, reason: 'x'.repeat(40_000) });
  const [, line = ''] = linesOf(csvOf({ experiment: 'link', rows: [row], ...about }));
  const cells = cellsOf(line);
  expect(cells[5]).toBe('a\\u0000\\u0007\\u001b[31m b\\u202e,"c"');
  expect(cells[9]).toHaveLength(32_767);
  expect(cells[9]?.endsWith('x…')).toBe(true);
});

test('CSV: one line a row, each figure that of the row, with its unit in the head', () => {
  const run = { experiment: 'stream-load', rows, ...about };
  const lines = linesOf(csvOf(run));
  expect(lines).toHaveLength(rows.length + 1);
  const heads = cellsOf(lines[0] ?? '');
  const figures = figuresOf(run);
  expect(heads).toEqual([
    ...fixedHeads,
    ...figures.map((metric) => `${metric.id} (${headingWithUnit(metric)})`),
  ]);
  for (const [index, row] of rows.entries()) {
    const cells = cellsOf(lines[index + 1] ?? '');
    expect(cells).toHaveLength(heads.length);
    expect(cells.slice(0, fixedHeads.length)).toEqual([
      ...['stream-load', 'noise', '1280x720@60', 'render-1, display-1'],
      ...[String(row.index), row.label, row.from, row.to, row.verdict, wordsOf(row.reason)],
    ]);
    for (const [column, metric] of figures.entries()) {
      const { id } = metric;
      if (recordMetrics.includes(metric)) continue;
      const value = scalarOf(row, id);
      expect(cells[column + fixedHeads.length], id).toBe(value === null ? '' : String(value));
    }
  }
});

test('CSV of an experiment without streams: its own columns alone, words too', () => {
  const [head = '', line = ''] = linesOf(csvOf({ experiment: 'link', rows: [linkRow], ...about }));
  const heads = cellsOf(head);
  const cells = cellsOf(line);
  expect(heads).toHaveLength(cells.length);
  expect(heads.some((text) => text.startsWith('framesSubmitted'))).toBe(false);
  const cell = (id: string) => cells[heads.findIndex((text) => text.startsWith(`${id} (`))];
  expect(cell('link.throughputMbps')).toBe('941.25');
  expect(cell('link.protocol')).toBe('TCP, or so');
  expect(cell('link.targetMbps')).toBe('');
  expect(cells[5]).toBe('TCP, "send"');
});

test('JSON: the run as it is read', () => {
  const run = JSON.parse(exportText(folder, 'json', template));
  expect(runSchema.safeParse(run).success).toBe(true);
  expect(run).toEqual(JSON.parse(JSON.stringify(readRun(folder))));
});

test('HTML: the run in the template’s place, and no text of it ends the script', () => {
  const data = dataOf(exportText(folder, 'html', template));
  expect(wordsOf(data.run.rows[1]?.reason ?? [])).toBe(hostile);
  const { rows: kept } = withFirstLosses(readRun(folder).rows, Number.POSITIVE_INFINITY);
  expect(data.run.rows).toEqual(JSON.parse(JSON.stringify(kept)));
  expect(data.load.wallMs).toEqual([1000, 2000]);
  expect(data.load.columns[reportLoadFigures.indexOf('lost')]).toEqual([2, null]);
  expect(data.load.columns[reportLoadFigures.indexOf('cpuMachine')]).toEqual([20, 20]);
  expect(data.marks).toEqual([
    { kind: 'stream', wallMs: expect.any(Number), streams: 1, label: '1 streams' },
  ]);
  expect(data.notes).toMatchObject([{ kind: 'host-died', text: 'the sending host ended with code 139' }]);
});

test('a very long run keeps its peaks in fewer points', () => {
  const samples = Array.from({ length: 1000 }, (_, index) =>
    loadSample({ wallMs: index, cpuPercent: index === 457 ? 99 : 5, gpuPercent: null }),
  );
  const load = loadColumnsOf(samples, [], 100);
  expect(load.samplesPerPoint).toBe(10);
  expect(load.wallMs).toHaveLength(100);
  expect(load.columns[reportLoadFigures.indexOf('cpuMachine')]?.[45]).toBe(99);
  expect(load.columns[reportLoadFigures.indexOf('gpu')]?.every((value) => value === null)).toBe(true);
  expect(loadColumnsOf([], []).wallMs).toEqual([]);
});

test('PDF: the printer is given the page, and its file goes where it was asked for', async () => {
  const path = join(root, 'report.pdf');
  await exportRun(folder, 'pdf', path, tools);
  expect(readFileSync(path, 'utf8')).toBe(
    `%PDF of ${Buffer.byteLength(exportText(folder, 'html', template))}`,
  );
  const broken: ReportTools = {
    ...tools,
    printPage: () => Promise.reject(new WhitelineError({ code: 'TOOL_FAILED', message: 'out of paper' })),
  };
  await expect(exportRun(folder, 'pdf', join(root, 'no.pdf'), broken)).rejects.toThrow('out of paper');
  expect(existsSync(join(root, 'no.pdf'))).toBe(false);
});

test('the report’s own template has the place', () => {
  expect(readFileSync('renderer/report/index.html', 'utf8')).toContain(place);
});

test('a template that is absent or has no place is reported with what to do', () => {
  const empty = join(root, 'empty.html');
  writeFileSync(empty, '<html></html>');
  for (const file of [join(root, 'absent.html'), empty]) {
    expect(() => exportText(folder, 'html', file)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', remedy: expect.stringMatching(/build/) }),
    );
  }
});

test('CSV: a row that is missing has a line that says so', () => {
  const missing = { rows: 3, rowNumbers: [1, 3], events: 0, samples: 0, files: [] };
  const csv = csvOf({ experiment: 'link', rows: [linkRow], missing, ...about });
  const [heads = [], , ...lines] = linesOf(csv).map(cellsOf);
  const ofRun = ['link', 'noise', '1280x720@60', 'render-1, display-1'];
  const lost = (number: string, reason: string): string[] => {
    const cells = [...ofRun, number, '', '', '', 'INVALID', reason];
    return [...cells, ...Array.from({ length: heads.length - cells.length }, () => '')];
  };
  expect(lines).toEqual([
    lost('1', 'the row is missing or unreadable'),
    lost('3', 'the row is missing or unreadable'),
    lost('', '1 more row is missing or unreadable'),
  ]);
});

test.each(['html', 'pdf', 'json', 'csv', 'junit'] as const)(
  '%s: a file that cannot be written is reported with what to do',
  async (kind) => {
    await expect(exportRun(folder, kind, join(template, 'x'), tools)).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
    });
    await exportRun(folder, kind, join(root, `x.${kind}`), tools);
    expect(existsSync(join(root, `x.${kind}`))).toBe(true);
  },
);

test('no text of a run turns what stands beside it in the report', async () => {
  const turned = join(root, 'turned');
  const recording = recorderIn(turned).recorder;
  recording.row({ ...exampleRow(0), label: '\u202eSSAP', verdict: 'FAIL' });
  await recording.end('finished', 'FAIL', 'FAIL \u2067of it');
  const page = exportText(turned, 'html', template);
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(dataOf(page).run).toMatchObject({ reason: 'FAIL \\u2067of it', rows: [{ label: '\\u202eSSAP' }] });
});

test.each(['html', 'pdf', 'json', 'csv', 'junit'] as const)(
  '%s: what has the name already is kept unless it is to be replaced, and no device is opened',
  async (kind) => {
    const [path, victim] = [join(root, `there.${kind}`), join(root, `victim.${kind}`)];
    for (const file of [path, victim]) writeFileSync(file, 'mine');
    const link = join(root, `link.${kind}`);
    symlinkSync(victim, link);
    for (const file of [path, link])
      await expect(exportRun(folder, kind, file, tools)).rejects.toMatchObject({
        ...{ code: 'BAD_INPUT', value: file, remedy: expect.stringContaining('--force') },
      });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    for (const file of [path, link]) await exportRun(folder, kind, file, tools, { existing: 'replace' });
    expect(readFileSync(path, 'utf8')).not.toBe('mine');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    for (const existing of ['keep', 'replace'] as const)
      await expect(exportRun(folder, kind, '/dev/full', tools, { existing })).rejects.toMatchObject({
        ...{ code: 'BAD_INPUT', message: '/dev/full is no file' },
      });
  },
);

test('Parquet: the tables of the run in a folder', async () => {
  const path = join(root, 'tables');
  await exportRun(folder, 'parquet', path, tools);
  expect(existsSync(join(path, 'rows.parquet'))).toBe(true);
  await expect(exportRun(folder, 'parquet', join(template, 'x'), tools)).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
  });
});

test('a run that goes on is still running, and one that no one writes any more was interrupted (V29)', async () => {
  const live = join(root, 'live');
  const { recorder: own } = recorderIn(live);
  own.sample(loadSample());
  own.row(exampleRow(0));
  const report = async (name: string): Promise<{ state: string; reason: string }> => {
    await exportRun(live, 'json', join(root, name), tools);
    return JSON.parse(readFileSync(join(root, name), 'utf8'));
  };
  expect(await report('running.json')).toMatchObject({
    ...{ state: 'running', reason: 'The run is still running' },
  });
  const minuteAgo = new Date(Date.now() - 60_000);
  utimesSync(join(live, 'samples.jsonl'), minuteAgo, minuteAgo);
  expect(await report('killed.json')).toMatchObject({ state: 'interrupted' });
  own.end('finished', 'PASS', 'done');
});

test('a run that was cut at any byte is reported with the rows that are whole', async () => {
  const cut = join(root, 'cut');
  mkdirSync(cut);
  for (const name of ['rows.jsonl', 'events.jsonl', 'samples.jsonl'])
    writeFileSync(join(cut, name), readFileSync(join(folder, name)));
  const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').split('\n');
  truncateSync(join(cut, 'rows.jsonl'), (lines[0]?.length ?? 0) + 40);
  truncateSync(join(cut, 'samples.jsonl'), 30);
  const events = readFileSync(join(folder, 'events.jsonl'), 'utf8').split('\n');
  truncateSync(join(cut, 'events.jsonl'), (events[0]?.length ?? 0) + 12);
  const { run, load } = dataOf(exportText(cut, 'html', template));
  expect(run).toMatchObject({ state: 'interrupted', verdict: null });
  expect(run.rows.map(({ index }) => index)).toEqual([0]);
  expect(load.wallMs).toEqual([]);
  expect(exportText(cut, 'junit', template)).toContain('interrupted');
  expect(() => exportText(root, 'html', template)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('the head of the page is what is set, the logo in it as a picture; one that is none is refused', async () => {
  const logo = join(root, 'logo');
  writeFileSync(logo, examplePictures.jpeg);
  const header = { ...noReportHeader, project: '</script>\u202e', paper: 'letter' as const };
  const headed = { ...tools, reportHeader: async () => ({ ...header, logo }) };
  const path = join(root, 'headed.html');
  await exportRun(folder, 'html', path, headed);
  const page = readFileSync(path, 'utf8');
  expect(page).not.toContain('</script>\u202e');
  expect(dataOf(page).header).toEqual({
    ...{ project: '</script>\\u202e', client: '', operator: '', paper: 'letter' },
    logoDataUrl: `data:image/jpeg;base64,${examplePictures.jpeg.toString('base64')}`,
  });
  writeFileSync(logo, 'GIF89a');
  const again = exportRun(folder, 'html', join(root, 'refused.html'), headed);
  await expect(again).rejects.toMatchObject({ code: 'BAD_INPUT', field: 'logo', value: logo });
});
