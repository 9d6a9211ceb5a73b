/** Mean and largest of values that are added one by one; null before there is one. */
export class Mean {
  private count = 0;
  private sum = 0;
  private largest = Number.NEGATIVE_INFINITY;

  add(value: number | null): void {
    if (value === null) return;
    this.count += 1;
    this.sum += value;
    this.largest = Math.max(this.largest, value);
  }

  get total(): number {
    return this.sum;
  }

  get mean(): number | null {
    return this.count > 0 ? this.sum / this.count : null;
  }

  get max(): number | null {
    return this.count > 0 ? this.largest : null;
  }
}
