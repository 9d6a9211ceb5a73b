import type { IncomingMessage } from 'node:http';
import { Refusal } from './reply';

/** Recursion through a deeper value could overflow the stack; NMOS needs a tenth of this depth. */
export const deepestNesting = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON that a request carries; undefined for none.
 * @throws Refusal 400 for what is no JSON, 413 for more than `largestBytes`
 */
export async function readBody(request: IncomingMessage, largestBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, largestBytes);
  if (bytes.length === 0) return undefined;
  const value = parsed(bytes);
  if (isDeeper(value, deepestNesting))
    throw new Refusal(
      400,
      `Expected a body nested at most ${deepestNesting} levels deep but received a deeper one`,
    );
  return value;
}

/** A body that is too large is read on for a while, since a client that still sends does not read the answer. */
const drainedBodies = 16;

function readBytes(request: IncomingMessage, largestBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= largestBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (length > largestBytes * drainedBodies) reject(tooLarge(largestBytes));
    });
    request.once('end', () => {
      if (length > largestBytes) reject(tooLarge(largestBytes));
      else resolve(Buffer.concat(chunks));
    });
    // The client is gone: the refusal is for the log.
    request.once('close', () => {
      if (!request.complete) reject(new Refusal(400, 'The request ended before its body was complete'));
    });
  });
}

function tooLarge(largestBytes: number): Refusal {
  return new Refusal(413, `Expected a body of at most ${largestBytes} bytes but received a larger one`);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new Refusal(400, 'Expected JSON as the body but received something else', (error as Error).message);
  }
}

/** Whether it is nested more than `left` levels deep. */
export function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(inner, left - 1)) return true;
  return false;
}
