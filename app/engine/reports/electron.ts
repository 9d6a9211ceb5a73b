import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { printFlag } from '../../protocol/shell';
import { packagedResources } from '../packaged';
import { findTool, runTool, type ToolResult } from '../tools/run-tool';
import { withDisplay } from './display';

/** A large report is drawn and printed in some seconds; a machine that measures may be full. */
const timeoutSeconds = 300;

/**
 * Prints a page of this machine as PDF with Electron, which is started for it. Without a display (Linux) it has a virtual
 * one for as long as it runs.
 * @throws WhitelineError TOOL_MISSING without Electron or a display, TOOL_FAILED with what Electron said
 */
export async function printWithElectron(appFolder: string, htmlFile: string, pdfFile: string): Promise<void> {
  const electron = findElectron(appFolder);
  const userData = mkdtempSync(join(tmpdir(), 'whiteline-print-'));
  const print = (display: NodeJS.ProcessEnv): Promise<ToolResult> =>
    runTool({
      file: electron,
      args: [
        ...sandboxFlags(),
        // Nothing is shown, and a machine that measures may have no GPU.
        '--disable-gpu',
        `--user-data-dir=${userData}`,
        // A packaged app is in its own Electron.
        ...(packagedResources(appFolder) ? [] : [appFolder]),
        printFlag,
        htmlFile,
        pdfFile,
      ],
      timeoutSeconds,
      environment: { ...process.env, ...display, ELECTRON_RUN_AS_NODE: undefined },
    });
  try {
    const { exitCode, endSignal, stderr } = hasDisplay()
      ? await print({})
      : await withDisplay((display) => print({ DISPLAY: display }));
    if (exitCode !== 0 || !existsSync(pdfFile)) throw failed(electron, exitCode ?? endSignal, stderr);
  } finally {
    rmSync(userData, { recursive: true, force: true });
  }
}

/** The packaged app itself; else the Electron that set-up found or fetched, that of npm, or one that a variable names. */
export function findElectron(appFolder: string): string {
  if (packagedResources(appFolder)) return process.execPath;
  const npmFolder = join(appFolder, 'node_modules/electron');
  const named = process.env.WHITELINE_ELECTRON;
  const ofSetUp = readJson(join(appFolder, '.runtime/electron.json')) as { executable?: string } | null;
  const candidates = [
    // Relative: the checkout may have been moved since.
    ofSetUp?.executable && join(appFolder, ofSetUp.executable),
    join(npmFolder, 'dist', readText(join(npmFolder, 'path.txt')) ?? 'electron'),
    inPath(npmFolder),
  ];
  // One that was named and is not there is reported, and not replaced in silence.
  const found = (named ? [named] : candidates).find((path) => path && existsSync(path));
  if (found) return found;
  throw new WhitelineError({
    code: 'TOOL_MISSING',
    message: named
      ? `A PDF is printed by Electron, and ${named} (WHITELINE_ELECTRON) does not exist`
      : 'A PDF is printed by Electron, which is not installed here',
    field: 'pdf',
    value: named || 'electron',
    remedy:
      'Run npm run setup, which gets it, or name an Electron in WHITELINE_ELECTRON; or write the report with --html and print it from a browser',
  });
}

/** npm puts a script of its package in PATH, which only says that there is no Electron where none was downloaded. */
function inPath(npmFolder: string): string | null {
  const found = findTool('electron');
  if (!found || !existsSync(npmFolder)) return found;
  return realpathSync(found).startsWith(realpathSync(npmFolder) + sep) ? null : found;
}

/** The sandbox of Electron refuses root. */
function sandboxFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/** Windows and macOS always have one (untested there). */
function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** False for a line of a Node error's stack, which means nothing to an operator. */
function isMessage(line: string): boolean {
  return line.trim() !== '' && !/^\s+at |^\s*\^+$|^Node\.js v/.test(line);
}

function failed(electron: string, end: number | string | null, stderr: string): WhitelineError {
  const said = stderr.split('\n').filter(isMessage).slice(-3).join('; ');
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `Electron (${electron}) did not print the report: it ended with ${end}${said ? `, saying: ${said}` : ''}`,
    field: 'pdf',
    value: electron,
    remedy: 'Write the report with --html and print it from a browser',
  });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path) ?? 'null');
  } catch {
    return null;
  }
}
