/** What a registry holds (IS-04 Data Model, Behaviour – Registration "Referential Integrity"). */

export const resourceTypes = ['node', 'device', 'source', 'flow', 'sender', 'receiver'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** Minor versions of IS-04, oldest first. */
export const apiVersions = ['v1.2', 'v1.3'] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** A resource as an object of JSON, already validated. */
export interface ResourceData {
  id: string;
  version: string;
  [attribute: string]: unknown;
}

/** As it was registered: one text, since a parsed tree takes five times the memory. */
export interface Body {
  readonly json: string;
  readonly apiVersion: ApiVersion;
}

export interface Resource {
  readonly id: string;
  readonly type: ResourceType;
  body: Body;
  /** The attribute `version`. */
  version: string;
  /** Nanoseconds of TAI, unique among resources of the type; cursors of paging. */
  created: bigint;
  updated: bigint;
  /** When a client last registered it, at whichever registry; ns of TAI. Separates what came before a removal from what came after it. */
  at: bigint;
  /** When a client registered this body; ns of TAI. Decides between bodies of one version. */
  bodyAt: bigint;
  readonly parent: Resource | null;
  readonly children: Resource[];
  /** Of a node. */
  readonly health: Health | null;
}

export interface Health {
  /** Of the last heartbeat, on the monotonic clock. */
  heardMs: number;
  /** The same, TAI seconds, as answered. */
  seconds: number;
  /** Which registry the node last spoke to: its instance. */
  home: string;
}

/** The attribute that names the parent, and its type. */
export const parentOfType: Record<ResourceType, { attribute: string; type: ResourceType } | null> = {
  node: null,
  device: { attribute: 'node_id', type: 'node' },
  source: { attribute: 'device_id', type: 'device' },
  flow: { attribute: 'device_id', type: 'device' },
  sender: { attribute: 'device_id', type: 'device' },
  receiver: { attribute: 'device_id', type: 'device' },
};

/** In paths and topics. */
export function pluralOf(type: ResourceType): string {
  return `${type}s`;
}

export function typeOfPlural(plural: string): ResourceType | undefined {
  return resourceTypes.find((type) => pluralOf(type) === plural);
}

/** Characters of a resource as JSON: numbers may be longer than they came. */
export const longestBody = 2_000_000;

export function isResourceType(value: unknown): value is ResourceType {
  return resourceTypes.some((type) => type === value);
}

export function isApiVersion(value: unknown): value is ApiVersion {
  return apiVersions.some((version) => version === value);
}

/** The node that a resource belongs to. */
export function nodeOf(resource: Resource): Resource {
  return resource.parent ? nodeOf(resource.parent) : resource;
}
