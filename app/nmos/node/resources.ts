/** Resources of IS-04 as version 1.3 has them. Source: IS-04 v1.3 schemas. */

/** In the order in which they are registered: each after what it refers to (Behaviour: Registration). */
export const resourceTypes = ['node', 'device', 'source', 'flow', 'sender', 'receiver'] as const;
export type ResourceType = (typeof resourceTypes)[number];

export const nodeApiVersions = ['v1.2', 'v1.3'] as const;
export type NodeApiVersion = (typeof nodeApiVersions)[number];

interface Core {
  id: string;
  label: string;
  description: string;
  tags: Record<string, string[]>;
}

export interface NodeResource extends Core {
  href: string;
  hostname?: string;
  api: {
    versions: string[];
    endpoints: { host: string; port: number; protocol: 'http'; authorization: boolean }[];
  };
  caps: Record<string, never>;
  services: { href: string; type: string; authorization?: boolean }[];
  clocks: { name: string; ref_type: 'internal' }[];
  interfaces: { name: string; chassis_id: string | null; port_id: string }[];
}

export interface DeviceResource extends Core {
  type: string;
  node_id: string;
  /** Deprecated, but demanded; the model keeps them. */
  senders: string[];
  receivers: string[];
  controls: { href: string; type: string; authorization?: boolean }[];
}

interface Rational {
  numerator: number;
  denominator: number;
}

export interface SourceResource extends Core {
  format: string;
  caps: Record<string, never>;
  device_id: string;
  parents: string[];
  clock_name: string | null;
  grain_rate?: Rational;
  channels?: { label: string; symbol: string }[];
  event_type?: string;
}

/** What describes the essence stands beside, by format. */
export interface FlowResource extends Core {
  format: string;
  source_id: string;
  device_id: string;
  parents: string[];
  grain_rate?: Rational;
  media_type: string;
  [essence: string]: unknown;
}

export interface SenderResource extends Core {
  flow_id: string | null;
  transport: string;
  device_id: string;
  manifest_href: string | null;
  interface_bindings: string[];
  caps: Record<string, never>;
  subscription: { receiver_id: string | null; active: boolean };
}

export interface ReceiverResource extends Core {
  device_id: string;
  transport: string;
  interface_bindings: string[];
  format: string;
  /** `constraint_sets` and their `version` by BCP-004-01. */
  caps: {
    media_types?: string[];
    event_types?: string[];
    constraint_sets?: Record<string, unknown>[];
    version?: string;
  };
  subscription: { sender_id: string | null; active: boolean };
}

export interface Resources {
  node: NodeResource;
  device: DeviceResource;
  source: SourceResource;
  flow: FlowResource;
  sender: SenderResource;
  receiver: ReceiverResource;
}

/** As it is served and registered. */
export type Versioned<Resource> = Resource & { version: string };
