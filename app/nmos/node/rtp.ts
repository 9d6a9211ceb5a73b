import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { describeSession, isMulticast, sdpType } from './sdp';
import { readSession } from './sdp-reader';
import type { Constraint, EndpointPlace, Leg, ParameterValue, Transport } from './transport';

/** RFC 3551, and the default of IS-05's schemas. */
const usualPort = 5004;

/**
 * RTP with the core parameters and multicast; without FEC and RTCP. Source: IS-05 v1.1 Behaviour: RTP Transport Type.
 * @param legs 2 for SMPTE ST 2022-7
 */
export function rtpTransport(legs: 1 | 2 = 1): Transport {
  return {
    urn: 'urn:x-nmos:transport:rtp',
    sender: {
      schema: 'sender_transport_params_rtp',
      legs,
      constraints: (place) => ({
        source_ip: ownAddresses(place),
        ...{ destination_ip: {}, source_port: {}, destination_port: {}, rtp_enabled: {} },
      }),
      expected: (name, value) =>
        name === 'destination_ip' && !isMulticast(String(value)) && !isHost(value)
          ? 'the address of a host or of a multicast group, or auto,'
          : null,
      initial: () => ({
        ...{ source_ip: 'auto', destination_ip: 'auto', source_port: 'auto', destination_port: 'auto' },
        rtp_enabled: true,
      }),
      resolve: (leg, place, index) => ({
        ...leg,
        source_ip: resolved(leg.source_ip, () => ownAddress(place, index)),
        destination_ip: resolved(leg.destination_ip, () => groupOf(place.id, index)),
        source_port: resolved(leg.source_port, () => usualPort),
        destination_port: resolved(leg.destination_port, () => usualPort),
      }),
      file: (active, facts) => ({ type: sdpType, data: describeSession(active.filter(isEnabled), facts) }),
      sendsToOne: (active) => active.every(({ destination_ip }) => !isMulticast(String(destination_ip))),
    },
    receiver: {
      schema: 'receiver_transport_params_rtp',
      legs,
      constraints: (place) => ({
        ...{ source_ip: {}, multicast_ip: {}, destination_port: {}, rtp_enabled: {} },
        interface_ip: ownAddresses(place),
      }),
      expected: (name, value) => {
        if (value === null) return null;
        if (name === 'multicast_ip' && !isMulticast(String(value)))
          return 'a multicast address (224.0.0.0 to 239.255.255.255, ff00::/8) or null';
        return name === 'source_ip' && !isHost(value) ? 'the address of a host or null' : null;
      },
      initial: () => ({
        ...{ source_ip: null, multicast_ip: null, interface_ip: 'auto', destination_port: 'auto' },
        rtp_enabled: true,
      }),
      resolve: (leg, place, index) => ({
        ...leg,
        interface_ip: resolved(leg.interface_ip, () => ownAddress(place, index)),
        destination_port: resolved(leg.destination_port, () => usualPort),
      }),
      readFile: ({ type, data }, count, { mediaTypes }) => {
        if (type !== sdpType) throw new Error(`its type must be ${sdpType}, not ${type}`);
        return readSession(data, count, mediaTypes);
      },
    },
  };
}

function isEnabled({ rtp_enabled }: Leg): boolean {
  return rtp_enabled === true;
}

/** One that packets can come from: neither a group, nor reserved, nor unspecified (RFC 6890). */
function isHost(value: ParameterValue): boolean {
  const address = String(value);
  if (isIP(address) === 6) return !isMulticast(address) && !/^[0:.]+$/.test(address);
  const [first] = address.split('.').map(Number);
  return first !== undefined && first > 0 && first < 224;
}

function ownAddresses({ addresses }: EndpointPlace): Constraint {
  return { enum: addresses };
}

function resolved(
  value: Leg[string] | undefined,
  choose: () => string | number,
): string | number | boolean | null {
  return value === 'auto' || value === undefined ? choose() : value;
}

/** The second path leaves by another interface where there is one. */
function ownAddress({ addresses }: EndpointPlace, index: number): string {
  const address = addresses[index % addresses.length];
  if (address === undefined) throw new Error('no interface has an address for media');
  return address;
}

/** A group of the organization's own scope (RFC 2365), which is always the same for a sender. */
function groupOf(id: string, index: number): string {
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(`${id}:${index}`).digest();
  return `239.${192 + (first & 3)}.${second}.${third}`;
}
