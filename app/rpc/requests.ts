interface Waiting<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Requests that wait for their replies, over whatever port: the one place where messages get numbers. */
export class Requests<Reply> {
  private readonly waiting = new Map<number, Waiting<Reply>>();
  private nextId = 1;

  /** `send` puts the request under its number on its way. */
  ask(send: (requestId: number) => void): Promise<Reply> {
    const requestId = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(requestId, { resolve, reject });
      try {
        send(requestId);
      } catch (error) {
        this.reject(requestId, error as Error);
      }
    });
  }

  resolve(requestId: number, reply: Reply): void {
    this.take(requestId)?.resolve(reply);
  }

  reject(requestId: number, error: Error): void {
    this.take(requestId)?.reject(error);
  }

  /** The other end is gone: what it has not answered is rejected, but for what was never sent. */
  rejectAll(error: Error, unsent: ReadonlySet<number> = new Set()): void {
    for (const requestId of [...this.waiting.keys()])
      if (!unsent.has(requestId)) this.reject(requestId, error);
  }

  /** A reply that comes twice, or too late, is of no request. */
  private take(requestId: number): Waiting<Reply> | undefined {
    const waiting = this.waiting.get(requestId);
    this.waiting.delete(requestId);
    return waiting;
  }
}
