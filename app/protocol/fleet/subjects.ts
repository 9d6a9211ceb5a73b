import { z } from 'zod';

/** The subjects of the bus. Its server lets an agent publish and hear those with its own id, and a console those of all agents. */

export const agentIdSchema = z.string().regex(/^[a-z0-9]{16}$/, 'Expected 16 letters a to z or digits');
export const hostIdSchema = z.string().regex(/^[a-z0-9-]{1,32}$/, 'Expected 1 to 32 of a to z, 0 to 9 and -');

/**
 * What tells the console that has a lease from all others: at random, of a console's process. It goes from consoles to agents alone, which is
 * what no console can hear.
 */
export const leaseKeySchema = z.string().regex(/^[a-z0-9]{32}$/, 'Expected 32 letters a to z or digits');

const toAgents = 'whiteline.to';
const fromAgents = 'whiteline.from';

/** Where the answers to a console's requests arrive; no agent hears them. */
export const consoleInboxPrefix = '_INBOX_console';

/** Commands of the agent's own, as requests. */
export function askSubject(agentId: string): string {
  return `${toAgents}.${agentId}.ask`;
}

/** Numbered messages of the console with this key to a host of the agent; those of other consoles are on other subjects. */
export function toHostSubject(agentId: string, hostId: string, leaseKey: string): string {
  return `${toAgents}.${agentId}.host.${hostId}.${leaseKey}`;
}

/** Requests for small pictures, beside all else: a site that wants none leaves the subject out of what its console may publish. */
export function previewSubject(agentId: string): string {
  return `${toAgents}.${agentId}.preview`;
}

/** Numbered messages of a host of the agent to the console. */
export function fromHostSubject(agentId: string, hostId: string): string {
  return `${fromAgents}.${agentId}.host.${hostId}`;
}

/** What an agent says of itself once a second. */
export function presenceSubject(agentId: string): string {
  return `${fromAgents}.${agentId}.presence`;
}

/** What the processes with one agent's join file say to each other. */
export function claimSubject(agentId: string): string {
  return `${fromAgents}.${agentId}.claim`;
}

export const everyPresence = presenceSubject('*');

/** What a user of the bus may publish and hear, as its server is told. An agent also answers requests, where it is asked. */
export function agentPermissions(agentId: string): { publish: string[]; subscribe: string[] } {
  return {
    publish: [`${fromAgents}.${agentId}.>`],
    subscribe: [`${toAgents}.${agentId}.>`, claimSubject(agentId)],
  };
}

export const consolePermissions = {
  publish: [`${toAgents}.>`],
  subscribe: [`${fromAgents}.>`, `${consoleInboxPrefix}.>`],
} as const;

/**
 * Who sent on a subject: the server lets an agent publish on its own subjects alone. All that consoles say to one agent counts as
 * one sender.
 */
export function senderOf(subject: string): string {
  return subject.split('.', 3).join('.');
}
