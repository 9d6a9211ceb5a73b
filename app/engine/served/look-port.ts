import { commandReplySchema } from '../../protocol/command-table';
import type { EngineMessage } from '../../protocol/console';
import type { Problem } from '../../protocol/errors';
import type { ServedChannel } from '../../protocol/served';
import { mayLookBy } from '../../protocol/served-rights';
import type { WindowPort } from '../console-server';
import type { ViewPort } from './child-views';
import { LookTurns } from './look-turns';
import type { SocketPort } from './socket-port';

/** Requests of one page, over one of its ports. */
const mostAtOnce = 4;
/** Those that wait for their turn too. */
const mostUnanswered = 32;

const refusal: Problem = {
  code: 'BAD_INPUT',
  message: 'This page may only look, and not operate',
  remedy: 'Open the console by its other address, which whiteline serve printed too',
};

const tooMany: Problem = {
  code: 'BAD_INPUT',
  message: `This page only looks, and ${mostUnanswered} of its requests are not answered yet: no further one is taken`,
  remedy: 'Ask again after an answer',
};

/**
 * The port of a page that may only look: what else it asks for goes nowhere, and is answered with a refusal. Few of its requests are under
 * way at a time, so that those of pages that operate do not wait.
 */
export class LookPort implements WindowPort, ViewPort {
  private readonly ownTurns = new LookTurns(mostAtOnce);
  private unanswered = 0;
  private isOpen = true;

  /** @param turns those of all pages that only look, on this channel */
  constructor(
    private readonly port: SocketPort,
    private readonly channel: ServedChannel,
    private readonly turns: LookTurns,
  ) {
    port.onClose(() => {
      this.isOpen = false;
    });
  }

  post(message: unknown): void {
    this.port.post(message);
  }

  onMessage(listener: (message: unknown) => Promise<void>): void {
    this.port.onMessage(async (message) => {
      if (!mayLookBy(this.channel, message)) await this.refuse(message, refusal);
      // There are no requests and no answers.
      else if (this.channel === 'previews') await listener(message);
      else if (this.unanswered >= mostUnanswered) await this.refuse(message, tooMany);
      else await this.answer(() => listener(message));
    });
  }

  onClose(listener: () => void): void {
    this.port.onClose(listener);
  }

  close(): void {
    this.port.close();
  }

  private async answer(act: () => Promise<void>): Promise<void> {
    this.unanswered += 1;
    try {
      await this.ownTurns.take(() => this.turns.take(async () => (this.isOpen ? act() : undefined)));
    } finally {
      this.unanswered -= 1;
    }
  }

  /** In a separate turn of the event loop, so that thousands of refusals hold nothing up. */
  private async refuse(message: unknown, problem: Problem): Promise<void> {
    await new Promise(setImmediate);
    const asked = commandReplySchema.pick({ requestId: true }).safeParse(message).data;
    const reply: EngineMessage = {
      ...{ type: 'reply', requestId: asked?.requestId ?? -1, result: null, problem },
    };
    this.post(reply);
  }
}
