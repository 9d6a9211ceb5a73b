import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';
import { badInput } from '../../protocol/errors';

/** An agent is its id, whatever machine it runs on; its name is for people. */

const idLetters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 16;
const secretBytes = 32;

export const agentNameSchema = z.string().regex(/^[A-Za-z0-9._-]{1,63}$/);
/** As `newSecret` makes it. */
export const secretSchema = z.string().regex(/^[\w-]{43}$/);

/** @throws WhitelineError BAD_INPUT */
export function agentNameOf(text: string, field = 'name'): string {
  if (agentNameSchema.safeParse(text).success) return text;
  throw badInput(field, '1 to 63 letters, digits, ".", "_" and "-"', text, 'Use for example render-1');
}

/** The first of these names that differs from this one by case alone: people take one for the other, and so do many disks. */
export function namesakeOf(name: string, others: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return others.find((other) => other !== name && other.toLowerCase() === lower);
}

export function newAgentId(): string {
  return Array.from({ length: idLength }, () => idLetters[randomInt(idLetters.length)]).join('');
}

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}
