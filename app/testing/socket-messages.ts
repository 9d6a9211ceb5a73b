import { once } from 'node:events';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import type { SimulatedClock } from './simulated-clock';
import { eventually } from './time-passes';

/** A WebSocket client that keeps what it is sent, as JSON. */
export class SocketMessages<Message> {
  readonly messages: Message[] = [];

  private constructor(
    readonly socket: WebSocket,
    private readonly clock: SimulatedClock | null,
  ) {
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
  }

  /** @param clock of the server, where it is simulated: it goes on while messages are waited for */
  static async open<Message>(
    address: string,
    clock: SimulatedClock | null = null,
  ): Promise<SocketMessages<Message>> {
    const client = new SocketMessages<Message>(new WebSocket(address), clock);
    await once(client.socket, 'open');
    return client;
  }

  /** Waits for `count` messages and takes them all. */
  async take(count = 1): Promise<Message[]> {
    const check = (): void => {
      if (this.messages.length < count)
        throw new Error(
          `${this.messages.length} of ${count} messages came: ${JSON.stringify(this.messages)}`,
        );
    };
    await (this.clock ? eventually(this.clock, check) : vi.waitFor(check, { timeout: 20_000, interval: 5 }));
    return this.messages.splice(0);
  }

  async closed(): Promise<void> {
    if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close');
  }
}
