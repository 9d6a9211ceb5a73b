import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, ErrorCode, NatsError } from 'nats';
import { toolFailed } from '../../engine/tools/tool-problem';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { hostOf } from '../../protocol/network-address';
import { agentNameOf, namesakeOf, newAgentId, newSecret } from './agent-name';
import type { InvitedAgent, InvitedAgents } from './agents';
import { type Machine, ownAddress } from './hosts';
import { type JoinFile, joinFileText, serverUrl } from './join-file';
import { serverProgram } from './nats-server';
import { addPrivateFile, replacePrivateFile } from './private-files';
import { reloadServer } from './server-process';
import { Site } from './site';

const lookMs = 100;
const acceptsWithinMs = 10_000;

export interface InviteOptions {
  folder: string;
  name: string;
  /** At which the other machine reaches this one; null: at the addresses of this machine. */
  address: string | null;
  /** Of the join file; null: named after the agent, in the folder of the process. */
  output: string | null;
  /** Replaces the secret of an agent that is there, and the join file. */
  force: boolean;
  clock: Clock;
  machine(): Machine;
}

export interface Invitation {
  join: JoinFile;
  /** Path of the join file. */
  file: string;
  /** Whether a server runs, and takes the agent from now on. */
  isAccepted: boolean;
}

/**
 * Lets an agent join: writes its join file, and has a running server know of it.
 * @throws WhitelineError
 */
export async function invite(options: InviteOptions): Promise<Invitation> {
  const { folder, force, clock, address } = options;
  const name = agentNameOf(options.name);
  if (address !== null) hostOf(address, 'address');
  const site = Site.open(folder, options);
  checkNamesake(name, site.agents);
  const before = site.agents.find(name);
  if (before && !force) throw invitedAlready(name);
  const agent = invitedNow(name, clock, { address, id: before?.id });
  const join = site.joinOf(agent);
  const file = resolve(options.output ?? `${name}.join.json`);
  // The server learns of the agent last: what fails before leaves no secret in force that is in no file.
  writeJoinFile(file, join, force);
  if (before) site.agents.replace(agent);
  else addAgent(site.agents, agent, file);
  site.write();
  const isRunning = reloadServer(site.files);
  if (isRunning) await untilAccepted(site, join, clock);
  return { join, file, isAccepted: isRunning };
}

export function invitedNow(
  name: string,
  clock: Pick<Clock, 'wallMs'>,
  { address = null, id = newAgentId() }: { address?: string | null; id?: string } = {},
): InvitedAgent {
  const invitedAt = new Date(clock.wallMs()).toISOString();
  return { version: 1, id, name, secret: newSecret(), address, invitedAt };
}

/** @throws WhitelineError NAME_IN_USE if another command was sooner: the join file is removed again */
export function addAgent(agents: InvitedAgents, agent: InvitedAgent, file: string): void {
  if (!agents.add(agent)) {
    rmSync(file);
    throw invitedAlready(agent.name);
  }
}

/** @throws WhitelineError NAME_IN_USE if a name that is invited differs by case alone */
export function checkNamesake(name: string, agents: InvitedAgents): void {
  const namesake = namesakeOf(name, agents.names());
  if (namesake === undefined) return;
  throw new WhitelineError({
    code: 'NAME_IN_USE',
    message: `${name} differs by case alone from ${namesake}, which is invited already`,
    ...{ field: 'name', value: name, remedy: 'Choose a name that differs by more than case' },
  });
}

export function writeJoinFile(file: string, join: JoinFile, force = false): void {
  const text = joinFileText(join);
  if (force) replacePrivateFile(file, text, 'output');
  else if (!addPrivateFile(file, text, 'output'))
    throw new WhitelineError({
      code: 'BAD_INPUT',
      message: `${file} exists already`,
      ...{
        field: 'output',
        value: file,
        remedy: 'Choose another name with output, or give force to write over it',
      },
    });
}

function invitedAlready(name: string): WhitelineError {
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `${name} is invited already`,
    ...{ field: 'name', value: name, remedy: 'Choose another name, or give force to replace its secret' },
  });
}

/** The server reads its configuration again when it comes to it, and tells nobody. */
export async function untilAccepted(site: Site, join: JoinFile, clock: Clock): Promise<void> {
  const { listen, port } = site.settings;
  const server = serverUrl(ownAddress(listen), port);
  for (let waitedMs = 0; waitedMs < acceptsWithinMs; waitedMs += lookMs) {
    await clock.sleep(lookMs);
    if (await isAccepted(server, join)) return;
  }
  throw toolFailed(
    serverProgram,
    `it did not accept the new agent within ${acceptsWithinMs / 1000} s`,
    'Start the fleet again: the join file is good',
  );
}

/** @throws WhitelineError TOOL_FAILED if the server refuses for another reason than who asks */
async function isAccepted(
  server: string,
  { user, secret, certificateAuthority }: JoinFile,
): Promise<boolean> {
  try {
    const connection = await connect({
      ...{ servers: server, user, pass: secret, tls: { ca: certificateAuthority } },
      ...{ reconnect: false, timeout: acceptsWithinMs, name: 'whiteline fleet invite' },
    });
    await connection.close();
    return true;
  } catch (error) {
    if (error instanceof NatsError && error.code === ErrorCode.AuthorizationViolation) return false;
    throw toolFailed(
      serverProgram,
      `${server} does not answer (${(error as Error).message})`,
      'Start the fleet again',
    );
  }
}
