import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { heapOfHosts } from '../../app/engine/node-application';

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** ndi_bare_cycles, with the heap that our hosts have: one order per line, one line for an answer. */
export class BareSdk {
  private readonly child: ChildProcess;
  private readonly waiting: Waiting[] = [];
  private complaint = '';

  constructor(executable: string, library: string) {
    const env = { ...heapOfHosts, ...process.env };
    const child = spawn(executable, ['--library', library], { stdio: 'pipe', env });
    child.stderr.on('data', (text) => {
      this.complaint += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.waiting.shift()?.resolve(line));
    const fail = (error?: Error): void => {
      const why = error?.message ?? (this.complaint.trim() || 'ndi_bare_cycles ended');
      for (const { reject } of this.waiting.splice(0)) reject(new Error(why));
    };
    child.once('error', fail);
    child.once('close', () => fail());
    this.child = child;
  }

  get processId(): number {
    return this.child.pid ?? 0;
  }

  ask(order: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin?.write(`${order}\n`);
    });
  }

  end(): void {
    this.child.stdin?.end();
  }
}
