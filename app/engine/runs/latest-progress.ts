import type { Clock } from '../../protocol/clock';
import type { Progress } from '../../protocol/console';

/** What a run reported last of its progress, with its times as of now. */
export class LatestProgress {
  private reported: { progress: Progress; sinceNs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicNs'>) {}

  report(progress: Progress): void {
    this.reported = { progress, sinceNs: this.clock.monotonicNs() };
  }

  forget(): void {
    this.reported = null;
  }

  /** Null before anything was reported. */
  get now(): Progress | null {
    if (!this.reported) return null;
    const { progress, sinceNs } = this.reported;
    const phaseElapsedSeconds = Math.min(progress.phaseSeconds, (this.clock.monotonicNs() - sinceNs) / 1e9);
    const { laterSeconds = 0 } = progress;
    const remainingSeconds = Math.max(laterSeconds, progress.remainingSeconds - phaseElapsedSeconds);
    return { ...progress, phaseElapsedSeconds, remainingSeconds };
  }
}
