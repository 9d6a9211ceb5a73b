import { hostname } from 'node:os';
import { nameId } from '../name-id';
import { NmosNode, type NmosNodeOptions } from './nmos-node';
import type { FlowResource, SourceResource } from './resources';
import { rtpTransport } from './rtp';
import type { Transport } from './transport';

export interface ExampleOptions extends NmosNodeOptions {
  label: string;
  senders: number;
  receivers: number;
}

interface Essence {
  name: string;
  format: string;
  /** What its receivers take, BCP-004-01. */
  takes: Record<string, unknown>;
  source: Partial<SourceResource>;
  flow: Partial<FlowResource> & { media_type: string };
}

const rate = { numerator: 50, denominator: 1 };
const channels = [
  { label: 'Left', symbol: 'L' },
  { label: 'Right', symbol: 'R' },
];
/** 1080p50 in 10 bits, two channels of 24 bits, and ancillary data: SMPTE ST 2110-20, -30, -40. */
const essences: readonly Essence[] = [
  {
    ...{ name: 'video', format: 'urn:x-nmos:format:video', source: { grain_rate: rate } },
    takes: { grain_rate: rate, frame_width: 1920, frame_height: 1080, interlace_mode: 'progressive' },
    flow: {
      ...{ media_type: 'video/raw', grain_rate: rate, frame_width: 1920, frame_height: 1080 },
      ...{ interlace_mode: 'progressive', colorspace: 'BT709', transfer_characteristic: 'SDR' },
      components: [
        { name: 'Y', width: 1920, height: 1080, bit_depth: 10 },
        { name: 'Cb', width: 960, height: 1080, bit_depth: 10 },
        { name: 'Cr', width: 960, height: 1080, bit_depth: 10 },
      ],
    },
  },
  {
    ...{ name: 'audio', format: 'urn:x-nmos:format:audio', source: { channels } },
    takes: { channel_count: 2, sample_rate: { numerator: 48_000 }, sample_depth: 24 },
    flow: { media_type: 'audio/L24', sample_rate: { numerator: 48_000, denominator: 1 }, bit_depth: 24 },
  },
  {
    ...{ name: 'data', format: 'urn:x-nmos:format:data', source: { grain_rate: rate } },
    takes: { grain_rate: rate },
    flow: { media_type: 'video/smpte291', grain_rate: rate },
  },
];

/** A node with one device, whose senders and receivers of RTP are video, audio, data, video … in turn. No media is sent. */
export async function startExampleNode(options: ExampleOptions): Promise<NmosNode> {
  const node = await NmosNode.start(options);
  const { label, interfaces } = options;
  // The same after a restart at the same place, as IS-04 Data Model: Identifier Mapping asks.
  const idOf = (name: string): string => nameId(`${hostname()} ${node.origin} ${name}`);
  const core = (name: string) => ({
    id: idOf(name),
    label: `${label} ${name}`.trim(),
    description: '',
    tags: {},
  });
  node.model.set('node', {
    ...{ ...core(''), ...node.addresses.node, hostname: hostname(), caps: {}, services: [] },
    tags: asset(idOf('')),
    clocks: [{ name: 'clk0', ref_type: 'internal' }],
    interfaces: interfaces.map(({ name, portId }) => ({ name, chassis_id: null, port_id: portId })),
  });
  const transport = rtpTransport();
  const device_id = idOf('device');
  for (let index = 0; index < options.senders; index++) addSender(node, core, device_id, transport, index);
  for (let index = 0; index < options.receivers; index++) {
    const { name, format, flow, takes } = essenceOf(index);
    const caps = {
      ...{ media_types: [flow.media_type], constraint_sets: [constraintSet(flow.media_type, takes)] },
      version: node.model.node.version,
    };
    const receiver = { ...core(`${name} receiver ${index + 1}`), tags: group('receivers', index), caps };
    node.addReceiver({ ...receiver, device_id, format, transport: transport.urn }, transport);
  }
  // Last, so that it is made once and not with each of them.
  node.model.set('device', {
    ...{ ...core('device'), type: 'urn:x-nmos:device:generic', node_id: idOf('') },
    tags: { ...asset(idOf('device')), 'urn:x-nmos:tag:asset:function/v1.0': ['Test'] },
    ...{ senders: [], receivers: [], controls: node.addresses.controls },
  });
  return node;
}

type CoreOf = (name: string) => {
  id: string;
  label: string;
  description: string;
  tags: Record<string, string[]>;
};

function addSender(
  node: NmosNode,
  core: CoreOf,
  device_id: string,
  transport: Transport,
  index: number,
): void {
  const { name, format, ...essence } = essenceOf(index);
  const source = core(`${name} source ${index + 1}`);
  const flow = core(`${name} flow ${index + 1}`);
  const common = { format, device_id, parents: [] };
  node.model.set('source', { ...source, ...common, caps: {}, clock_name: 'clk0', ...essence.source });
  node.model.set('flow', { ...flow, ...common, source_id: source.id, ...essence.flow });
  const sender = {
    ...core(`${name} sender ${index + 1}`),
    tags: group('senders', index),
    device_id,
    flow_id: flow.id,
  };
  node.addSender({ ...sender, caps: {}, transport: transport.urn }, transport);
}

function essenceOf(index: number): Essence {
  const essence = essences[index % essences.length];
  if (!essence) throw new Error('there are no essences');
  return essence;
}

/** Which node of which maker it is, BCP-002-02. */
function asset(instance: string): Record<string, string[]> {
  const tag = (name: string): string => `urn:x-nmos:tag:asset:${name}/v1.0`;
  return {
    [tag('manufacturer')]: ['Whiteline'],
    [tag('product')]: ['Whiteline NMOS node'],
    [tag('instance-id')]: [instance],
  };
}

/** A video, an audio and a data stream belong together, BCP-002-01. */
function group(of: 'senders' | 'receivers', index: number): Record<string, string[]> {
  const number = Math.floor(index / essences.length) + 1;
  return { 'urn:x-nmos:tag:grouphint/v1.0': [`${of} ${number}:${essenceOf(index).name}`] };
}

/** BCP-004-01: all values that a receiver takes, one for each parameter. */
function constraintSet(mediaType: string, takes: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries({ media_type: mediaType, ...takes });
  return {
    'urn:x-nmos:cap:meta:label': `${mediaType} as its senders send it`,
    'urn:x-nmos:cap:meta:preference': 0,
    'urn:x-nmos:cap:meta:enabled': true,
    ...Object.fromEntries(
      values.map(([name, value]) => [`urn:x-nmos:cap:format:${name}`, { enum: [value] }]),
    ),
  };
}
