import type { Command, ConsoleRequest, EngineMessage } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import { texts } from '../texts';

const engineGone: Problem = {
  code: 'INTERNAL',
  message: texts.alerts.engineGone,
  remedy: texts.alerts.engineGoneRemedy,
};

/** There is none to ask. */
export const engineAbsent: Problem = {
  code: 'INTERNAL',
  message: texts.alerts.engineAbsent,
  remedy: texts.alerts.engineAbsentRemedy,
};

/** The window's end of the port to the engine: requests out, replies and news in. */
export class EngineClient {
  private nextRequestId = 1;
  private readonly waiting = new Map<number, (problem: Problem | null) => void>();

  constructor(
    private readonly port: MessagePort,
    private readonly onMessage: (message: EngineMessage) => void,
  ) {
    port.onmessage = ({ data }: MessageEvent<EngineMessage>) => this.receive(data);
  }

  /** Resolves to null when the engine has done it, else to what is wrong. */
  send(command: Command): Promise<Problem | null> {
    const request: ConsoleRequest = { type: 'request', requestId: this.nextRequestId, command };
    this.nextRequestId += 1;
    return new Promise((resolve) => {
      this.waiting.set(request.requestId, resolve);
      this.port.postMessage(request);
    });
  }

  close(): void {
    this.port.close();
    for (const resolve of this.waiting.values()) resolve(engineGone);
    this.waiting.clear();
  }

  private receive(message: EngineMessage): void {
    if (message.type !== 'reply') {
      this.onMessage(message);
      return;
    }
    this.waiting.get(message.requestId)?.(message.problem);
    this.waiting.delete(message.requestId);
  }
}
