import type { Progress } from '../../protocol/console';
import { monotonicNs } from '../clock';

/** What a run reported last of its progress, with its times as of now. */
export class LatestProgress {
  private reported: { progress: Progress; sinceNs: number } | null = null;

  constructor(private readonly clock: () => number = monotonicNs) {}

  report(progress: Progress): void {
    this.reported = { progress, sinceNs: this.clock() };
  }

  forget(): void {
    this.reported = null;
  }

  /** Null before anything was reported. */
  get now(): Progress | null {
    if (!this.reported) return null;
    const { progress, sinceNs } = this.reported;
    const phaseElapsedSeconds = Math.min(progress.phaseSeconds, (this.clock() - sinceNs) / 1e9);
    const remainingSeconds = Math.max(0, progress.remainingSeconds - phaseElapsedSeconds);
    return { ...progress, phaseElapsedSeconds, remainingSeconds };
  }
}
