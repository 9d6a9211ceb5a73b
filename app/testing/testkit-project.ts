import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';

/** What one test of a project came to. */
export interface ProjectTest {
  name: string;
  passed: boolean;
  /** Of its failures, without colours; empty: it passed. */
  text: string;
  /** Paths of files that it shows. */
  attachments: string[];
}

export interface ProjectRun {
  tests: ProjectTest[];
  output: string;
}

/**
 * A test that asks for what is so passes. Where other programs take the machine, it may not be measured, for one of these reasons and no
 * other: its row is INVALID, a process of ours waited, or no picture came for so long that it counts as an outage.
 */
export const passesUnlessBusy =
  /^$|was not measured: (INVALID: |its latency is not known: our |no picture from \S+ to \S+ UTC.*; whether it was so then was not seen)|, not judged: INVALID: /;

/** Thresholds: what other programs do to a busy machine is no reason to call a fault INVALID that was put in. */
export const tolerant = `name: Busy machine
maxOthersPercent: 100
maxStandstillSeconds: 60
maxStealPercent: 100
maxSampleGapSeconds: 60
maxFlushDelaySeconds: 60
`;

/** What the example's configuration of Playwright reads. Chromium’s own sandbox refuses root. */
export const browserOfSystem = {
  CHROMIUM: process.env.WHITELINE_CHROMIUM ?? '/usr/bin/chromium',
  NO_SANDBOX: process.getuid?.() === 0 ? 'yes' : '',
};

const mark = 'WHITELINE_TEST_PROJECT';
/** As npm would put them there; the tarball alone is installed by it. */
const others = [
  'vitest',
  'vite',
  '@playwright',
  'playwright',
  'playwright-core',
  '@types',
  'typescript',
  '@grandi',
];
let projects = 0;

/** An empty folder of a stranger, in which the packed test kit is installed beside test runners and libndi. */
export class TestkitProject {
  readonly folder: string;
  private readonly id = `${process.pid}-${++projects}`;

  constructor() {
    if (process.env.WHITELINE_OLD_DIST)
      throw new Error('dist is older than its sources, so the test would say nothing of them: npm run build');
    this.folder = mkdtempSync(join(tmpdir(), 'whiteline-stranger-'));
    const pack = [resolve('scripts/package/testkit.mjs'), this.folder];
    const tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim();
    this.write('package.json', JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
    const install = ['install', '--offline', '--omit=optional', '--omit=peer', '--no-audit', '--no-fund'];
    execFileSync('npm', [...install, tarball], { cwd: this.folder, stdio: 'pipe' });
    for (const name of others)
      symlinkSync(resolve('node_modules', name), join(this.folder, 'node_modules', name));
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  copy(from: string): void {
    cpSync(resolve(from), this.folder, { recursive: true });
  }

  copyFile(from: string): void {
    cpSync(resolve(from), join(this.folder, basename(from)));
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Runs its tests of Vitest to their end. */
  vitest(...words: string[]): Promise<ProjectRun> {
    return this.vitestWith({}, ...words);
  }

  async vitestWith(environment: NodeJS.ProcessEnv, ...words: string[]): Promise<ProjectRun> {
    const flags = [
      'run',
      '--root',
      this.folder,
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=vitest.json',
      ...words,
    ];
    const output = await this.run(resolve('node_modules/vitest/vitest.mjs'), flags, environment);
    return { output, tests: vitestTests(this.read('vitest.json')) };
  }

  /** Runs its tests of Playwright to their end; its configuration writes the results. */
  async playwright(environment: NodeJS.ProcessEnv): Promise<ProjectRun> {
    const output = await this.run(resolve('node_modules/@playwright/test/cli.js'), ['test'], environment);
    return { output, tests: playwrightTests(this.read('results/playwright.json')) };
  }

  /** Starts one of its programs by Node. */
  start(words: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [...words], {
      cwd: this.folder,
      env: { ...withoutRunner(), ...environment, [mark]: this.id },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs one of its programs to its end. @returns what it wrote */
  run(program: string, words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<string> {
    const child = this.start([program, ...words], environment);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    return new Promise((settle) => child.on('close', () => settle(output)));
  }

  /** Process ids of all that was started here and still runs. */
  processes(): number[] {
    const own = `${mark}=${this.id}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(own);
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  async leavesNothingBehind(): Promise<void> {
    await vi.waitFor(() => expect(this.processes(), 'still running').toEqual([]), { timeout: 60_000 });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A runner of tests that is started by another must not take itself for a worker of that one. */
function withoutRunner(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_OPTIONS)/.test(name)),
  );
}

interface VitestReport {
  testResults: {
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

function vitestTests(json: string): ProjectTest[] {
  const { testResults } = JSON.parse(json) as VitestReport;
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      ...{ name: title, passed: status === 'passed', text: plain(failureMessages.join('\n')) },
      attachments: [],
    })),
  );
}

interface PlaywrightReport {
  suites: {
    specs: {
      title: string;
      tests: { results: { errors: { message?: string }[]; attachments: { path?: string }[] }[] }[];
    }[];
  }[];
}

function playwrightTests(json: string): ProjectTest[] {
  const { suites } = JSON.parse(json) as PlaywrightReport;
  return suites.flatMap(({ specs }) =>
    specs.map(({ title, tests }) => {
      const results = tests.flatMap((one) => one.results);
      const text = plain(
        results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
      );
      const attachments = results.flatMap((one) => one.attachments.flatMap(({ path }) => path ?? []));
      return { name: title, passed: text === '', text, attachments };
    }),
  );
}

function plain(text: string): string {
  return stripVTControlCharacters(text);
}
