import { createInterface } from 'node:readline';
import type { z } from 'zod';
import type { Clock } from '../../protocol/clock';
import { type OwnStandstillWatch, watchOwnStandstill } from '../../standstill/own-standstill';
import { mostFailedCharacters } from './messages';

const heartbeatMs = 500;

interface Message {
  type: string;
}

export interface Helping<Command extends Message, Output extends Message> {
  commands: z.ZodType<Command>;
  /** What it throws is sent as `failed`. Several may be under way. */
  act(command: Command, send: (message: Output) => void): void | Promise<void>;
}

/** This process as a helper of the engine until it is stopped, or has no reader: docs/helpers.md. */
export function runHelper<Command extends Message, Output extends Message>(
  clock: Clock,
  begin: (
    send: (message: Output | { type: 'failed'; text: string }) => void,
    own: OwnStandstillWatch,
  ) => Helping<Command, Output>,
): void {
  const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
  process.stdout.on('error', () => process.exit(1));
  const own = watchOwnStandstill();
  const { commands, act } = begin(write, own);
  const failed = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    write({ type: 'failed', text: text.slice(0, mostFailedCharacters) });
  };
  const take = async (line: string): Promise<void> => act(commands.parse(JSON.parse(line)), write);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line === '{"type":"stop"}') process.exit(0);
    take(line).catch(failed);
  });
  lines.on('close', () => process.exit(0));
  clock.every(heartbeatMs, () => write({ type: 'heartbeat' }));
  // No standstill of what follows is missed.
  own.take();
  write({ type: 'ready' });
}
