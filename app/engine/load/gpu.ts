import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../protocol/clock';
import { defaultThresholds } from '../../protocol/thresholds';
import { type DrmLook, drmPercent } from './drm-clients';

const { saturatedPercent } = defaultThresholds;
/** It reports twice a second: an older report does not describe the present. */
const agedNs = 2e9;

/** Load of the machine's NVIDIA GPUs by a running nvidia-smi. Untested on a machine with a GPU; what it prints is tested. */
export class GpuSampler {
  private process: ChildProcess | null = null;
  private rest = '';
  private readonly newest = new Map<number, { percent: number; atNs: number }>();
  private ended: string | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    command = 'nvidia-smi',
  ) {
    const query = ['--query-gpu=index,utilization.gpu', '--format=csv,noheader,nounits', '-lms', '500'];
    // Where no file descriptor is left, Node makes no pipe either.
    const child: ChildProcess = spawn(command, query, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    child.on('error', (error) => this.lose(whyNotStarted(error)));
    child.on('exit', (code) => this.lose(`nvidia-smi ended with code ${code ?? 'none'}`));
    child.stdout?.setEncoding('latin1').on('data', (text: string) => this.read(text));
  }

  /** Newest utilisation of the busiest GPU; null: see `reason`. */
  get percent(): number | null {
    if (this.ended !== null) return null;
    const sinceNs = this.clock.monotonicNs() - agedNs;
    const fresh = [...this.newest.values()].filter(({ atNs }) => atNs >= sinceNs);
    return fresh.length > 0 ? Math.max(...fresh.map(({ percent }) => percent)) : null;
  }

  get reason(): string {
    if (this.ended !== null) return this.ended;
    return this.newest.size > 0 ? 'nvidia-smi reported nothing for 2 s' : 'waiting for nvidia-smi';
  }

  /** Process id of the running nvidia-smi; null if there is none. */
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
      if (report) this.newest.set(report.gpu, { percent: report.percent, atNs: this.clock.monotonicNs() });
    }
  }

  private lose(reason: string): void {
    if (!this.process) return;
    this.process = null;
    this.ended = reason;
  }
}

export function whyNotStarted({ code = 'unknown' }: NodeJS.ErrnoException): string {
  return code === 'ENOENT'
    ? 'no NVIDIA driver (nvidia-smi was not found)'
    : `nvidia-smi could not be started (${code})`;
}

/** Two looks at the clients of GPUs of other makers, and why some of them may be missing; null if none is. */
export interface DrmLooks {
  before: DrmLook;
  now: DrmLook;
  unreadable: string | null;
}

export const wholeMachineGpu = 'nvidia-smi is asked for the whole machine only';

export interface GpuLoad {
  /** Of the busiest GPU of the machine. */
  percent: number;
  /** What programs that are not ours took of an engine, at most; or why it is not known. */
  others: number | string;
}

/** The machine's busiest GPU: NVIDIA's by nvidia-smi, others' by the sum of their clients. Or why it is not known. */
export function machineGpu(
  nvidia: Pick<GpuSampler, 'percent' | 'reason'>,
  { before, now, unreadable }: DrmLooks,
  isOurs: (processIds: ReadonlySet<number>) => boolean,
): GpuLoad | string {
  const ofNvidia = nvidia.percent === null ? null : { percent: nvidia.percent, others: wholeMachineGpu };
  if (unreadable !== null) return ofNvidia ?? unreadable;
  if (now.clients.size === 0) return ofNvidia ?? `${nvidia.reason}; no other GPU is in use`;
  const percent = drmPercent(before, now);
  if (ofNvidia && ofNvidia.percent >= percent) return ofNvidia;
  // A full GPU that does not say whose work it does may have lost the frames, even where another GPU is fuller.
  if (ofNvidia && ofNvidia.percent >= saturatedPercent) return { percent, others: wholeMachineGpu };
  return { percent, others: drmPercent(before, now, (processIds) => !isOurs(processIds)) };
}

/** One line of nvidia-smi: the GPU's number and a whole number of percent, or a word such as "[N/A]". */
export function parseUtilisation(line: string): { gpu: number; percent: number } | null {
  const parts = /^(\d+), (\d+)$/.exec(line.trim());
  const percent = Number(parts?.[2]);
  return parts && percent <= 100 ? { gpu: Number(parts[1]), percent } : null;
}
