/**
 * Does a limited number of looks at a time, in the order of their arrival. Each begins in its own turn of the event loop, so that other
 * work is done in between.
 */
export class LookTurns {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  constructor(private readonly mostAtOnce: number) {}

  /** Resolves once `act` is done; what it throws is thrown. */
  async take(act: () => Promise<void>): Promise<void> {
    if (this.underWay < this.mostAtOnce) this.underWay += 1;
    // Who ends hands its place over.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    await new Promise(setImmediate);
    try {
      await act();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.underWay -= 1;
    }
  }
}
