import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { beforeOthers } from './command';

export const mixerProgram = resolve('native/build/Release/whiteline-mixer');
export const mixerLibrary = process.env.WHITELINE_NDI_PATH || resolve('node_modules/@grandi/linux-x64');

const shownSchema = z.object({ input: z.int(), atNs: z.int(), skipped: z.int(), repeated: z.int() });

/** What the mixer itself says of a cut that it made. */
export type ShownInput = z.infer<typeof shownSchema>;

/** A mixer of senders, by commands (native/mixer/mixer.cc). */
export class Mixer {
  readonly shown: ShownInput[] = [];
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly looks = new Set<() => void>();
  /** Full name of its output. */
  readonly ready: Promise<string>;

  constructor(name: string, sources: readonly string[]) {
    const words = ['--library', mixerLibrary, '--name', name, ...sources];
    const [program = '', ...rest] = [...beforeOthers, mixerProgram, ...words];
    this.child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!this.child.stdout) throw new Error('the mixer has no output');
    createInterface(this.child.stdout).on('line', (line) => this.take(line));
    this.ready = this.says('ready').then((line) => z.object({ name: z.string() }).parse(line).name);
  }

  /** Until it has understood the command. */
  async command(command: string): Promise<void> {
    const done = this.says('done');
    this.child.stdin?.write(`${command}\n`);
    await done;
  }

  /** Cuts to an input, and waits until its first picture was sent. */
  async cutTo(input: number): Promise<void> {
    const shown = this.says('shown');
    await this.command(`cut ${input}`);
    await shown;
  }

  end(): void {
    this.child.stdin?.end();
  }

  private take(line: string): void {
    this.lines.push(line);
    const said = z.object({ type: z.string() }).loose().parse(JSON.parse(line));
    if (said.type === 'shown') this.shown.push(shownSchema.parse(said));
    for (const look of this.looks) look();
  }

  /** The next line of this type. */
  private says(type: string): Promise<unknown> {
    const from = this.lines.length;
    return new Promise((settle) => {
      const look = (): void => {
        const line = this.lines.slice(from).find((one) => one.includes(`"type":"${type}"`));
        if (line === undefined) return;
        this.looks.delete(look);
        settle(JSON.parse(line));
      };
      this.looks.add(look);
    });
  }
}
