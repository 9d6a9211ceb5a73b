/** Resources of IS-04 v1.3 that are valid, and of v1.2 too. */

export interface NmosResource {
  id: string;
  version: string;
  label: string;
  description: string;
  tags: Record<string, string[]>;
  [attribute: string]: unknown;
}

export const nmosTypes = ['node', 'device', 'source', 'flow', 'sender', 'receiver'] as const;
export type NmosType = (typeof nmosTypes)[number];

/** An id of the form that NMOS wants, for each kind and number. */
export function nmosId(kind: number, number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${kind.toString(16).padStart(12, '0')}`;
}

function core(kind: number, number: number, label: string): NmosResource {
  return {
    ...{ id: nmosId(kind, number), version: '1441700172:318426300' },
    ...{ label: `${label} ${number}`, description: `The ${label} of host ${number}`, tags: {} },
  };
}

/** A node and what belongs to it, each with an id that its number gives. */
export function nmosNode(number: number): Record<NmosType, NmosResource> {
  const device = nmosId(1, number);
  const host = `192.0.2.${1 + (number % 250)}`;
  const format = 'urn:x-nmos:format:video';
  return {
    node: {
      ...core(0, number, 'node'),
      ...{ href: `http://${host}:8080/`, hostname: `host-${number}`, caps: {}, services: [] },
      api: { versions: ['v1.2', 'v1.3'], endpoints: [{ host, port: 8080, protocol: 'http' }] },
      clocks: [{ name: 'clk0', ref_type: 'internal' }],
      interfaces: [{ name: 'eth0', chassis_id: '74-26-96-db-87-31', port_id: '74-26-96-db-87-31' }],
    },
    device: {
      ...core(1, number, 'device'),
      ...{ type: 'urn:x-nmos:device:generic', node_id: nmosId(0, number), senders: [], receivers: [] },
      controls: [
        { href: `http://${host}:8080/x-nmos/connection/v1.1/`, type: 'urn:x-nmos:control:sr-ctrl/v1.1' },
      ],
    },
    source: {
      ...core(2, number, 'source'),
      ...{ device_id: device, format, parents: [], caps: {}, clock_name: 'clk0' },
      grain_rate: { numerator: 25, denominator: 1 },
    },
    flow: {
      ...core(3, number, 'flow'),
      ...{ device_id: device, source_id: nmosId(2, number), format, parents: [], media_type: 'video/raw' },
      ...{ frame_width: 1920, frame_height: 1080, interlace_mode: 'progressive', colorspace: 'BT709' },
      components: [
        { name: 'Y', width: 1920, height: 1080, bit_depth: 10 },
        { name: 'Cb', width: 960, height: 1080, bit_depth: 10 },
        { name: 'Cr', width: 960, height: 1080, bit_depth: 10 },
      ],
    },
    sender: {
      ...core(4, number, 'sender'),
      ...{ device_id: device, flow_id: nmosId(3, number), transport: 'urn:x-nmos:transport:rtp.mcast' },
      ...{ manifest_href: `http://${host}:8080/sdp`, interface_bindings: ['eth0'] },
      subscription: { receiver_id: null, active: false },
    },
    receiver: {
      ...core(5, number, 'receiver'),
      ...{ device_id: device, format, transport: 'urn:x-nmos:transport:rtp', interface_bindings: ['eth0'] },
      ...{ caps: { media_types: ['video/raw'] }, subscription: { sender_id: null, active: false } },
    },
  };
}

/** The same resource some seconds later, with these attributes changed. */
export function changed(
  resource: NmosResource,
  seconds: number,
  change: Record<string, unknown> = {},
): NmosResource {
  const [whole = '', parts = ''] = resource.version.split(':');
  return { ...resource, version: `${Number(whole) + seconds}:${parts}`, ...change };
}
