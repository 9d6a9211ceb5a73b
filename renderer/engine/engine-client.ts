import type { Command, ConsoleRequest, EngineMessage } from '../../app/protocol/console';
import { type Problem, toProblem, WhitelineError } from '../../app/protocol/errors';
import { Requests } from '../../app/rpc/requests';
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
  private readonly requests = new Requests<Problem | null>();

  constructor(
    private readonly port: MessagePort,
    private readonly onMessage: (message: EngineMessage) => void,
  ) {
    port.onmessage = ({ data }: MessageEvent<EngineMessage>) => this.receive(data);
  }

  /** Resolves to null when the engine has done it, else to what is wrong. */
  send(command: Command): Promise<Problem | null> {
    const asked = this.requests.ask((requestId) =>
      this.port.postMessage({ type: 'request', requestId, command } satisfies ConsoleRequest),
    );
    return asked.catch(toProblem);
  }

  close(): void {
    this.port.close();
    this.requests.rejectAll(new WhitelineError(engineGone));
  }

  private receive(message: EngineMessage): void {
    if (message.type !== 'reply') {
      this.onMessage(message);
      return;
    }
    this.requests.resolve(message.requestId, message.problem);
  }
}
