import { problemText, toProblem } from '../../protocol/errors';
import { RestClient } from '../controller/rest-client';
import { changeCrosspoints, fillByPages, fillBySubscriptions } from '../load/crosspoints';
import { type ControllerCommand, type ControllerMessage, controllerCommands } from './controller-messages';
import { runHelper } from './helper';

/** A controller in a process of its own. */
export function runControllerProgram(): void {
  runHelper<ControllerCommand, ControllerMessage>(() => ({
    commands: controllerCommands,
    async act(command, send) {
      const client = new RestClient();
      try {
        send(await answerTo(command, client));
      } finally {
        client.close();
      }
    },
  }));
}

async function answerTo(command: ControllerCommand, client: RestClient): Promise<ControllerMessage> {
  const { query: origin, version, limitSeconds } = command;
  const query = { origin, version };
  const limitMs = 1000 * limitSeconds;
  if (command.type === 'change') {
    const changed = changeCrosspoints({ ...command, client, query, limitMs });
    return { type: 'changed', ...(await figuresOrWhy(changed)) };
  }
  const filled =
    command.by === 'pages' ? fillByPages(client, query) : fillBySubscriptions(client, query, limitMs);
  return { type: 'filled', ...(await figuresOrWhy(filled)) };
}

async function figuresOrWhy<Figures>(
  measured: Promise<Figures>,
): Promise<{ figures: Figures | null; why: string | null }> {
  try {
    return { figures: await measured, why: null };
  } catch (error) {
    return { figures: null, why: problemText(toProblem(error)) };
  }
}
