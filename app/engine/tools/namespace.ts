import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tooManyOpenFiles } from './open-files';
import { dyingWithUs, runTool } from './run-tool';
import { toolFailed } from './tool-problem';

/** The network in which a program runs: what stands before its command there. */
export interface ProgramNetwork {
  inside: readonly string[];
}

/** That of this process. */
export const here: ProgramNetwork = { inside: [] };

/** A network namespace that lives as long as a process which dies with us. */
export class Namespace implements ProgramNetwork {
  private constructor(private readonly holder: ChildProcess) {}

  /** @throws WhitelineError TOOL_FAILED if namespaces are not permitted */
  static async create(): Promise<Namespace> {
    const [file, args] = dyingWithUs('unshare', ['--net', 'sh', '-c', 'echo; exec cat']);
    const holder = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      holder.once('error', (error) =>
        reject(toolFailed('unshare', tooManyOpenFiles(error) ?? error.message)),
      );
      // Where no file descriptor is left, Node makes no pipes either.
      if (holder.pid === undefined) return;
      let said = '';
      holder.stderr.on('data', (text) => {
        said += String(text);
      });
      holder.once('exit', () => reject(toolFailed('unshare', said)));
      holder.stdout.once('data', () => resolve());
    });
    return new Namespace(holder);
  }

  get id(): string {
    return String(this.holder.pid);
  }

  get inside(): readonly string[] {
    return ['nsenter', '-t', this.id, '-n', '--'];
  }

  async run(...command: string[]): Promise<void> {
    const [file = '', ...args] = [...this.inside, ...command];
    const { stderr, exitCode } = await runTool({ file, args, timeoutSeconds: 10 });
    if (exitCode !== 0) throw toolFailed(command.join(' '), stderr);
  }

  /** Commands of words without blanks, one after the other until one fails, in one process. */
  runAll(commands: readonly string[]): Promise<void> {
    return this.run('sh', '-c', commands.join(' && '));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.holder.exitCode !== null || this.holder.signalCode !== null) return resolve();
      this.holder.once('exit', () => resolve());
      this.holder.kill('SIGKILL');
    });
  }
}

/** Opens several; where one cannot be opened, none is left. @throws WhitelineError TOOL_FAILED */
export async function createNamespaces(count: number): Promise<Namespace[]> {
  const opened: Namespace[] = [];
  try {
    while (opened.length < count) opened.push(await Namespace.create());
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

export async function closeAll(namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(namespaces.map((namespace) => namespace.close()));
}

/** Bytes that an interface has carried so far, by the table of a process’s network namespace. */
export function carriedBytes(
  processId: string,
  interfaceName: string,
): { received: number; transmitted: number } {
  const table = readFileSync(`/proc/${processId}/net/dev`, 'latin1');
  const line = table.split('\n').find((text) => text.trimStart().startsWith(`${interfaceName}:`)) ?? '';
  const [, text = ''] = line.split(':');
  const figures = text.trim().split(/\s+/);
  return { received: Number(figures[0]), transmitted: Number(figures[8]) };
}
