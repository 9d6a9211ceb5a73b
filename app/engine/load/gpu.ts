import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Load of the machine's GPUs by a running nvidia-smi. Untested on a machine with a GPU; what it prints is tested.
 * Other makers' GPUs are not measured.
 */
export class GpuSampler {
  private process: ChildProcess | null = null;
  private rest = '';
  private readonly percentByGpu = new Map<number, number>();
  /** Newest utilisation of the busiest GPU. */
  percent: number | null = null;
  reason = 'waiting for nvidia-smi';

  constructor(command = 'nvidia-smi') {
    const query = ['--query-gpu=index,utilization.gpu', '--format=csv,noheader,nounits', '-lms', '500'];
    const child = spawn(command, query, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    child.on('error', () => this.lose('no NVIDIA driver on this machine (nvidia-smi was not found)'));
    child.on('exit', (code) => this.lose(`nvidia-smi ended with code ${code ?? 'none'}`));
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (text: string) => this.read(text));
  }

  /** Of the running nvidia-smi; null when there is none. */
  get processId(): number | null {
    return this.process?.pid ?? null;
  }

  /** Its listeners stay: that there is no nvidia-smi may be reported only now, and an unheard error is thrown. */
  close(): void {
    const { process } = this;
    this.process = null;
    // Without a process id it could not be started; to kill it nevertheless would end our own process group.
    if (process?.pid !== undefined) process.kill();
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const report = parseUtilisation(line);
      if (report) this.percentByGpu.set(report.gpu, report.percent);
    }
    if (this.percentByGpu.size > 0) this.percent = Math.max(...this.percentByGpu.values());
  }

  private lose(reason: string): void {
    if (!this.process) return;
    this.process = null;
    this.percent = null;
    this.reason = reason;
  }
}

/** One line of nvidia-smi: the GPU's number and a whole number of percent, or a word such as "[N/A]". */
export function parseUtilisation(line: string): { gpu: number; percent: number } | null {
  const parts = /^(\d+), (\d+)$/.exec(line.trim());
  const percent = Number(parts?.[2]);
  return parts && percent <= 100 ? { gpu: Number(parts[1]), percent } : null;
}
