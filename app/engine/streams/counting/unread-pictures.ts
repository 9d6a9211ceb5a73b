import type { Arrival } from './arrival-rate';

/** How many pictures may wait for their numbers; if there are more, the oldest get none. */
const mostPending = 20_000;
/** An hour of pictures, for as long as a row may be; a live view has counted what is older. */
const mostUnmatched = 500_000;

/** Pictures without a readable code of a sender whose schedule is not known, by when they came. */
export class UnreadPictures {
  /** Since the highest number; which numbers they stand for, the next one shows. */
  private pending: number[] = [];
  /** Pictures that stand for no number, because none was absent. */
  private unmatched: number[] = [];

  add(atNs: number): void {
    this.pending.push(atNs);
    if (this.pending.length > mostPending) this.keepUnmatched(this.pending.splice(0, mostPending / 2));
  }

  /** The next number came: those since the one before stand for numbers in between, in their order, where they came. */
  match(before: Arrival | null, next: Arrival): Arrival[] {
    const pictures = this.pending;
    if (pictures.length === 0) return [];
    this.pending = [];
    const absent = before ? next.slot - before.slot - 1 : 0;
    const found = pictures.slice(0, Math.max(0, absent));
    this.keepUnmatched(pictures.slice(found.length));
    if (!before) return [];
    let last = before.slot;
    return found.map((ns, index) => {
      const share = (ns - before.ns) / Math.max(1, next.ns - before.ns);
      const nearest = before.slot + Math.round(share * (next.slot - before.slot));
      const highest = next.slot - (found.length - index);
      last = Math.min(Math.max(nearest, last + 1), highest);
      return { slot: last, ns };
    });
  }

  /** When those came that stand for no number so far, oldest first, of a stretch of time. */
  within(fromNs: number, toNs: number): number[] {
    return [this.unmatched, this.pending].flatMap((times) =>
      times.slice(firstFrom(times, fromNs), firstFrom(times, toNs)),
    );
  }

  /** From then on one may still find its number. */
  get openSinceNs(): number {
    return this.pending[0] ?? Number.POSITIVE_INFINITY;
  }

  private keepUnmatched(times: readonly number[]): void {
    for (const atNs of times) this.unmatched.push(atNs);
    if (this.unmatched.length > mostUnmatched) this.unmatched.splice(0, mostUnmatched / 2);
  }

  /** Nothing asks for what is older. */
  forgetBefore(atNs: number): void {
    this.unmatched.splice(0, firstFrom(this.unmatched, atNs));
  }
}

function firstFrom(times: readonly number[], fromNs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < fromNs) low = middle + 1;
    else high = middle;
  }
  return low;
}
