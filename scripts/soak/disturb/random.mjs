/** Random numbers that come again with their seed (mulberry32). */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** 0 ≤ value < 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let value = this.state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  within(least, most) {
    return least + this.next() * (most - least);
  }

  pick(values) {
    return values[Math.floor(this.next() * values.length)];
  }
}
