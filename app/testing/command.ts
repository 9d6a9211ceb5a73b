import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { CommandOutput, type Ended, hangsSeconds } from './command-output';

const file = resolve('dist/app/cli.cjs');
const mark = 'WHITELINE_TEST_COMMAND';
const patiently = { timeout: 1000 * hangsSeconds, interval: 100 };
let commands = 0;

/** Before a command: a loopback interface of its own, so that all traffic there is the command's. Needs root. */
export const ownLoopback = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Before a command that must keep time beside other tests on this machine. */
export const beforeOthers = ['nice', '-n', '-15'];

/** One call of the built `whiteline` command, as a shell would make it. What needs no process of its own is a `CommandHere`. */
export class WhitelineCommand extends CommandOutput {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  /** In the environment of the command and of all that it starts. */
  private readonly id = `${process.pid}-${++commands}`;

  /** `inside`: what stands before the command, for example nsenter and its flags. */
  constructor(commandArguments: string[], environment: NodeJS.ProcessEnv = {}, inside: string[] = []) {
    super();
    const [program = '', ...words] = [...inside, process.execPath, file, ...commandArguments];
    const child = spawn(program, words, {
      env: { ...process.env, ...environment, [mark]: this.id },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.wrote('output', text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.wrote('errors', text));
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
    await vi.waitFor(look, patiently);
  }

  async leavesNothingBehind(): Promise<void> {
    await vi.waitFor(() => expect(this.processes(), 'still running').toEqual([]), patiently);
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

let names = 0;

/** Different in every run of the tests, so that no other sender is taken for ours. */
export function uniqueName(): string {
  return `whiteline-test-${process.pid}-${++names}`;
}
