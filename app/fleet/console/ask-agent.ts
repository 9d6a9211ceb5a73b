import type { CommandOf, CommandTable, NameIn, ResultOf } from '../../protocol/command-table';
import { type ErrorCode, toProblem, WhitelineError } from '../../protocol/errors';
import { type AgentCommands, agentCommands } from '../../protocol/fleet/agent-commands';
import { previewCommands, type RemotePreview } from '../../protocol/fleet/remote-preview';
import { askSubject, previewSubject } from '../../protocol/fleet/subjects';
import { safeParse } from '../../protocol/safe-parse';
import type { Bus } from '../bus/bus';

/** Shorter than a lease: of two tries one may fail. */
const answerMs = 1500;

/**
 * Asks an agent, and checks its answer by the schema of the command.
 * @throws WhitelineError of the bus or of the agent; TOOL_FAILED for an answer of another form
 */
export async function askAgent<Name extends NameIn<AgentCommands>>(
  bus: Bus,
  agent: { id: string; name: string },
  command: CommandOf<AgentCommands, Name> & { name: Name },
  withinMs = answerMs,
): Promise<ResultOf<AgentCommands, Name>> {
  const answer = await bus.request(askSubject(agent.id), command, withinMs).catch((error) => {
    throw named(error, agent.name, withinMs);
  });
  return checkedAnswer(agentCommands, command.name, answer, agent.name);
}

/** Asks it for a small picture. @throws WhitelineError as `askAgent` */
export async function askPreview(
  bus: Bus,
  agent: { id: string; name: string },
  command: CommandOf<typeof previewCommands, 'preview'>,
): Promise<RemotePreview> {
  const answer = await bus.request(previewSubject(agent.id), command, answerMs);
  return checkedAnswer(previewCommands, command.name, answer, agent.name);
}

function checkedAnswer<Table extends CommandTable<Table>, Name extends NameIn<Table>>(
  table: Table,
  name: Name,
  answer: unknown,
  agentName: string,
): ResultOf<Table, Name> {
  const schema: Table[Name]['result'] = table[name].result;
  const read = safeParse(schema, answer);
  if (read.success) return read.data;
  throw new WhitelineError({
    code: 'TOOL_FAILED',
    message: `This version of Whiteline does not know what ${agentName} answered to ${name}`,
    remedy: 'Update Whiteline on both machines to one version',
  });
}

/** The bus knows its ends by subjects, and an operator knows machines by name. */
function named(error: unknown, name: string, withinMs: number): unknown {
  const { code, ...problem } = toProblem(error);
  const message = wordsByCode[code]?.(name, withinMs);
  return message === undefined ? error : new WhitelineError({ ...problem, code, message });
}

const wordsByCode: { [code in ErrorCode]?: (name: string, withinMs: number) => string } = {
  AGENT_UNREACHABLE: (name) => `The agent on ${name} is not connected`,
  AGENT_SILENT: (name, withinMs) => `The agent on ${name} did not answer within ${withinMs / 1000} s`,
  BUS_UNREACHABLE: (name) => `The server of the fleet is not connected, so that ${name} cannot be asked`,
  BUS_REFUSED: (name) => `The server of the fleet does not let this console ask ${name}`,
};
