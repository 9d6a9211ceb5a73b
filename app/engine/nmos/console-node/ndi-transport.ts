import { isIP } from 'node:net';
import type { EndpointKind, Leg, ParameterValue, Transport } from '../../../nmos/node/transport';

/**
 * NDI as a transport of IS-05. Source: BCP-007-01, a draft, at commit ed37bf0 (2024-03-27): docs/Overview.md, NDI IS-05 Resources, and
 * the schemas beside it. What its texts disagree about, and what we follow: docs/nmos.md, "The console as a node".
 */
export const ndiTransportUrn = 'urn:x-nmos:transport:ndi';

/** Of NDI's full name "MACHINE (source)", both parts. */
export interface NdiName {
  machine: string;
  source: string;
}

/** What a receiver is to follow. */
export interface NdiTarget {
  /** NDI's full one. */
  name: string;
  /** "address:port"; null: it is found by its name. */
  address: string | null;
}

/** As long as NDI's full name may be. */
const longestName = 255;

/** The machine is what stands before the first bracket. Null for what is no full name. */
export function ndiNameOf(fullName: string): NdiName | null {
  const [, machine, source] = /^(.+?) \((.*)\)$/s.exec(fullName) ?? [];
  return machine === undefined || source === undefined ? null : { machine, source };
}

/** The transport of one sender, with its name, and of any receiver. */
export function ndiTransport(sender: NdiName | null = null): Transport {
  return {
    urn: ndiTransportUrn,
    sender: { ...senderKind(sender), file: null, sendsToOne: () => false },
    receiver: { ...receiverKind, readFile: null },
  };
}

/** A sender cannot be renamed while it sends. */
function senderKind(name: NdiName | null): EndpointKind {
  const leg = { machine_name: name?.machine ?? null, source_name: name?.source ?? null };
  return {
    ...{ schema: null, legs: 1 },
    constraints: () => ({
      machine_name: { enum: ['auto', leg.machine_name] },
      source_name: { enum: ['auto', leg.source_name] },
    }),
    initial: () => leg,
    resolve: () => leg,
  };
}

const receiverKind: EndpointKind = {
  ...{ schema: null, legs: 1 },
  constraints: () => ({
    ...{ machine_name: {}, source_name: {}, source_ip: {} },
    source_port: { minimum: 1, maximum: 65_535 },
  }),
  expected: (name, value) => {
    if (value === null) return null;
    if (name === 'source_port') return Number.isInteger(value) ? null : 'a port, or null';
    if (name === 'source_ip')
      return typeof value === 'string' && isIP(value) !== 0 ? null : 'an IP address, or null';
    return isName(value) ? null : `a text of 1 to ${longestName} characters, or null`;
  },
  initial: () => ({ machine_name: null, source_name: null, source_ip: null, source_port: null }),
  resolve: (leg) => {
    for (const name of ['machine_name', 'source_name'] as const)
      if (leg[name] === 'auto')
        throw new Error(`Expected the name of an NDI source for ${name} but received auto`);
    const known = (name: string): ParameterValue => (leg[name] === 'auto' ? null : (leg[name] ?? null));
    return { ...leg, source_ip: known('source_ip'), source_port: known('source_port') };
  },
};

function isName(value: ParameterValue): boolean {
  // NDI takes names up to a NUL.
  return typeof value === 'string' && value !== '' && value.length <= longestName && !value.includes('\0');
}

/** @throws Error with what is missing or does not fit together */
export function targetOf({ machine_name, source_name, source_ip, source_port }: Leg): NdiTarget {
  if (typeof machine_name !== 'string' || typeof source_name !== 'string')
    throw new Error('Expected machine_name and source_name of an NDI source, but one of them is null');
  if ((source_ip === null) !== (source_port === null))
    throw new Error('Expected source_ip and source_port together, or null for both');
  const name = `${machine_name} (${source_name})`;
  if (Buffer.byteLength(name) > longestName)
    throw new Error(`Expected machine_name and source_name of at most ${longestName} bytes together`);
  if (typeof source_ip !== 'string') return { name, address: null };
  return { name, address: `${isIP(source_ip) === 6 ? `[${source_ip}]` : source_ip}:${source_port}` };
}

/** Of a receiver that follows a source of this name. */
export function legOf(fullName: string): Leg {
  const name = ndiNameOf(fullName);
  return {
    ...{ machine_name: name?.machine ?? null, source_name: name?.source ?? fullName },
    ...{ source_ip: null, source_port: null },
  };
}
