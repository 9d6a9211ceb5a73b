import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { agentNameOf, namesakeOf } from './agent-name';
import type { InvitedAgent } from './agents';
import { addAgent, checkNamesake, invitedNow, untilAccepted, writeJoinFile } from './invite';
import { type JoinFile, readJoinFile } from './join-file';
import { reloadServer } from './server-process';
import type { Site } from './site';

/** How a machine comes by its join file. kept: it was invited before, and the file is there. writtenAgain: with the secret of before. */
export interface JoinFileHere {
  name: string;
  /** Path of its join file. */
  file: string;
  how: 'new' | 'kept' | 'writtenAgain';
}

/** @throws WhitelineError BAD_INPUT for what is no name, and for a name that stands twice, or differs from another by case alone */
export function agentNamesOf(texts: readonly string[]): string[] {
  const names = texts.map((text) => agentNameOf(text, 'invite'));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw badInput('invite', 'each name once', `${twice} twice`, 'Leave one of them out');
  for (const name of names) {
    const namesake = namesakeOf(name, names);
    if (namesake !== undefined)
      throw badInput(
        'invite',
        'names that differ by more than case',
        `${name} and ${namesake}`,
        'Choose another name for one of them',
      );
  }
  return names;
}

/**
 * Invites those of these machines that are not invited, and sees to it that each has a join file in the folder. No secret that is there is
 * replaced. The server's configuration is brought up to date.
 * @throws WhitelineError before anything is written if one of them cannot be
 */
export function inviteAll(
  site: Site,
  names: readonly string[],
  folder: string,
  clock: Pick<Clock, 'wallMs'>,
): JoinFileHere[] {
  const planned = names.map((name) => plannedFor(site, name, resolve(folder, `${name}.join.json`)));
  for (const { how, name, file } of planned) {
    if (how === 'kept') continue;
    const before = site.agents.find(name);
    const agent = before ?? invitedNow(name, clock);
    writeJoinFile(file, site.joinOf(agent));
    if (!before) addAgent(site.agents, agent, file);
  }
  if (planned.length > 0) site.write();
  return planned;
}

/** Has a running server know of them: resolves when it accepts each. */
export async function acceptAll(site: Site, names: readonly string[], clock: Clock): Promise<void> {
  if (!reloadServer(site.files)) return;
  for (const name of names) {
    const agent = site.agents.find(name);
    if (agent) await untilAccepted(site, site.joinOf(agent), clock);
  }
}

function plannedFor(site: Site, name: string, file: string): JoinFileHere {
  checkNamesake(name, site.agents);
  const agent = site.agents.find(name);
  if (!existsSync(file)) return { name, file, how: agent ? 'writtenAgain' : 'new' };
  if (!agent) throw unlike(file, `it is not of this fleet, in which ${name} is not invited`, name, false);
  checkKept(file, site.joinOf(agent), agent, site.isCluster);
  return { name, file, how: 'kept' };
}

/** @throws WhitelineError NAME_IN_USE if this file does not let that machine into this fleet */
function checkKept(file: string, wanted: JoinFile, { name }: InvitedAgent, isCluster: boolean): void {
  const { user, secret, certificateAuthority, servers } = joinFileIn(file, name);
  const isNamed = (server: string): boolean => servers.includes(server);
  const isOurs = user === wanted.user && certificateAuthority === wanted.certificateAuthority;
  if (!isOurs) throw unlike(file, 'it is of another fleet or machine', name, true);
  if (secret !== wanted.secret) throw unlike(file, `${name} has another secret since`, name, true);
  // Addresses of one machine lead to the same server; those of several servers are all needed.
  const isEnough = isCluster ? wanted.servers.every(isNamed) : wanted.servers.some(isNamed);
  if (!isEnough)
    throw unlike(
      file,
      `it names ${servers.join(', ')}, and the fleet is at ${wanted.servers.join(', ')}`,
      name,
      true,
    );
}

function joinFileIn(file: string, name: string): JoinFile {
  try {
    return readJoinFile(file);
  } catch {
    throw unlike(file, 'it is no join file, or it is damaged', name, true);
  }
}

function unlike(file: string, why: string, name: string, isInvited: boolean): WhitelineError {
  const sameSecret = isInvited ? `, which writes it with the secret that ${name} has` : '';
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `${file} is there already, and ${why}`,
    ...{ field: 'invite', value: name },
    remedy: `Move or delete this file, and start again${sameSecret}`,
  });
}
