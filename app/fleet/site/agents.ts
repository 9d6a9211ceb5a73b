import { readdirSync, statSync } from 'node:fs';
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

/** One file for each agent: invitations that are made at once do not meet. A file is read again once it has changed. */
export class InvitedAgents {
  /** By name. */
  private readonly known = new Map<string, { stamp: string; agent: InvitedAgent }>();

  constructor(readonly folder: string) {}

  /** @throws WhitelineError BAD_INPUT naming the file that is damaged */
  all(): InvitedAgent[] {
    const names = this.names();
    if (this.known.size > names.length) this.known.clear();
    return names.flatMap((name) => this.find(name) ?? []);
  }

  /** As their files are called. */
  names(): string[] {
    const files = readdirSync(this.folder).filter((file) => file.endsWith(suffix));
    return files.sort().map((file) => file.slice(0, -suffix.length));
  }

  /** Null: it was not invited. @throws WhitelineError BAD_INPUT if its file is damaged */
  find(name: string): InvitedAgent | null {
    const path = this.fileOf(name);
    // Before the file is read: a change meanwhile is one since.
    const stamp = stampOf(path);
    const known = this.known.get(name);
    if (known && known.stamp === stamp) return known.agent;
    this.known.delete(name);
    const text = readPrivateFile(path);
    if (text === null) return null;
    const agent = safeParse(invitedAgentSchema, jsonOf(text)).data;
    if (agent?.name === name) {
      if (stamp !== null) this.known.set(name, { stamp, agent });
      return agent;
    }
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

/** Another one after each change; null if there is none to have. */
function stampOf(path: string): string | null {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

function textOf(agent: InvitedAgent): string {
  return `${JSON.stringify(agent, null, 2)}\n`;
}
