/** Who wants to hear of something. */
export class Listeners<Values extends unknown[]> {
  private readonly all = new Set<(...values: Values) => void>();

  /** Returns what ends it. */
  add(listener: (...values: Values) => void): () => void {
    const own = (...values: Values): void => listener(...values);
    this.all.add(own);
    return () => void this.all.delete(own);
  }

  tell(...values: Values): void {
    for (const listener of [...this.all]) listener(...values);
  }
}
