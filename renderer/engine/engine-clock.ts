/** Of so many messages the one that came fastest says how far the engine's clock is from the window's. */
const kept = 30;

/** The engine's wall clock by the window's monotonic one: it goes on while the engine stands still. */
export class EngineClock {
  private aheadMs: number[] = [];

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** A message came from the engine's moment. */
  hear(wallMs: number): void {
    this.aheadMs = [...this.aheadMs, wallMs - this.nowMs()].slice(-kept);
  }

  /** Another engine has a clock of its own. */
  forget(): void {
    this.aheadMs = [];
  }

  /** Undefined before anything came. */
  get wallMs(): number | undefined {
    return this.aheadMs.length > 0 ? this.nowMs() + Math.max(...this.aheadMs) : undefined;
  }
}
