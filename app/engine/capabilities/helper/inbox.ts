import type { WhitelineError } from '../../../protocol/errors';

interface Taker<Item> {
  resolve(item: Item | null): void;
  reject(error: WhitelineError): void;
}

/** What came and was not taken yet. */
export class Inbox<Item> {
  private readonly items: { item: Item; bytes: number }[] = [];
  private readonly takers: Taker<Item>[] = [];
  /** Undefined as long as more may come. */
  private endedBy: WhitelineError | null | undefined;
  /** Of all that waits. */
  bytes = 0;

  /** @param onTaken called when something that waited was taken */
  constructor(private readonly onTaken: () => void) {}

  put(item: Item, bytes: number): void {
    const taker = this.takers.shift();
    if (taker) taker.resolve(item);
    else {
      this.items.push({ item, bytes });
      this.bytes += bytes;
    }
  }

  /**
   * The next item, as soon as there is one; null at the end.
   * @throws WhitelineError the reason why it ended early
   */
  take(): Promise<Item | null> {
    const next = this.items.shift();
    if (next) {
      this.bytes -= next.bytes;
      this.onTaken();
      return Promise.resolve(next.item);
    }
    if (this.endedBy) return Promise.reject(this.endedBy);
    if (this.endedBy === null) return Promise.resolve(null);
    return new Promise((resolve, reject) => this.takers.push({ resolve, reject }));
  }

  /**
   * Nothing more comes.
   * @param error why; null if it ended in order
   */
  end(error: WhitelineError | null): void {
    this.endedBy = error;
    for (const taker of this.takers.splice(0)) {
      if (error) taker.reject(error);
      else taker.resolve(null);
    }
  }
}
