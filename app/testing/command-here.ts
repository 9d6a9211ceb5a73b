import { EventEmitter } from 'node:events';
import { onTestFinished } from 'vitest';
import { bundleOf } from '../cli/bundle';
import { whitelineProgram } from '../cli/commands';
import { fleetProgram } from '../cli/fleet-commands';
import { appFolder } from '../cli/folders';
import { nmosProgram } from '../cli/nmos-commands';
import { type OwnProcess, withOwnProcess } from '../cli/own-process';
import { runProgram } from '../cli/program';
import { applyConsoleSettings } from '../cli/settings';
import { CommandOutput, type Ended } from './command-output';

/**
 * One call of the `whiteline` command in the process of the test, which is many times faster than `WhitelineCommand`. The stream
 * hosts, threads and programs that it starts are real, and those of the built `dist`.
 */
export class CommandHere extends CommandOutput {
  readonly ended: Promise<Ended>;
  private hasEnded = false;
  private readonly events = new EventEmitter();
  private readonly own: OwnProcess = {
    stdout: { write: (text) => this.wrote('output', text) },
    stderr: { write: (text) => this.wrote('errors', text) },
    on: (event, listener) => this.events.on(event, listener),
    off: (event, listener) => this.events.off(event, listener),
    exit: () => {
      throw new Error('The command ended its process, which is that of the test');
    },
  };

  /** `environment`: of the command and of all that it starts. */
  constructor(words: string[], environment: NodeJS.ProcessEnv = {}) {
    super();
    this.ended = this.run(words, environment);
  }

  /** As from a terminal. */
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void {
    if (!this.hasEnded) withOwnProcess(this.own, () => this.events.emit(name));
  }

  private async run(words: string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
    begin(environment);
    try {
      const exitCode = await withOwnProcess(this.own, () => runProgram(programOf(words), words));
      return { exitCode, output: this.output, errors: this.errors };
    } finally {
      this.hasEnded = true;
      end();
    }
  }
}

/** One that goes on until Ctrl-C. */
export function untilTestEnds(command: CommandHere): CommandHere {
  onTestFinished(async () => {
    command.signal('SIGINT');
    await command.ended;
  });
  return command;
}

export function whiteline(...words: string[]): Promise<Ended> {
  return new CommandHere(words).ended;
}

/** As entry.ts and what it starts. */
function programOf(words: string[]): ReturnType<typeof whitelineProgram> {
  const bundle = bundleOf(words);
  if (bundle === 'nmos') return nmosProgram();
  return bundle === 'fleet' ? fleetProgram() : whitelineProgram(applyConsoleSettings(appFolder));
}

/** Commands that run in this process now, and its environment before them: settings of the console are put there. */
let running = 0;
let before: NodeJS.ProcessEnv = {};
let isOwn = false;

/** All commands of a process have one environment: one that is given its own runs alone. */
function begin(environment: NodeJS.ProcessEnv): void {
  const wantsOwn = Object.keys(environment).length > 0;
  if (running > 0 && (wantsOwn || isOwn))
    throw new Error('A command with an environment of its own runs at the same time as another');
  if (running === 0) before = { ...process.env };
  isOwn = wantsOwn;
  running += 1;
  Object.assign(process.env, environment);
}

function end(): void {
  running -= 1;
  if (running > 0) return;
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
