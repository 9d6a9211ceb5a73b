import { once } from 'node:events';
import { vi } from 'vitest';
import { WebSocket } from 'ws';

/** A WebSocket client that keeps what it is sent, as JSON. */
export class SocketMessages<Message> {
  readonly messages: Message[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
  }

  static async open<Message>(address: string): Promise<SocketMessages<Message>> {
    const client = new SocketMessages<Message>(new WebSocket(address));
    await once(client.socket, 'open');
    return client;
  }

  /** Waits for so many messages and takes them all. */
  async take(count = 1): Promise<Message[]> {
    await vi.waitFor(
      () => {
        if (this.messages.length < count)
          throw new Error(
            `${this.messages.length} of ${count} messages came: ${JSON.stringify(this.messages)}`,
          );
      },
      { timeout: 20_000, interval: 5 },
    );
    return this.messages.splice(0);
  }

  async closed(): Promise<void> {
    if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close');
  }
}
