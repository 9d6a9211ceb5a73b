import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FileGrants } from '../../protocol/file-grants';
import { ask } from '../../testing/http-client';
import '../../testing/served-process';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { ExportFolder } from './export-folder';
import { type ServedConsole, serveConsole } from './served-console';

const root = temporaryFolder();
const grants = new FileGrants();
let served: ServedConsole;
let origin = '';

beforeAll(async () => {
  const policy = '<meta http-equiv="Content-Security-Policy" content="default-src" />';
  mkdirSync(join(root, 'page'));
  writeFileSync(join(root, 'page', 'index.html'), policy);
  served = await serveConsole({
    clock: machineClock,
    console: { add: () => undefined },
    application: { connectView: () => false },
    archive: { connect: () => undefined },
    ...{ grants, pageFolder: join(root, 'page'), exports: new ExportFolder(join(root, 'exports')) },
    newestRun: () => null,
    about: () => ({ versions: { whiteline: '1', node: '20' }, notices: [] }),
    port: 0,
  });
  origin = new URL(served.address).origin;
});
afterAll(() => served.close());

function written(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return grants.offer(path).grant;
}

test('a report opens in a tab of no origin, and is kept where the page asks for that', async () => {
  const word = written('report.html', '<!doctype html><p>FAIL');
  const shown = await ask(`${origin}/written/${word}`);
  expect(shown.text).toBe('<!doctype html><p>FAIL');
  expect(shown.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(shown.headers['content-disposition']).toBe("inline; filename*=UTF-8''report.html");
  expect(shown.headers['content-security-policy']).toMatch(/^sandbox allow-scripts/);
  expect(shown.headers['content-security-policy']).not.toContain('allow-same-origin');
  const kept = await ask(`${origin}/written/${word}?save`);
  expect(kept.headers['content-disposition']).toBe("attachment; filename*=UTF-8''report.html");
});

test('any other file is downloaded under its own name, whole, as often as the page likes', async () => {
  const text = 'é,1\r\n'.repeat(200_000);
  const word = written('whiteline-rack-1 ü.csv', text);
  for (let time = 0; time < 2; time++) {
    const answer = await ask(`${origin}/written/${word}`);
    expect(answer.headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''whiteline-rack-1%20%C3%BC.csv",
    );
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(answer.text).toBe(text);
  }
  const head = await ask(`${origin}/written/${word}`, { method: 'HEAD' });
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(text)));
  expect((await ask(`${origin}/written/${word}`, { method: 'POST' })).status).toBe(405);
});

test('no path, no other word and nothing that was not written is given', async () => {
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(root, 'link.csv'));
  execFileSync('mkfifo', [join(root, 'pipe.csv')]);
  const { grant: unused } = grants.grant('export', join(root, 'secret.txt'));
  const { grant: picture } = grants.grant('picture', join(root, 'secret.txt'));
  grants.redeem('picture', picture);
  const words = [
    ...['link.csv', 'pipe.csv', 'absent.csv'].map((name) => grants.offer(join(root, name)).grant),
    ...[unused, picture, 'f'.repeat(64), '', '..%2Fsecret.txt', encodeURIComponent(join(root, 'secret.txt'))],
    written('empty.csv', ''),
  ];
  for (const word of words) {
    const answer = await ask(`${origin}/written/${word}`);
    expect(answer.status, word).toBe(404);
    expect(answer.text, word).not.toContain('secret');
  }
});

test('a folder of tables is one archive, which tar unpacks', async () => {
  const folder = join(root, 'whiteline-rack-1.parquet');
  mkdirSync(folder);
  const tables = { 'rows.parquet': 'r'.repeat(70_001), 'events.parquet': 'e'.repeat(512) };
  for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, name), text);
  symlinkSync(join(root, 'secret.txt'), join(folder, 'link.parquet'));
  const { grant } = grants.offer(folder);
  const chunks: Buffer[] = [];
  const headers = await new Promise<IncomingHttpHeaders>((resolve) => {
    get(`${origin}/written/${grant}`, { agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(response.headers));
    });
  });
  const archive = join(root, 'kept.tar');
  writeFileSync(archive, Buffer.concat(chunks));
  expect(headers['content-disposition']).toContain('whiteline-rack-1.parquet.tar');
  expect(headers['content-length']).toBe(String(Buffer.concat(chunks).length));
  execFileSync('tar', ['-xf', archive, '-C', root, '--transform', 's/^whiteline-rack-1/kept/']);
  expect(readdirSync(join(root, 'kept.parquet')).sort()).toEqual(Object.keys(tables).sort());
  for (const [name, text] of Object.entries(tables))
    expect(readFileSync(join(root, 'kept.parquet', name), 'utf8')).toBe(text);
});
