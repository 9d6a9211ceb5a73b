/** How long a helper may take for what, and how much may lie about. */
export const helperLimits = {
  readyMs: 10_000,
  /** Without any message; it beats twice a second. */
  silentMs: 10_000,
  /** It is held up because none of its messages is taken. */
  unreadMs: 30_000,
  /** Alive, although it closed its standard input. */
  deafMs: 1_000,
  /** From the word `stop` to SIGTERM, and from SIGTERM to SIGKILL. */
  stopMs: 3_000,
  terminateMs: 2_000,
  /** From SIGKILL to giving it up: it waits in the kernel for a device. */
  goneMs: 5_000,
  /** From its end to that of its pipes, which a process that it started may keep open. */
  pipesMs: 1_000,
  lineBytes: 1024 * 1024,
  unreadBytes: 256 * 1024,
  errorCharacters: 4_096,
} as const;

export type HelperFault = 'not-ready' | 'silent' | 'unread' | 'deaf';

const nsPerMs = 1e6;

/**
 * Judges by its times whether a helper does what it should. A look that comes late judges nothing: we were held up ourselves,
 * and what the helper said meanwhile is still in the pipe.
 */
export class HelperWatch {
  private readonly startedNs: number;
  private isReady = false;
  private lastLookNs: number;
  private lastSignNs: number;
  private heldUpNs: number | null = null;
  private deafNs: number | null = null;

  constructor(
    nowNs: number,
    private readonly lookEveryMs: number,
  ) {
    this.startedNs = nowNs;
    this.lastLookNs = nowNs;
    this.lastSignNs = nowNs;
  }

  /** It said something. */
  noteSign(nowNs: number): void {
    this.isReady = true;
    this.lastSignNs = nowNs;
  }

  /**
   * We read on only when more of its messages have been taken: until then it is held up and cannot be heard. Each taking restarts the
   * count.
   */
  noteHeldUp(nowNs: number): void {
    this.heldUpNs = nowNs;
  }

  noteReadOn(nowNs: number): void {
    this.heldUpNs = null;
    this.lastSignNs = nowNs;
  }

  /** It closed its standard input. */
  noteDeaf(nowNs: number): void {
    this.deafNs ??= nowNs;
  }

  look(nowNs: number): HelperFault | null {
    const isLate = nowNs - this.lastLookNs > 5 * this.lookEveryMs * nsPerMs;
    this.lastLookNs = nowNs;
    if (isLate) return null;
    const isOver = (sinceNs: number | null, limitMs: number): boolean =>
      sinceNs !== null && nowNs - sinceNs > limitMs * nsPerMs;
    if (isOver(this.deafNs, helperLimits.deafMs)) return 'deaf';
    if (this.heldUpNs !== null) return isOver(this.heldUpNs, helperLimits.unreadMs) ? 'unread' : null;
    if (!this.isReady) return isOver(this.startedNs, helperLimits.readyMs) ? 'not-ready' : null;
    return isOver(this.lastSignNs, helperLimits.silentMs) ? 'silent' : null;
  }
}

/**
 * What a helper that was asked to stop gets next, if it still runs. It has its time from SIGTERM on, however late we sent that.
 * @param sinceTerminateNs null: it did not get SIGTERM yet
 */
export function stopSignal(
  sinceStopNs: number,
  sinceTerminateNs: number | null,
): 'SIGTERM' | 'SIGKILL' | null {
  if (sinceTerminateNs === null) return sinceStopNs > helperLimits.stopMs * nsPerMs ? 'SIGTERM' : null;
  return sinceTerminateNs > helperLimits.terminateMs * nsPerMs ? 'SIGKILL' : null;
}
