import type { Clock } from '../../protocol/clock';
import type { Progress } from '../../protocol/console';

/** What a run reported last of its progress, with its times as of now. */
export class LatestProgress {
  private reported: { progress: Progress; sinceNs: number } | null = null;
  private isEnding = false;

  constructor(private readonly clock: Pick<Clock, 'monotonicNs'>) {}

  report(progress: Progress): void {
    this.reported = { progress, sinceNs: this.clock.monotonicNs() };
  }

  /** The run was stopped: no step goes on and none is still to come, whatever it reports until it is over. */
  end(): void {
    this.isEnding = true;
  }

  forget(): void {
    this.reported = null;
    this.isEnding = false;
  }

  /** Null before anything was reported. */
  get now(): Progress | null {
    if (!this.reported) return null;
    const { progress, sinceNs } = this.reported;
    const phaseElapsedSeconds = Math.min(progress.phaseSeconds, (this.clock.monotonicNs() - sinceNs) / 1e9);
    if (this.isEnding) {
      const { step, steps } = progress;
      const noTime = { phaseSeconds: 0, phaseElapsedSeconds: 0, remainingSeconds: 0 };
      return { phase: 'ending the run', step, steps, ...noTime };
    }
    const { laterSeconds = 0 } = progress;
    const remainingSeconds = Math.max(laterSeconds, progress.remainingSeconds - phaseElapsedSeconds);
    return { ...progress, phaseElapsedSeconds, remainingSeconds };
  }
}
