import type { Clock } from '../../protocol/clock';
import { nameId } from '../name-id';
import { NodeModel } from '../node/model';
import { type ResourceType, resourceTypes } from '../node/resources';
import type { SimulatedConnections } from './simulated-connections';

/** On each resource of a load, with the name of its run: so that all of them can be found, and nothing else. */
export const loadTag = 'urn:x-whiteline:load';

export const resourcesPerNode = resourceTypes.length;

export const simulatedControlType = 'urn:x-nmos:control:sr-ctrl/v1.1';
const format = 'urn:x-nmos:format:video';
const rate = { numerator: 50, denominator: 1 };
const uhd = { width: 3840, height: 2160 };

export function simulatedId(run: string, number: number, type: ResourceType): string {
  return nameId(`load ${run} ${number} ${type}`);
}

/** @param controls URL of the Connection API of a load. Returns what stands in `manifest_href` of a sender. */
export function simulatedFile(controls: string, senderId: string): string {
  return `${controls}single/senders/${senderId}/transportfile`;
}

/**
 * The resources of one of many nodes, as in the study: node, device, source, flow, sender and receiver. Nothing answers at its addresses.
 * @param connections where its sender and receiver can be activated all the same
 */
export function simulatedNode(
  run: string,
  number: number,
  clock: Clock,
  connections?: SimulatedConnections,
): NodeModel {
  const idOf = (type: ResourceType): string => simulatedId(run, number, type);
  const core = (type: ResourceType) => ({
    ...{ id: idOf(type), label: `${type} ${number}`, description: 'Simulated by Whiteline' },
    tags: { [loadTag]: [run] },
  });
  // TEST-NET-1 (RFC 5737): no host has it.
  const host = `192.0.2.${1 + (number % 254)}`;
  const device_id = idOf('device');
  const portId = [2, 0, ...[16, 8, 0].map((bits) => (number >> bits) & 255), 1]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('-');
  const model = new NodeModel(clock);
  model.set('node', {
    ...{ ...core('node'), href: `http://${host}/`, hostname: `load-${number}`, caps: {}, services: [] },
    api: {
      versions: ['v1.2', 'v1.3'],
      endpoints: [{ host, port: 80, protocol: 'http', authorization: false }],
    },
    clocks: [{ name: 'clk0', ref_type: 'internal' }],
    interfaces: [{ name: 'eth0', chassis_id: null, port_id: portId }],
  });
  const essence = { format, device_id, parents: [], grain_rate: rate };
  model.set('source', { ...core('source'), ...essence, caps: {}, clock_name: 'clk0' });
  model.set('flow', {
    ...{ ...core('flow'), ...essence, source_id: idOf('source'), media_type: 'video/raw' },
    ...{ frame_width: uhd.width, frame_height: uhd.height, interlace_mode: 'progressive' },
    ...{ colorspace: 'BT709', transfer_characteristic: 'SDR' },
    components: ['Y', 'Cb', 'Cr'].map((name) => ({
      ...{ name, width: name === 'Y' ? uhd.width : uhd.width / 2, height: uhd.height, bit_depth: 10 },
    })),
  });
  const end = { device_id, interface_bindings: ['eth0'] };
  model.set('sender', {
    ...{ ...core('sender'), ...end, flow_id: idOf('flow'), caps: {} },
    ...{
      manifest_href: connections?.fileOf(idOf('sender')) ?? `http://${host}/sdp`,
      transport: 'urn:x-nmos:transport:rtp.mcast',
      subscription: { receiver_id: null, active: false },
    },
  });
  model.set('receiver', {
    ...{ ...core('receiver'), ...end, format, caps: { media_types: ['video/raw'] } },
    ...{ transport: 'urn:x-nmos:transport:rtp', subscription: { sender_id: null, active: false } },
  });
  // Last, so that it is made once and not with each of them.
  model.set('device', {
    ...{ ...core('device'), type: 'urn:x-nmos:device:generic', node_id: idOf('node') },
    ...{ senders: [], receivers: [] },
    controls: [
      {
        href: connections?.href ?? `http://${host}/x-nmos/connection/v1.1/`,
        type: simulatedControlType,
      },
    ],
  });
  connections?.add(model, host);
  return model;
}
