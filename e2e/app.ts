import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, expect, type Page } from '@playwright/test';
import { holdsRun } from '../app/engine/sessions/read-run';
import { archiveServiceName } from '../app/protocol/archive-process';
import { shellChannels } from '../app/protocol/bridge';
import type { Command } from '../app/protocol/console-commands';
import type { Problem } from '../app/protocol/errors';
import { BrowserConsole } from './browser-console';
import { test as base } from './not-measured';

/** Processes beside the window and the engine. */
export type ConsolePart = 'sending' | 'receiving' | 'archive';

/** The real app in the real Electron, or its page in a browser, with folders of its own. */
export interface Console {
  /** A test that reads it has the tag @electron, and fails in a browser. */
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly runsFolder: string;
  /** Where receivers log every captured number on their own. */
  readonly captureLogs: string;
  /** Sends a command to the engine, for what has no button; in Electron over the window's own port. */
  command(command: Command): Promise<Problem | null>;
  /** Gives the page this size, as an operator does who pulls at the window. */
  resize(width: number, height: number): Promise<void>;
  /** Its process id; null where it does not run. */
  processOf(part: ConsolePart): Promise<number | null>;
  close(): Promise<void>;
}

export interface LaunchOptions {
  environment?: Record<string, string>;
  runsFolder?: string;
  /** Of a packaged console, in the place of the checkout in the Electron of the tests. */
  packagedExecutable?: string;
}

export const appFolder = fileURLToPath(new URL('..', import.meta.url));

export async function launchConsole(folder: string, options: LaunchOptions = {}): Promise<Console> {
  const { packagedExecutable } = options;
  const executablePath = packagedExecutable ?? process.env.WHITELINE_ELECTRON;
  if (!executablePath) throw new Error('WHITELINE_ELECTRON is not set: run these tests by npm test -- e2e');
  const runsFolder = options.runsFolder ?? join(folder, 'runs');
  const captureLogs = join(folder, 'captured');
  mkdirSync(captureLogs, { recursive: true });
  const app = await _electron.launch({
    executablePath,
    // Playwright shows the light theme and switches the sandbox off unless it is set to leave them alone.
    colorScheme: 'dark',
    chromiumSandbox: !process.env.WHITELINE_NO_SANDBOX,
    // Without a GPU, Chromium may draw WebGL only when it is set to.
    args: [
      ...(packagedExecutable ? [] : [appFolder]),
      `--user-data-dir=${join(folder, 'user-data')}`,
      '--enable-unsafe-swiftshader',
    ],
    env: {
      ...(process.env as Record<string, string>),
      WHITELINE_RUNS: runsFolder,
      WHITELINE_CAPTURE_LOGS: captureLogs,
      ...options.environment,
    },
  });
  await answerClosing(app, 1);
  // As long as in the configuration: only against hanging.
  app.context().setDefaultTimeout(60_000);
  const page = await app.firstWindow();
  await page.getByTestId('engine-state').getByText('Engine running').waitFor();
  return {
    ...{ app, page, runsFolder, captureLogs },
    command: (command) => sendCommand(page, command),
    resize: (width, height) =>
      app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [
        width,
        height,
      ] as const),
    processOf: (part) =>
      findUtilityProcess(app, part === 'archive' ? archiveServiceName : `Whiteline ${part} host`),
    close: () => app.close(),
  };
}

function findUtilityProcess(app: ElectronApplication, name: string): Promise<number | null> {
  return app.evaluate(({ app }, serviceName) => {
    const found = app
      .getAppMetrics()
      .find((metric) => metric.name === serviceName || metric.serviceName === serviceName);
    return found?.pid ?? null;
  }, name);
}

/** Process id of the engine or of a stream host, by the name that main gave it. */
export async function utilityProcess(app: ElectronApplication, name: string): Promise<number> {
  const found = await findUtilityProcess(app, name);
  // Process 0 would be the tests themselves.
  if (found === null) throw new Error(`there is no process ${name}`);
  return found;
}

/** @throws where it does not run */
export async function killHost(whiteline: Console, role: 'sending' | 'receiving'): Promise<void> {
  const host = await whiteline.processOf(role);
  if (host === null) throw new Error(`there is no ${role} host`);
  process.kill(host, 'SIGKILL');
}

/** In the place of the operator, where closing asks because something is measured; 1: stop and close. */
export function answerClosing(app: ElectronApplication, response: number): Promise<void> {
  return app.evaluate(({ dialog }, response) => {
    dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false });
  }, response);
}

function sendCommand(page: Page, command: Command): Promise<Problem | null> {
  return page.evaluate(
    ({ command, channel }) =>
      new Promise<Problem | null>((resolve) => {
        const requestId = 1_000_000 + Math.floor(performance.now());
        window.addEventListener('message', function take({ data, ports }) {
          const port = ports[0];
          if (data?.type !== channel || !port) return;
          window.removeEventListener('message', take);
          port.addEventListener('message', ({ data: reply }) => {
            if (reply.type === 'reply' && reply.requestId === requestId) resolve(reply.problem);
          });
          port.postMessage({ type: 'request', requestId, command });
        });
        (window as unknown as { whiteline: { requestEnginePort(): void } }).whiteline.requestEnginePort();
      }),
    { command, channel: shellChannels.enginePort },
  );
}

/** Types a format and leaves the field, so that keys are commands again. */
export async function typeFormat(page: Page, format: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Format/ });
  await field.fill(format);
  await field.press('Escape');
}

/** By its key, which asks once. */
export async function endRun(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'End the run' }).click();
}

export async function killArchive(whiteline: Console): Promise<void> {
  // It starts with the first page that asks for it.
  await expect.poll(() => killRunningArchive(whiteline)).toBe(true);
}

/** Gives whether it was there. */
export async function killRunningArchive(whiteline: Console): Promise<boolean> {
  const archive = await whiteline.processOf('archive');
  return archive !== null && process.kill(archive, 'SIGKILL');
}

/** The folder of the newest run. */
export function newestRun(runsFolder: string): string {
  const newestIn = (folder: string): string => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const newest = folders
      .map(({ name }) => name)
      .sort()
      .pop();
    if (!newest) throw new Error(`${folder} holds no run`);
    return join(folder, newest);
  };
  const newest = newestIn(runsFolder);
  // What is run at the console lies in the session of the console.
  return holdsRun(newest) ? newest : newestIn(newest);
}

/** What a project of playwright.config.ts may set. */
export interface ConsoleOptions {
  folderPrefix: string;
  /** In the place of Electron. */
  isInBrowser: boolean;
}

/** Each test has an app of its own, in a folder of its own. */
export const test = base.extend<ConsoleOptions & { folder: string; whiteline: Console }>({
  folderPrefix: ['whiteline-e2e-', { option: true }],
  isInBrowser: [false, { option: true }],
  folder: async ({ folderPrefix }, use) => {
    const folder = mkdtempSync(join(tmpdir(), folderPrefix));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  whiteline: async ({ folder, isInBrowser, launchOptions }, use) => {
    const whiteline = isInBrowser
      ? await BrowserConsole.open(folder, launchOptions)
      : await launchConsole(folder);
    await use(whiteline);
    await whiteline.close();
  },
});

export { expect };
