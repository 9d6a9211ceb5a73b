/** A binary heap whose first value comes before all others. */
class Heap {
  private readonly values: number[] = [];

  constructor(private readonly isBefore: (a: number, b: number) => boolean) {}

  get size(): number {
    return this.values.length;
  }

  get first(): number | undefined {
    return this.values[0];
  }

  push(value: number): void {
    const { values, isBefore } = this;
    let at = values.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = values[parent] ?? value;
      if (!isBefore(value, above)) break;
      values[at] = above;
      at = parent;
    }
    values[at] = value;
  }

  pop(): number | undefined {
    const { values, isBefore } = this;
    const first = values[0];
    const value = values.pop();
    if (value === undefined || values.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = values[child];
      if (left === undefined) break;
      let below = left;
      const right = values[child + 1];
      if (right !== undefined && isBefore(right, left)) {
        child += 1;
        below = right;
      }
      if (!isBefore(below, value)) break;
      values[at] = below;
      at = child;
    }
    values[at] = value;
    return first;
  }
}

/**
 * A quantile, by nearest rank, of values that are added one by one: however many there are, it is there at once, and one
 * more costs the logarithm of their number.
 */
export class RunningQuantile {
  /** The values from the quantile on, its own first; and those below it, the largest first. */
  private readonly above = new Heap((a, b) => a < b);
  private readonly below = new Heap((a, b) => a > b);

  constructor(private readonly share: number) {}

  add(value: number): void {
    const { above, below } = this;
    if (value >= (above.first ?? Number.POSITIVE_INFINITY)) above.push(value);
    else below.push(value);
    const count = above.size + below.size;
    const wanted = count - Math.max(1, Math.ceil(this.share * count)) + 1;
    while (above.size < wanted) above.push(below.pop() ?? value);
    while (above.size > wanted) below.push(above.pop() ?? value);
  }

  /** Null before the first value. */
  get value(): number | null {
    return this.above.first ?? null;
  }
}
