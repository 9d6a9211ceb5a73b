const newline = 0x0a;
const noBytes = Buffer.alloc(0);

/** Cuts bytes into lines as they come; keeps one that is not whole yet, and nothing else. */
export class LineCutter {
  private open = noBytes;
  /** Of a line that has begun. */
  openBytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** The lines that end in these bytes, without their ends. @throws LineTooLong */
  *cut(bytes: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      this.keep(bytes.subarray(from, end));
      from = end + 1;
      yield this.takeLine();
    }
    this.keep(bytes.subarray(from));
  }

  private takeLine(): Buffer {
    const line = this.open.subarray(0, this.openBytes);
    this.open = noBytes;
    this.openBytes = 0;
    return line;
  }

  /** A copy: a slice would hold all of the bytes that it is cut from, and a line may come in a million of them. */
  private keep(bytes: Buffer): void {
    const size = this.openBytes + bytes.length;
    if (size > this.mostBytes) throw new LineTooLong();
    if (size > this.open.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.mostBytes, 2 * size));
      this.open.copy(larger, 0, 0, this.openBytes);
      this.open = larger;
    }
    bytes.copy(this.open, this.openBytes);
    this.openBytes = size;
  }
}

export class LineTooLong extends Error {}
