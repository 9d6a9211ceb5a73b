import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { readSmallFile } from '../../engine/small-file';
import { valueText, WhitelineError } from '../../protocol/errors';
import { agentIdSchema } from '../../protocol/fleet/subjects';
import { hostAndPortOf } from '../../protocol/network-address';
import { plainLine } from '../../protocol/plain-text';
import { safeParse } from '../../protocol/safe-parse';
import { agentNameSchema } from './agent-name';
import { jsonOf } from './json-text';
import { urlOf } from './server-url';

/** What somebody needs to connect to a fleet's server: written by an invitation, read by an agent or the console. */

const scheme = 'tls://';
const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;
const longestPem = 16_384;

const fields = z.object({
  version: z.literal(1),
  /** Tried until one answers: `tls://192.0.2.7:4222`. */
  servers: z.array(z.string().refine(isServer)).min(1).max(64),
  /** PEM. What it has signed is a server of this fleet, and nothing else is. */
  certificateAuthority: z.string().max(longestPem).refine(isAuthority),
  user: z.string().min(1).max(64),
  secret: z.string().min(1).max(256),
  /** Null: the console's. */
  agent: z.object({ id: agentIdSchema, name: agentNameSchema }).nullable(),
});
/** An agent speaks under its id, which is all that the server lets its user do. */
export const joinFileSchema = fields.refine(({ agent, user }) => agent === null || agent.id === user, {
  path: ['agent'],
});
export type JoinFile = z.infer<typeof joinFileSchema>;

/** What each field accepts, as error messages say it. */
const expected: Record<keyof JoinFile, string> = {
  version: 'version 1',
  servers: 'a list of servers such as tls://192.0.2.7:4222',
  certificateAuthority: 'the certificate of an authority as PEM',
  user: 'a text of 1 to 64 characters',
  secret: 'a text of 1 to 256 characters',
  agent: 'null, or an agent with its name and the id that is its user',
};
const remedy = 'Write the join file again, where the fleet was started: whiteline fleet invite NAME --force';

/**
 * @param path how the file is called in a sentence
 * @throws WhitelineError BAD_INPUT naming the field; a secret stands in no sentence
 */
export function parseJoinFile(text: string, path: string): JoinFile {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(`${plainLine(path)} is no join file: whiteline fleet invite has not written it`, path);
  const { version } = value as { version?: unknown };
  if (typeof version === 'number' && version > 1)
    throw refused(
      `The join file ${plainLine(path)} has version ${version}, and this Whiteline reads version 1`,
      path,
      'A newer Whiteline wrote it: update the one on this machine',
    );
  const { success, data, error } = safeParse(joinFileSchema, value);
  if (success) return data;
  const field = z
    .enum(Object.keys(expected) as (keyof JoinFile)[])
    .parse(error.issues[0]?.path[0] ?? 'version');
  const received: unknown = (value as Record<string, unknown>)[field] ?? '';
  const shown = field === 'secret' && received !== '' ? 'another value' : valueText(received);
  throw refused(
    `Expected ${expected[field]} as ${field} in the join file ${plainLine(path)} but received ${plainLine(shown) || 'nothing'}`,
    path,
  );
}

function refused(message: string, path: string, why = remedy): WhitelineError {
  return new WhitelineError({ code: 'BAD_INPUT', message, field: 'joinFile', value: path, remedy: why });
}

/** @throws WhitelineError BAD_INPUT */
export function readJoinFile(path: string): JoinFile {
  return parseJoinFile(textIn(path), path);
}

export function joinFileText(join: JoinFile): string {
  return `${JSON.stringify(join, null, 2)}\n`;
}

export function serverUrl(host: string, port: number): string {
  return urlOf('tls', host, port);
}

function textIn(path: string): string {
  try {
    return readSmallFile(path, 'the join file');
  } catch (error) {
    if (error instanceof WhitelineError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const found = code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? message})`;
    throw refused(
      `The join file ${plainLine(path)} ${found}`,
      path,
      'Give the path of a file that whiteline fleet invite has written',
    );
  }
}

function isServer(text: string): boolean {
  if (!text.startsWith(scheme)) return false;
  try {
    hostAndPortOf(text.slice(scheme.length), 'servers');
    return true;
  } catch {
    return false;
  }
}

function isAuthority(text: string): boolean {
  if (!onePem.test(text)) return false;
  try {
    return new X509Certificate(text).ca;
  } catch {
    return false;
  }
}
