import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withDisplay } from '../../setup/display.mjs';
import { isRoot, rootFolder } from '../../setup/platform.mjs';
import { bundleProgram } from '../bundle.mjs';

const load = { streams: 16, previewsPerSecond: 30 };
/** An hour is replayed in some minutes, in more where the machine has other work. */
const limitMs = 1_200_000;

/**
 * Hands `action` a function that measures the window of the built app in a real Electron, on a display of its own:
 * `measure({measure, isBare, seconds, speed})` resolves to the program's result. As root it runs without the sandbox.
 * `barePageName`: the file in this folder that makes the bare page.
 */
export async function withConsole(electronExecutable, action, barePageName = 'bare-page') {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const program = await bundleProgram('console/console-window', folder);
    const replayFile = await bundleProgram('console/replay', folder);
    const bareFile = await barePage(folder, barePageName);
    return await withDisplay((display) =>
      action(({ isBare = false, ...order }) => {
        const given = { ...load, ...order, appFolder: rootFolder, replayFile, startedMs: Date.now() };
        if (isBare) given.bareFile = bareFile;
        return runElectron(electronExecutable, program, given, { folder, display });
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The bare page with its script, as one folder of files; its HTML file. */
async function barePage(folder, name) {
  const { build } = await import('vite');
  const outDir = path.join(folder, 'bare');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: rootFolder,
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      lib: {
        entry: path.join(rootFolder, `scripts/bench/console/${name}.mjs`),
        name: 'barePage',
        formats: ['iife'],
        fileName: () => 'bare-page.js',
      },
    },
  });
  const style = readdirSync(outDir).find((name) => name.endsWith('.css'));
  const htmlFile = path.join(outDir, 'index.html');
  const css = style === undefined ? '' : readFileSync(path.join(outDir, style), 'utf8');
  const body = '<h1>Bare page</h1><script src="bare-page.js"></script>';
  writeFileSync(htmlFile, `<!doctype html><meta charset="utf-8"><style>${css}</style><body>${body}</body>`);
  return htmlFile;
}

function runElectron(executable, program, order, { folder, display }) {
  const flags = [`--user-data-dir=${path.join(folder, 'user-data')}`, ...(isRoot ? ['--no-sandbox'] : [])];
  const child = spawn(executable, [...flags, program, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: display, WHITELINE_RUNS: path.join(folder, 'runs') },
    timeout: limitMs,
  });
  let [answer, complaint] = ['', ''];
  child.stdout.on('data', (text) => {
    answer += text;
  });
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      const lastWords = complaint.trim().split('\n').pop();
      if (status === 0 && answer !== '') resolve(JSON.parse(answer));
      else
        reject(new Error(`Electron ended with ${signal ?? `status ${status}`}: ${lastWords || 'no word'}`));
    });
  });
}
