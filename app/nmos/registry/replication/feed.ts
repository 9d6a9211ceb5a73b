import type { WebSocket } from 'ws';
import type { Clock } from '../../../protocol/clock';
import type { Log } from '../../http/bounded-log';
import { monotonicMs } from '../../monotonic-ms';
import { lookRegularly } from '../../regular-look';

/** A peer that does not take what it asked for is cut; it connects anew and gets all. */
const mostWaitingCharacters = 64_000_000;
const longestSilenceMs = 15_000;

/** One peer that follows this registry: what was there when it connected, as fast as it takes it, then what came meanwhile and comes. */
export class Feed {
  /** What came while the first messages are sent; null afterwards. */
  private backlog: string[] | null = [];
  private waitingCharacters = 0;

  constructor(
    private readonly client: WebSocket,
    clock: Clock,
    private readonly log: Log,
    onClose: () => void,
  ) {
    let lastMs = monotonicMs(clock);
    const endPings = lookRegularly(clock, longestSilenceMs / 3, () => {
      if (monotonicMs(clock) - lastMs > longestSilenceMs) this.cut('it answers no ping');
      else client.ping();
    });
    client.on('pong', () => {
      lastMs = monotonicMs(clock);
    });
    client.on('error', () => client.terminate());
    client.once('close', () => {
      endPings();
      onClose();
    });
  }

  async begin(first: Iterable<string>): Promise<void> {
    try {
      for (const text of first) await this.sent(text);
    } catch {
      // The connection is gone, and `close` says so.
      this.client.terminate();
      return;
    }
    const backlog = this.backlog ?? [];
    this.backlog = null;
    this.waitingCharacters = 0;
    for (const text of backlog) this.send(text);
  }

  send(text: string): void {
    this.waitingCharacters += text.length;
    if (this.waitingCharacters > mostWaitingCharacters) this.cut('it does not read its messages');
    else if (this.backlog) this.backlog.push(text);
    else
      this.client.send(text, () => {
        this.waitingCharacters -= text.length;
      });
  }

  close(): void {
    this.client.terminate();
  }

  private sent(text: string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.client.send(text, (error) => (error ? reject(error) : resolve())),
    );
  }

  private cut(why: string): void {
    this.log(`disconnected a peer that replicates from this registry: ${why}`);
    this.client.terminate();
  }
}
