import { randomBytes } from 'node:crypto';
import type { Clock } from '../../protocol/clock';
import { badInput, type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import { type Answer, answerSchema } from '../../protocol/fleet/envelope';
import { senderOf } from '../../protocol/fleet/subjects';
import { safeParse } from '../../protocol/safe-parse';
import { decodeValue, encodeValue } from './codec';
import { cut, Joiner, mostPayloadBytes } from './pieces';

/** Between values and what a bus carries, whichever bus that is. */

/** The payloads of a value. */
export function payloadsOf(value: unknown): Uint8Array[] {
  return cut(encodeValue(value), () => randomBytes(8));
}

/** What arrives for one subscription. */
export class Arrivals {
  private undecodable = 0;
  private readonly joiner = new Joiner();
  private stopTimer: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /** Messages that could not be decoded, or were never complete. */
  get refused(): number {
    return this.undecodable + this.joiner.dropped;
  }

  /** Calls `use` if a message is complete with this payload. */
  take(payload: Uint8Array, subject: string, use: (value: unknown) => void): void {
    const joined = this.joiner.take(payload, senderOf(subject), this.clock.monotonicNs());
    this.setTimer();
    if ('isWaiting' in joined) return;
    const decoded = 'message' in joined ? decodeValue(joined.message) : joined;
    if (decoded.refused === undefined) use(decoded.value);
    else this.undecodable++;
  }

  close(): void {
    this.stopTimer?.();
    this.stopTimer = null;
  }

  /** Pieces of a message that will not be complete give their memory back, even where nothing arrives any more. */
  private setTimer(): void {
    if (this.stopTimer !== null || this.joiner.incomplete === 0) return;
    this.stopTimer = this.clock.after(this.joiner.patienceMs, () => {
      this.stopTimer = null;
      this.joiner.dropOld(this.clock.monotonicNs());
      this.setTimer();
    });
  }
}

/** @throws WhitelineError INTERNAL for a value that no single message can hold */
export function requestPayload(value: unknown): Uint8Array {
  const payload = encodeValue(value);
  if (payload.length <= mostPayloadBytes) return payload;
  throw new WhitelineError({
    code: 'INTERNAL',
    message: `A request or an answer has ${payload.length} bytes, and ${mostPayloadBytes} are allowed`,
  });
}

/** The payload with which a request is answered. Never rejects. */
export async function answerPayload(
  request: Uint8Array,
  answer: (value: unknown) => Promise<unknown>,
): Promise<{ payload: Uint8Array; isRefused: boolean }> {
  const decoded = decodeValue(request);
  const isRefused = decoded.refused !== undefined;
  try {
    if (isRefused) throw badInput('request', 'a message of Whiteline', decoded.refused);
    const value = await answer(decoded.value);
    return { payload: requestPayload({ value } satisfies Answer), isRefused };
  } catch (error) {
    return { payload: problemPayload(toProblem(error)), isRefused };
  }
}

function problemPayload(problem: Problem): Uint8Array {
  const payload = encodeValue({ problem });
  if (payload.length <= mostPayloadBytes) return payload;
  return encodeValue({ problem: { code: problem.code, message: problem.message.slice(0, 1000) } });
}

/** @throws WhitelineError that the other side answered with, or INTERNAL for an answer that cannot be read */
export function valueOfAnswer(payload: Uint8Array, subject: string): unknown {
  const decoded = decodeValue(payload);
  if (decoded.refused !== undefined) throw unreadable(subject, decoded.refused);
  const { data: answer, error } = safeParse(answerSchema, decoded.value);
  if (error) throw unreadable(subject, 'It is neither a value nor a problem');
  if ('problem' in answer) throw new WhitelineError(answer.problem);
  return answer.value;
}

function unreadable(subject: string, why: string): WhitelineError {
  return new WhitelineError({
    code: 'INTERNAL',
    message: `The answer to ${subject} cannot be read: ${why}`,
    remedy: 'Use the same version of Whiteline on both machines',
  });
}
