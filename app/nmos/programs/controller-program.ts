import type { Clock } from '../../protocol/clock';
import { problemText, toProblem } from '../../protocol/errors';
import { RestClient } from '../controller/rest-client';
import { changeCrosspoints, fillByPages, fillBySubscriptions } from '../load/crosspoints';
import { StandstillWatch } from '../load/standstill';
import { type ControllerCommand, type ControllerMessage, controllerCommands } from './controller-messages';
import { runHelper } from './helper';

/** A controller in a separate process. */
export function runControllerProgram(clock: Clock): void {
  runHelper<ControllerCommand, ControllerMessage>(clock, (_, own) => {
    const watch = new StandstillWatch(clock).start();
    return {
      commands: controllerCommands,
      async act(command, send) {
        if (command.type === 'standstills') return send({ type: 'standstills', standstills: own.take() });
        const client = new RestClient();
        watch.begin();
        try {
          send(await answerTo(command, { client, clock }, watch));
        } finally {
          client.close();
        }
      },
    };
  });
}

async function answerTo(
  command: Exclude<ControllerCommand, { type: 'standstills' }>,
  by: { client: RestClient; clock: Clock },
  watch: StandstillWatch,
): Promise<ControllerMessage> {
  const { query: origin, version, limitSeconds } = command;
  const query = { origin, version };
  const limitMs = 1000 * limitSeconds;
  if (command.type === 'change') {
    const changed = changeCrosspoints({ ...command, ...by, query, limitMs });
    return { type: 'changed', ...(await figuresOrWhy(changed)), ...watch.read() };
  }
  const fill = { ...command, ...by, query };
  const filled = command.by === 'pages' ? fillByPages(fill) : fillBySubscriptions(fill, limitMs);
  return { type: 'filled', ...(await figuresOrWhy(filled)), ...watch.read() };
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
