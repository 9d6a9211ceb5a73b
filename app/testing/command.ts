import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { vi } from 'vitest';

const file = resolve('dist/app/cli.cjs');
const mark = 'WHITELINE_TEST_COMMAND';
let commands = 0;

/** Before a command: a loopback interface of its own, so that all traffic there is the command's. Needs root. */
export const ownLoopback = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

export interface Ended {
  exitCode: number | null;
  output: string;
  errors: string;
}

/** One call of the built `whiteline` command, as a shell would make it. */
export class WhitelineCommand {
  output = '';
  errors = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  /** In the environment of the command and of all that it starts. */
  private readonly id = `${process.pid}-${++commands}`;

  /** `inside`: what stands before the command, for example nsenter and its flags. */
  constructor(commandArguments: string[], environment: NodeJS.ProcessEnv = {}, inside: string[] = []) {
    if (process.env.WHITELINE_OLD_DIST)
      throw new Error('dist is older than its sources, so the test would say nothing of them: npm run build');
    const [program = '', ...words] = [...inside, process.execPath, file, ...commandArguments];
    const child = spawn(program, words, {
      env: { ...process.env, ...environment, [mark]: this.id },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    this.ended = new Promise((settle) => {
      child.on('close', (exitCode) => settle({ exitCode, output: this.output, errors: this.errors }));
    });
  }

  /** What it writes is no longer read. */
  abandon(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits until the output says so. */
  says(pattern: RegExp, timeoutSeconds = 20): Promise<void> {
    return this.writes('output', pattern, timeoutSeconds);
  }

  /** Waits until standard error says so: it may be read later than output that was written after it. */
  warns(pattern: RegExp, timeoutSeconds = 20): Promise<void> {
    return this.writes('errors', pattern, timeoutSeconds);
  }

  /** Ends with the command: what waits beyond a test would let the simulated time of another one pass. */
  private writes(place: 'output' | 'errors', pattern: RegExp, timeoutSeconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdout, stderr } = this.child;
      const end = (): void => {
        clearTimeout(timer);
        for (const stream of [stdout, stderr]) stream?.off('data', look);
      };
      const look = (): void => {
        if (!pattern.test(this[place])) return;
        end();
        resolve();
      };
      const fail = (when: string): void => {
        end();
        reject(new Error(`${pattern} is not in the ${place} ${when}:\n${this.output}${this.errors}`));
      };
      const timer = setTimeout(() => fail(`after ${timeoutSeconds} s`), timeoutSeconds * 1000);
      for (const stream of [stdout, stderr]) stream?.on('data', look);
      void this.ended.then(() => fail('at its end'));
      look();
    });
  }

  /** Process ids of this command and of all that it started and that still runs. */
  processes(nameContains = ''): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
          const commandLine = readFileSync(`/proc/${name}/cmdline`, 'latin1').replace(/\0/g, ' ');
          return environment.split('\0').includes(`${mark}=${this.id}`) && commandLine.includes(nameContains);
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  /** Waits until `count` processes of that name have run, together or one after the other. */
  async hasStarted(nameContains: string, count: number): Promise<void> {
    const seen = new Set<number>();
    const look = (): void => {
      for (const pid of this.processes(nameContains)) seen.add(pid);
      if (seen.size < count) throw new Error(`${seen.size} of ${count} × ${nameContains}`);
    };
    await vi.waitFor(look, { timeout: 20_000, interval: 100 });
  }

  async leavesNothingBehind(): Promise<void> {
    const look = (): void => {
      const left = this.processes();
      if (left.length > 0) throw new Error(`still running: ${left.join(', ')}`);
    };
    await vi.waitFor(look, { timeout: 20_000, interval: 100 });
  }
}

/** By SIGKILL; one that is gone by then, as after its parent's death, is left out. */
export function killAll(processIds: readonly number[]): void {
  for (const id of processIds)
    try {
      process.kill(id, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

export function whiteline(...commandArguments: string[]): Promise<Ended> {
  return new WhitelineCommand(commandArguments).ended;
}

let names = 0;

/** Different in every run of the tests, so that no other sender is taken for ours. */
export function uniqueName(): string {
  return `whiteline-test-${process.pid}-${++names}`;
}
