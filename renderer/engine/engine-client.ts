import type { EngineMessage, EngineNews } from '../../app/protocol/console';
import {
  type Command,
  type CommandName,
  type CommandResult,
  type ConsoleCommands,
  consoleCommands,
} from '../../app/protocol/console-commands';
import type { Problem } from '../../app/protocol/errors';
import { type Answer, Asker } from '../../app/rpc/asker';
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

/** The window's end of the port to the engine: commands out, answers and news in. */
export class EngineClient {
  private readonly asker: Asker<ConsoleCommands>;

  constructor(
    private readonly port: MessagePort,
    onNews: (news: EngineNews) => void,
  ) {
    this.asker = new Asker(consoleCommands, (request) => port.postMessage(request));
    port.onmessage = ({ data }: MessageEvent<EngineMessage>) => {
      if (data.type === 'reply') this.asker.take(data);
      else onNews(data);
    };
  }

  ask<Name extends CommandName>(command: Command<Name>): Promise<Answer<CommandResult<Name>>> {
    return this.asker.answer(command);
  }

  close(): void {
    this.port.close();
    this.asker.drop(engineGone);
  }
}
