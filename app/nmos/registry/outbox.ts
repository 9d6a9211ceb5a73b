import type { WebSocket } from 'ws';

/** Messages that subscription clients have not taken yet, with one limit for all: beyond it, the client with the most is disconnected. */
export class Outboxes {
  private readonly all = new Set<Outbox>();
  private waitingBytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** @param cut ends the connection; called with the reason */
  open(socket: Pick<WebSocket, 'send'>, cut: (why: string) => void): Outbox {
    const outbox: Outbox = new Outbox(
      socket,
      cut,
      (bytes) => this.count(bytes),
      () => this.all.delete(outbox),
    );
    this.all.add(outbox);
    return outbox;
  }

  private count(bytes: number): void {
    this.waitingBytes += bytes;
    while (this.waitingBytes > this.mostBytes) {
      let most: Outbox | null = null;
      for (const one of this.all) if (one.waitingBytes > (most?.waitingBytes ?? 0)) most = one;
      if (!most) return;
      const megabytes = Math.round(this.mostBytes / 1e6);
      most.end(
        `clients have more than ${megabytes} MB unread, and this one has the most: ${most.waitingBytes} bytes`,
      );
    }
  }
}

/** Messages to one client. */
export class Outbox {
  /** Not taken by the client's connection yet. */
  waitingBytes = 0;
  private isClosed = false;

  constructor(
    private readonly socket: Pick<WebSocket, 'send'>,
    private readonly cut: (why: string) => void,
    private readonly count: (bytes: number) => void,
    private readonly leave: () => void,
  ) {}

  send(text: string): void {
    const message = Buffer.from(text);
    this.socket.send(message, { binary: false }, () => this.add(-message.length));
    this.add(message.length);
  }

  /** Cuts the client. */
  end(why: string): void {
    this.close();
    this.cut(why);
  }

  /** After it nothing counts any more. */
  close(): void {
    this.add(-this.waitingBytes);
    this.isClosed = true;
    this.leave();
  }

  private add(bytes: number): void {
    if (this.isClosed) return;
    this.waitingBytes += bytes;
    this.count(bytes);
  }
}
