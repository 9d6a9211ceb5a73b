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
  /** When a client last registered it, at whichever registry; ns of the shared clock. Separates what came before a removal from what came after it. */
  at: bigint;
  /** When a client registered this body; ns of the shared clock. Decides between bodies of one version. */
  bodyAt: bigint;
  readonly parent: Resource | null;
  readonly children: Resource[];
  /** Of a node. */
  readonly health: Health | null;
}

export interface Health {
  /** From when on silence counts: the last heartbeat, or the start that read it from a snapshot; ms of the monotonic clock. */
  heardMs: number;
  /** When the node was last heard of, at whichever registry; ns of the shared clock. What decides whether it outlived an expiry. */
  heardAt: bigint;
  /** When it registered where it was not known, at whichever registry; ns of the shared clock. What is below it is not older. */
  bornAt: bigint;
  /** The last heartbeat in TAI seconds of this machine, as answered. */
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

const idPattern = /^[\da-f]{8}-[\da-f]{4}-[1-5][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Whether a resource may have this id (IS-04 schema `resource_core`). */
export function isResourceId(id: string): boolean {
  return idPattern.test(id);
}

/** The node that a resource belongs to. */
export function nodeOf(resource: Resource): Resource {
  return resource.parent ? nodeOf(resource.parent) : resource;
}
