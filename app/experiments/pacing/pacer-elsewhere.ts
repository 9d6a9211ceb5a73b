import { z } from 'zod';
import { momentText, portSchema, unicastAddress } from '../../engine/capabilities/helper/elsewhere-fields';
import type { HelperElsewhere } from '../../engine/capabilities/helper/helper-elsewhere';
import { here } from '../../engine/tools/namespace';
import { type PacerRole, pacerMissing, pacerProgram } from './pacer-program';

/** The pacer as an agent starts it for a console: datagrams by ordinary threads, and no file. */

const dayNs = 86_400e9;
const shortestIntervalNs = 20_000;
const mostPackets = dayNs / shortestIntervalNs;
const duration = z.int().nonnegative().max(dayNs);

/** What an agent's own user has not allowed. `what`: as it follows "no". */
function none(what: string) {
  return `Expected no ${what} on another machine`;
}

const options = {
  path: z.enum(['ethernet', 'udp']).refine((path) => path === 'udp', 'Expected udp on another machine'),
  interface: z.string().refine((name) => name === '', none('interface')),
  ...{ address: unicastAddress, port: portSchema },
  streamId: z.string().regex(/^[\da-f]{1,16}$/i, 'Expected a stream in hexadecimal'),
  intervalNs: duration.min(shortestIntervalNs),
  transitNs: duration,
};

const irregularity = String.raw`\d{1,10}:(withheld|doubled|swapped|(late|early):\d{1,10})`;
const irregularities = z
  .string()
  .max(1000)
  .regex(new RegExp(`^(${irregularity}( ${irregularity})*)?$`), 'Expected irregularities of a sender');

const begin = z.strictObject({
  type: z.literal('begin'),
  ...{ startNs: momentText.min(1), senderStartNs: momentText.min(1) },
  ...{ senderAddress: unicastAddress, senderPort: portSchema },
});

const senderCommands = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('prepare'),
    ...options,
    vlanId: z
      .int()
      .nullable()
      .refine((id) => id === null, none('VLAN')),
    vlanPriority: z.int().min(0).max(7),
    ...{ rateHz: z.int().min(8000).max(192_000), channels: z.int().min(1).max(64) },
    ...{ bits: z.int().min(16).max(32), samples: z.int().min(1).max(20_000) },
    ...{ method: z.enum(['timer', 'spin', 'burst']), packets: z.int().min(2).max(mostPackets) },
    ...{ packetsPerWakeUp: z.int().min(1).max(1000), leadNs: duration },
    irregularities,
    transmitStamps: z.boolean(),
    realTime: z.boolean().refine((is) => !is, none('real-time priority')),
    lockMemory: z.boolean().refine((is) => !is, none('locked memory')),
    core: z
      .int()
      .nullable()
      .refine((core) => core === null, none('processor core')),
  }),
  begin,
]);

const receiverCommands = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('listen'),
    ...options,
    ...{ toleranceNs: duration, presentationNs: duration, hardware: z.boolean() },
    rawLog: z.string().refine((file) => file === '', none('raw log')),
  }),
  begin,
  z.strictObject({ type: z.literal('finish'), sent: z.int().nonnegative().max(mostPackets).nullable() }),
]);

function elsewhere(role: PacerRole, commands: HelperElsewhere['commands']): HelperElsewhere {
  return { program: () => pacerProgram(role, here), commands, missing: async () => pacerMissing() };
}

export const pacersElsewhere: readonly HelperElsewhere[] = [
  elsewhere('sender', senderCommands),
  elsewhere('receiver', receiverCommands),
];
