import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runFiles } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';
import { changedRow, exampleRow } from '../testing/example-run';
import { loadSample } from '../testing/load-sample';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { elementsIn, parseXml } from '../testing/xml';

/** One byte in the middle row of a run that was PASS: every reader must learn of it. */
const root = join(temporaryFolder(), 'runs');
const at = ['--runs', root];
const sentence = '1 of 3 rows (1) is missing or unreadable; the recorded verdict was PASS: no frame lost';

beforeAll(async () => {
  mkdirSync(root);
  const { recorder } = recorderIn(join(root, 'whole'));
  for (const index of [0, 1, 2]) {
    recorder.sample(loadSample());
    recorder.row(changedRow(exampleRow(index), { streams: index }));
  }
  await recorder.end('finished', 'PASS', 'no frame lost');
  cpSync(join(root, 'whole'), join(root, 'spoilt'), { recursive: true });
  const rows = join(root, 'spoilt', runFiles.rows);
  const lines = readFileSync(rows, 'utf8').split('\n');
  writeFileSync(rows, lines.map((line, index) => (index === 1 ? line.replace(':', '=') : line)).join('\n'));
});

test('runs lists it as what it is, in words and as JSON', async () => {
  const table = (await whiteline('runs', ...at)).output;
  expect(table).toMatch(new RegExp(`INVALID +spoilt\\n.*${sentence.replace(/[()]/g, '\\$&')}`));
  expect(table).toMatch(/PASS +whole\n.*no frame lost/);
  const { output } = await whiteline('runs', ...at, '--json', '--verdict', 'invalid');
  expect(JSON.parse(output)).toMatchObject({
    ...{ folder: 'spoilt', rows: 2, reason: sentence },
    missing: { rows: 1, rowNumbers: [1], events: 0, samples: 0 },
  });
  expect((await whiteline('runs', ...at, '--verdict', 'pass')).output).not.toContain('spoilt');
});

test('every kind of report says so, and so does the command that writes it', async () => {
  const file = (name: string): string => join(root, '..', name);
  const { exitCode, errors } = await whiteline(
    ...['report', join(root, 'spoilt'), '--html', file('a.html'), '--json', file('a.json')],
    ...['--csv', file('a.csv'), '--junit', file('a.xml')],
  );
  expect(exitCode).toBe(exitCodes.pass);
  expect(errors).toContain('1 of 3 rows (1) is missing or unreadable');
  expect(readFileSync(file('a.html'), 'utf8')).toContain(sentence);
  expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toMatchObject({
    ...{ verdict: 'INVALID', reason: sentence, missing: { rows: 1, rowNumbers: [1] } },
  });
  expect(readFileSync(file('a.csv'), 'utf8')).toMatch(
    /,1,,,,"INVALID","the row is missing or unreadable",+\r\n/,
  );
  const xml = parseXml(readFileSync(file('a.xml'), 'utf8'));
  expect(xml.children[0]?.attributes).toMatchObject({ tests: '3', errors: '1' });
  expect(elementsIn(xml, 'system-out').at(-1)?.text).toContain(`INVALID: ${sentence}`);
});

test('compare says so, and does not call it as good as its baseline', async () => {
  const compared = await whiteline('compare', 'whole', 'spoilt', ...at);
  expect(compared.output).toContain(sentence);
  expect(compared.exitCode).toBe(exitCodes.invalid);
  const { output } = await whiteline('compare', 'whole', 'spoilt', ...at, '--json');
  expect(JSON.parse(output).runs[1]).toMatchObject({ verdict: 'INVALID', missing: { rows: 1 } });
  expect((await whiteline('baseline', 'spoilt', ...at)).exitCode).toBe(exitCodes.badInput);
  await whiteline('baseline', 'whole', ...at);
  expect((await whiteline('compare', 'whole', '--baseline', ...at)).exitCode).toBe(exitCodes.pass);
  expect((await whiteline('compare', 'spoilt', '--baseline', ...at)).exitCode).toBe(exitCodes.invalid);
});

test('a pipe in place of its rows, or a folder named like a picture, blocks no reader', async () => {
  const folder = join(root, 'piped');
  cpSync(join(root, 'whole'), folder, { recursive: true });
  rmSync(join(folder, runFiles.rows));
  execFileSync('mkfifo', [join(folder, runFiles.rows)]);
  mkdirSync(join(folder, 'x.png'));
  const note = { at: '2026-11-22T00:00:00.000Z', kind: 'picture', text: 'x', details: { file: 'x.png' } };
  writeFileSync(join(folder, runFiles.events), `${JSON.stringify(note)}\n`, { flag: 'a' });
  const { output } = await whiteline('runs', ...at, '--text', 'rows.jsonl');
  expect(output).toMatch(
    /INVALID +piped\n +3 of 3 rows \(0, 1, 2\) and rows\.jsonl are missing or unreadable/,
  );
  expect(await whiteline('report', folder)).toMatchObject({ exitCode: exitCodes.pass });
});
