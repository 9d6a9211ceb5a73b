import { commandReplySchema } from '../../protocol/command-table';
import type { EngineMessage } from '../../protocol/console';
import type { Problem } from '../../protocol/errors';
import type { ServedChannel } from '../../protocol/served';
import { mayLookBy } from '../../protocol/served-rights';
import type { WindowPort } from '../console-server';
import type { ViewPort } from './child-views';
import type { SocketPort } from './socket-port';

const refusal: Problem = {
  code: 'BAD_INPUT',
  message: 'This page may only look, and not operate',
  remedy: 'Open the console by its other address, which whiteline serve printed too',
};

/** The port of a page that may only look: what else it asks for goes nowhere, and is answered with a refusal. */
export class LookPort implements WindowPort, ViewPort {
  constructor(
    private readonly port: SocketPort,
    private readonly channel: ServedChannel,
  ) {}

  post(message: unknown): void {
    this.port.post(message);
  }

  onMessage(listener: (message: unknown) => Promise<void>): void {
    this.port.onMessage(async (message) => {
      if (mayLookBy(this.channel, message)) await listener(message);
      else this.refuse(message);
    });
  }

  onClose(listener: () => void): void {
    this.port.onClose(listener);
  }

  close(): void {
    this.port.close();
  }

  private refuse(message: unknown): void {
    const asked = commandReplySchema.pick({ requestId: true }).safeParse(message).data;
    const reply: EngineMessage = {
      ...{ type: 'reply', requestId: asked?.requestId ?? -1, result: null, problem: refusal },
    };
    this.post(reply);
  }
}
