import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Load of the machine's GPUs by a running nvidia-smi. Untested on a machine with a GPU; what it prints is tested.
 * Other makers' GPUs are not measured.
 */
export class GpuSampler {
  private process: ChildProcess | null = null;
  private rest = '';
  /** Highest utilisation of any GPU in the newest report. */
  percent: number | null = null;
  reason = 'waiting for nvidia-smi';

  constructor(command = 'nvidia-smi') {
    const query = ['--query-gpu=utilization.gpu', '--format=csv,noheader,nounits', '-lms', '500'];
    const child = spawn(command, query, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    child.on('error', () => this.lose('no NVIDIA driver on this machine (nvidia-smi was not found)'));
    child.on('exit', (code) => this.lose(`nvidia-smi ended with code ${code ?? 'none'}`));
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (text: string) => this.read(text));
  }

  close(): void {
    this.process?.removeAllListeners();
    this.process?.kill();
    this.process = null;
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.percent = parseUtilisation(line) ?? this.percent;
  }

  private lose(reason: string): void {
    if (!this.process) return;
    this.process = null;
    this.percent = null;
    this.reason = reason;
  }
}

/** One line of nvidia-smi: a whole number of percent, or a word such as "[N/A]". */
export function parseUtilisation(line: string): number | null {
  const percent = Number.parseInt(line.trim(), 10);
  return percent >= 0 && percent <= 100 ? percent : null;
}
