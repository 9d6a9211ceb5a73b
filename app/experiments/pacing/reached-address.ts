import { toProblem, WhitelineError } from '../../protocol/errors';
import type { PacingParameters } from './declaration';
import { type Measuring, measure } from './measure';
import type { End, OpenPath } from './path';
import { streamPlan } from './stream-plan';

/** How many addresses are tried; each takes some seconds. */
const mostTried = 8;
/** Some packets are sent to each of them, slowly, none large enough to be fragmented. */
const trial = { holdSeconds: 0.5, intervalUs: 10_000, rateHz: 48_000, channels: 1, bits: 16 };

export interface Reaching {
  parameters: PacingParameters;
  sender: End;
  receiver: End;
  addressesOf(end: End): readonly string[];
}

/**
 * The address of the receiver at which the sender's packets arrive. Those that have most in common with an address of the sender are tried
 * first.
 * @throws WhitelineError REQUIREMENT_MISSING naming the two machines, if no packet arrives at any
 */
export async function reachedAddress(
  context: Measuring,
  { parameters, sender, receiver, addressesOf }: Reaching,
): Promise<string> {
  const tried = inOrder(addressesOf(receiver), addressesOf(sender)).slice(0, mostTried);
  const failures: string[] = [];
  const small = { ...parameters, ...trial };
  const stream = streamPlan(small);
  for (const address of tried) {
    const path: OpenPath = {
      ...{ kind: 'machines', sender, receiver, address, streamHosts: null },
      ...{ carriedBytes: () => 0, close: async () => undefined },
    };
    const order = { parameters: small, stream, path, index: 0, onSecond: () => undefined };
    const plan = { method: 'timer', packetsPerWakeUp: 1, streams: null, repeat: null } as const;
    try {
      const found = await measure(context, order, plan);
      if (context.signal.aborted) return address;
      if ((found?.received.received ?? 0) > 0) return address;
      failures.push(`${address}: no packet came`);
    } catch (error) {
      const problem = toProblem(error);
      // What the program at an end says is of this address; all else is of the machine.
      if (problem.code !== 'TOOL_FAILED') throw error;
      failures.push(`${address}: ${problem.message}`);
    }
  }
  const [from, to] = [sender, receiver].map(({ machine }) => machine?.name ?? 'this machine');
  throw new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `UDP packets from ${from} do not reach ${to} (${failures.join('; ') || 'it has no address'})`,
    ...{ field: 'requires', value: 'a way for UDP packets' },
    remedy: 'Check that both are in one network, and that no firewall keeps UDP away',
  });
}

/** One that both machines have, as of a bridge of containers, is no way between them. */
export function inOrder(addresses: readonly string[], ofSender: readonly string[]): string[] {
  const near = (address: string): number => Math.max(0, ...ofSender.map((one) => commonBits(one, address)));
  return addresses
    .filter((address) => !ofSender.includes(address))
    .sort((one, other) => near(other) - near(one));
}

function commonBits(one: string, other: string): number {
  const difference = (numberOf(one) ^ numberOf(other)) >>> 0;
  return Math.clz32(difference);
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => (number << 8) | Number(part), 0);
}
