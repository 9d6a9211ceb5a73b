import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { agentIdSchema } from '../../protocol/fleet/subjects';
import { hostOf } from '../../protocol/network-address';
import { parsedBy } from '../../protocol/parsed-by';
import { safeParse } from '../../protocol/safe-parse';
import { agentNameSchema, secretSchema } from './agent-name';
import { jsonOf } from './json-text';
import { addPrivateFile, damaged, readPrivateFile, replacePrivateFile } from './private-files';

const suffix = '.json';

const invitedAgentSchema = z.object({
  version: z.literal(1),
  id: agentIdSchema,
  name: agentNameSchema,
  secret: secretSchema,
  /** At which the agent reaches the server, as the operator gave it; null: at the addresses of this machine. */
  address: z
    .string()
    .superRefine(parsedBy((text) => hostOf(text, 'address')))
    .nullable(),
  /** ISO 8601, wall time. */
  invitedAt: z.iso.datetime(),
});
export type InvitedAgent = z.infer<typeof invitedAgentSchema>;

/** One file for each agent: invitations that are made at once do not meet. */
export class InvitedAgents {
  constructor(readonly folder: string) {}

  /** @throws WhitelineError BAD_INPUT naming the file that is damaged */
  all(): InvitedAgent[] {
    return this.names().flatMap((name) => this.find(name) ?? []);
  }

  /** As their files are called. */
  names(): string[] {
    const files = readdirSync(this.folder).filter((file) => file.endsWith(suffix));
    return files.sort().map((file) => file.slice(0, -suffix.length));
  }

  /** Null: it was not invited. @throws WhitelineError BAD_INPUT where its file is damaged */
  find(name: string): InvitedAgent | null {
    const path = this.fileOf(name);
    const text = readPrivateFile(path);
    if (text === null) return null;
    const agent = safeParse(invitedAgentSchema, jsonOf(text)).data;
    if (agent?.name === name) return agent;
    throw damaged(path, `Delete this file, and invite the agent again: whiteline fleet invite ${name}`);
  }

  /** False: one of this name is there. */
  add(agent: InvitedAgent): boolean {
    return addPrivateFile(this.fileOf(agent.name), textOf(agent));
  }

  replace(agent: InvitedAgent): void {
    replacePrivateFile(this.fileOf(agent.name), textOf(agent));
  }

  private fileOf(name: string): string {
    return join(this.folder, `${name}${suffix}`);
  }
}

function textOf(agent: InvitedAgent): string {
  return `${JSON.stringify(agent, null, 2)}\n`;
}
