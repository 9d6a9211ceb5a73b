import { hostname } from 'node:os';
import type { RunningInterface } from '../../../nmos/interfaces';
import { nameId } from '../../../nmos/name-id';
import type { NmosNode } from '../../../nmos/node/nmos-node';
import { type NdiName, ndiTransport, ndiTransportUrn } from './ndi-transport';
import type { OwnStream } from './node-streams';

/** What the console is as IS-04 v1.3 and BCP-007-01 have it. */

export const muxFormat = 'urn:x-nmos:format:mux';
const mediaType = 'application/ndi';
/** Our senders and receivers set no group, so that NDI takes this one. */
const usualGroup = 'public';

const urn = (name: string): string => `urn:x-nmos:tag:asset:${name}/v1.0`;

/**
 * The node and its device with its receivers.
 * @returns the ids of the receivers
 */
export function describeNode(
  node: NmosNode,
  interfaces: readonly RunningInterface[],
  receivers: number,
): string[] {
  const core = coreOf(node);
  const { id } = core('');
  /** BCP-002-02. */
  const asset = (instance: string): Record<string, string[]> => ({
    [urn('manufacturer')]: ['Whiteline'],
    [urn('product')]: ['Whiteline'],
    [urn('instance-id')]: [instance],
  });
  node.model.set('node', {
    ...{ ...core(''), ...node.addresses.node, hostname: hostname(), caps: {}, services: [] },
    ...{ tags: asset(id), clocks: [] },
    interfaces: interfaces.map(({ name, portId }) => ({ name, chassis_id: null, port_id: portId })),
  });
  const transport = ndiTransport();
  const ids = Array.from({ length: receivers }, (_, index) => {
    const receiver = core(`receiver ${index + 1}`);
    node.addReceiver(
      {
        ...receiver,
        ...{ device_id: core('device').id, format: muxFormat, transport: transport.urn },
        caps: { media_types: [mediaType] },
      },
      transport,
    );
    return receiver.id;
  });
  node.model.set('device', {
    ...{ ...core('device'), type: 'urn:x-nmos:device:generic', node_id: id },
    tags: { ...asset(core('device').id), 'urn:x-nmos:tag:asset:function/v1.0': ['Test'] },
    ...{ senders: [], receivers: [], controls: node.addresses.controls },
  });
  return ids;
}

/** A sender with its mux flow, and the flows of pictures and sound that this is made of. Returns its id. */
export function describeSender(node: NmosNode, stream: OwnStream, name: NdiName): string {
  const core = coreOf(node);
  const { width, height, rate, pixelFormat } = stream;
  const device_id = core('device').id;
  const idOf = (what: string): string => core(`${stream.fullName} ${what}`).id;
  const label = (what: string) => ({
    ...core(`${stream.fullName} ${what}`),
    label: `${name.source} ${what}`,
  });
  const common = { device_id, caps: {}, clock_name: null };
  const pictures = { grain_rate: rate, format: 'urn:x-nmos:format:video', parents: [] };
  const sound = { format: 'urn:x-nmos:format:audio', parents: [] };
  node.model.set('source', { ...label('video source'), ...common, ...pictures });
  node.model.set('source', {
    ...{ ...label('audio source'), ...common, ...sound },
    channels: [{ label: 'Mono', symbol: 'M1' }],
  });
  node.model.set('source', {
    ...{ ...label('source'), ...common, format: muxFormat, grain_rate: rate },
    parents: [idOf('video source'), idOf('audio source')],
  });
  node.model.set('flow', {
    ...{ ...label('video flow'), device_id, source_id: idOf('video source'), ...pictures },
    ...{ media_type: 'video/raw', frame_width: width, frame_height: height },
    ...{ interlace_mode: 'progressive', colorspace: 'BT709', transfer_characteristic: 'SDR' },
    components: componentsOf(pixelFormat, width, height),
  });
  node.model.set('flow', {
    ...{ ...label('audio flow'), device_id, source_id: idOf('audio source'), ...sound },
    ...{ media_type: 'audio/L16', bit_depth: 16, sample_rate: { numerator: 48_000, denominator: 1 } },
  });
  node.model.set('flow', {
    ...{ ...label('flow'), device_id, source_id: idOf('source'), format: muxFormat, media_type: mediaType },
    ...{ grain_rate: rate, parents: [idOf('video flow'), idOf('audio flow')] },
  });
  const id = idOf('sender');
  node.addSender(
    {
      ...{ id, label: name.source, description: '', device_id, flow_id: idOf('flow'), caps: {} },
      transport: ndiTransportUrn,
      tags: { 'urn:x-nmos:tag:transport:ndi:group': [usualGroup] },
    },
    ndiTransport(name),
  );
  return id;
}

/** Of a stream that is gone. */
export function removeSender(node: NmosNode, { fullName }: OwnStream): void {
  const core = coreOf(node);
  const idOf = (what: string): string => core(`${fullName} ${what}`).id;
  node.remove('sender', idOf('sender'));
  for (const what of ['flow', 'audio flow', 'video flow']) node.model.remove('flow', idOf(what));
  for (const what of ['source', 'audio source', 'video source']) node.model.remove('source', idOf(what));
}

/** The same ids again at the same place, as IS-04 Data Model: Identifier Mapping asks. */
function coreOf(node: NmosNode) {
  const place = `${hostname()} ${node.origin} console`;
  // Several consoles of one machine differ in their port.
  const console = `${hostname()}:${node.port}`;
  return (name: string) => ({
    id: nameId(`${place} ${name}`),
    label: `Whiteline on ${console}${name && `, ${name}`}`,
    ...{ description: '', tags: {} },
  });
}

/** As the SDK is given the pictures: 4:2:2, or 4:4:4 with alpha, of 8 bits. */
function componentsOf(pixelFormat: OwnStream['pixelFormat'], width: number, height: number): object[] {
  const component = (name: string, ofWidth = width): object => ({
    ...{ name, width: ofWidth, height, bit_depth: 8 },
  });
  return pixelFormat === 'uyvy'
    ? [component('Y'), component('Cb', Math.ceil(width / 2)), component('Cr', Math.ceil(width / 2))]
    : ['B', 'G', 'R', 'A'].map((name) => component(name));
}
