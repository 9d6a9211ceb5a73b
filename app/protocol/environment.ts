import { z } from 'zod';
import { shallowValue } from './nesting';
import { threadPolicySchema } from './thread-policy';

/**
 * One machine as it is at the start of a run, for readers who want to know next year what was measured. What could not be
 * read is null, and `notKnown` says why under its name; a list that was read and is empty is an empty list.
 */

const text = z.string().max(400);
const optionalText = text.nullable();
const amount = z.number().nonnegative().nullable();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(256).nullable();

const interfaceSchema = z.object({
  name: text,
  state: optionalText,
  mtuBytes: amount,
  speedMbps: amount,
  duplex: optionalText,
  driver: optionalText,
  driverVersion: optionalText,
  firmware: optionalText,
  /** Energy-Efficient Ethernet. */
  eee: z.enum(['off', 'on', 'on and agreed with the other end']).nullable(),
  pcie: z
    .object({ width: amount, mostWidth: amount, gigatransfers: amount, mostGigatransfers: amount })
    .nullable(),
  notKnown: z.record(text, text),
});

const clockSyncSchema = z.object({
  state: z.enum(['synchronised', 'not synchronised', 'unknown']),
  by: z.string(),
  offsetUs: z.number().nullable(),
  detail: z.string(),
});

export const hostEnvironmentSchema = z.object({
  hostName: text,
  system: text,
  kernel: text,
  distribution: optionalText,
  /** Under which hypervisor or container this runs; "none": on the metal. */
  virtualisation: optionalText,
  cpuModel: optionalText,
  cores: z.int().positive(),
  memoryMb: z.number().nonnegative(),
  mainboard: z
    .object({ vendor: optionalText, product: optionalText, version: optionalText, bios: optionalText })
    .nullable(),
  memoryModules: list(
    z.object({
      place: text,
      sizeMb: amount,
      kind: optionalText,
      megatransfers: amount,
      maker: optionalText,
      part: optionalText,
    }),
  ),
  drives: list(
    z.object({
      name: text,
      model: optionalText,
      bus: optionalText,
      sizeGb: amount,
      rotating: z.boolean().nullable(),
    }),
  ),
  gpus: list(z.object({ name: text, driver: optionalText, driverVersion: optionalText, bus: optionalText })),
  displays: list(z.object({ connector: text, name: optionalText, mode: optionalText, refreshHz: amount })),
  interfaces: z.array(interfaceSchema).max(256),
  power: z.object({ governors: list(text), plan: optionalText }),
  clockSync: clockSyncSchema.nullable(),
  /** Under which policy Whiteline's own threads run; a Whiteline from before it reports none. */
  threadPolicy: threadPolicySchema.nullable().default(null),
  /** The NDI configuration that a process of ours reads; its text is in the file. */
  ndiConfiguration: z.object({ path: text, sha256: text, settings: shallowValue }).nullable(),
  /** Switches at the other end of our cables, as they name themselves by LLDP. */
  switches: list(
    z.object({ interface: text, name: optionalText, description: optionalText, port: optionalText }),
  ),
  /** Versions, by the name of the program or the part. */
  versions: z.record(text, optionalText),
  notKnown: z.record(text, text),
});

export type HostEnvironment = z.infer<typeof hostEnvironmentSchema>;
export type InterfaceEnvironment = z.infer<typeof interfaceSchema>;
