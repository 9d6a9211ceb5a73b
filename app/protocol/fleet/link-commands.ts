import { z } from 'zod';
import { plainLine } from '../plain-text';

/** On these an iperf3 server of ours listens for another machine; a firewall has to let them through, for TCP and UDP. */
export const linkPorts = { first: 5201, last: 5264 } as const;

export const linkAddressSchema = z.ipv4();
export const linkPortSchema = z.int().min(linkPorts.first).max(linkPorts.last);

/** Where the server of the other end is. */
export const linkTargetShape = { address: linkAddressSchema, port: linkPortSchema };

/** Such as "iperf 3.12"; null: it does not say. */
export const iperfVersionSchema = z
  .string()
  .regex(/^iperf \S{1,30}$/)
  .nullable();

/** Why it ended by itself, as it follows "its iperf3 server"; null: it runs, or was ended. */
export const endedSchema = z.string().max(1000).transform(plainLine).nullable();
