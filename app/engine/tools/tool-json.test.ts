import { expect, test } from 'vitest';
import { readToolReport, type ToolOutput } from './tool-json';

const read = (stdout: string, more: Partial<ToolOutput> = {}) =>
  readToolReport('fio', { stdout, stderr: '', exitCode: 0, ...more });

const report = { name: 'a "{" and a \\', inner: [{ bytes: 5 }] };
const pretty = JSON.stringify(report, null, 2);

test.each<[string, string, string]>([
  ['nothing else', pretty, ''],
  ['one line', JSON.stringify(report), ''],
  ['lines that end as on Windows', pretty.replaceAll('\n', '\r\n'), ''],
  ['a mark of the byte order', `\uFEFF${pretty}`, ''],
  ['a warning before', `warning: block size exceeds MSS\n${pretty}\n`, 'warning: block size exceeds MSS'],
  ['a warning before on the same line', `note ${pretty}`, 'note'],
  ['a bracket that closes nowhere before', `{odd\n${pretty}`, '{odd'],
  ['text after', `${pretty}\niperf3: error - unable to close`, 'iperf3: error - unable to close'],
  ['a line in the middle', pretty.replace('\n', '\nfio: io_u error on file\n'), 'fio: io_u error on file'],
])('the first whole object is the report: %s', (_, text, said) => {
  expect(read(text)).toEqual({ report, others: [], said });
});

test('what comes after it is kept apart: the report again, or an error', () => {
  expect(read(`${pretty}\n${pretty}\n`)).toEqual({ report, others: [report], said: '' });
  expect(read(`${pretty}\n{"error":"reset"}\n`).others).toEqual([{ error: 'reset' }]);
});

test('errors and text of the output are what the tool said', () => {
  expect(read(`one\n${pretty}\nthree`, { stderr: 'zero\n' }).said).toBe('zero\none\nthree');
});

test.each([
  ['"iops" : nan,', '"iops" : null,'],
  ['"iops" : -nan,', '"iops" : null,'],
  ['"iops" : inf,', '"iops" : null,'],
])('a figure that is no number is none: %s', (written, meant) => {
  const textOf = (line: string): string => `{\n  ${line}\n  "name" : "nan"\n}`;
  expect(read(textOf(written)).report).toEqual(JSON.parse(textOf(meant)));
});

test.each<[string, string, Partial<ToolOutput>, RegExp]>([
  [
    'words',
    'Segmentation fault',
    { exitCode: 139 },
    /\(no whole report, exit status 139\): Segmentation fault$/,
  ],
  ['nothing', '', { exitCode: 1, stderr: 'out of memory\n' }, /exit status 1\): out of memory$/],
  ['nothing at all', '', {}, /exit status 0\): it said nothing else$/],
  ['a report that is cut off', pretty.slice(0, -3), {}, /no whole report/],
  ['what only looks like one', '{ or not }', {}, /no whole report.*\{ or not \}/],
])('no object: %s', (_, stdout, more, message) => {
  expect(() => read(stdout, more)).toThrow(message);
});

test('a cut report is not mistaken for one of its parts', () => {
  expect(() => read('{\n  "jobs" : [\n    {\n      "error" : 0\n    }\n')).toThrow(/no whole report/);
  expect(() => read('{ "start": { "version": "iperf 3.12" }, "intervals": [')).toThrow(/no whole report/);
});

test('a report with a million lines of other text in it is read', () => {
  const lines = 'warning\n'.repeat(1_000_000);
  expect(read(pretty.replace('\n', `\n${lines}`))).toMatchObject({ report, said: lines.trim() });
});
