import type { CommandOf, CommandTable, NameIn, ResultOf } from '../../protocol/command-table';
import { WhitelineError } from '../../protocol/errors';
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
): Promise<ResultOf<AgentCommands, Name>> {
  const answer = await bus.request(askSubject(agent.id), command, answerMs);
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
    message: `${agentName} answered ${name} with what no agent of this version answers`,
    remedy: 'Update Whiteline on both machines to one version',
  });
}
