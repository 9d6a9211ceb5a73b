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
    if (name === 'source_port')
      return value === 'auto' || Number.isInteger(value) ? null : 'a port, auto or null';
    if (name === 'source_ip')
      return value === 'auto' || (typeof value === 'string' && isIP(value) !== 0)
        ? null
        : 'an IP address, auto or null';
    return isName(value) ? null : `a name of 1 to ${longestName} characters, or null`;
  },
  initial: () => ({ machine_name: null, source_name: null, source_ip: null, source_port: null }),
  // The source is looked for by its name.
  resolve: (leg) =>
    Object.fromEntries(Object.entries(leg).map(([name, value]) => [name, value === 'auto' ? null : value])),
};

function isName(value: ParameterValue): boolean {
  // NDI takes names up to a NUL; auto is a word of IS-05.
  const isText = typeof value === 'string' && value !== '' && value !== 'auto' && !value.includes('\0');
  return isText && value.length <= longestName;
}

/** @throws Error with what is missing or does not fit together */
export function targetOf({ machine_name, source_name, source_ip, source_port }: Leg): NdiTarget {
  if (typeof machine_name !== 'string' || typeof source_name !== 'string') {
    const names = Object.entries({ machine_name, source_name });
    const missing = names.filter(([, value]) => typeof value !== 'string').map(([name]) => name);
    const are = missing.length === 1 ? 'is' : 'are';
    throw new Error(
      `Expected machine_name and source_name of an NDI source, but ${missing.join(' and ')} ${are} null`,
    );
  }
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
