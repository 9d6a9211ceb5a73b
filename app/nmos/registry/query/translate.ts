import { type ApiVersion, apiVersions, type Body, type ResourceType } from '../resource';

/** Resources of a later minor version as an earlier one knows them (IS-04 Upgrade Path, "Version Translations"). */

type Value = Record<string, unknown>;

/** What v1.3 added, where: lists are gone through. */
const addedIn13: Record<ResourceType, readonly (readonly string[])[]> = {
  node: [
    ['interfaces', 'attached_network_device'],
    ['api', 'endpoints', 'authorization'],
    ['services', 'authorization'],
  ],
  device: [['controls', 'authorization']],
  source: [['event_type']],
  flow: [['event_type']],
  sender: [],
  receiver: [],
};

export function isAtLeast(version: ApiVersion, other: ApiVersion): boolean {
  return apiVersions.indexOf(version) >= apiVersions.indexOf(other);
}

/** The body by that version of the API, as JSON: by its own version or an earlier one it is as registered. */
export function translatedJson(type: ResourceType, body: Body, version: ApiVersion): string {
  const isLater = !isAtLeast(version, body.apiVersion);
  return isLater && addedIn13[type].length > 0
    ? JSON.stringify(translatedValue(type, body, version))
    : body.json;
}

/** A body that is parsed when a filter asks for it, and once for each version of the API. */
export class Seen {
  private readonly values: Partial<Record<ApiVersion, Value>> = {};

  constructor(
    readonly type: ResourceType,
    readonly body: Body,
  ) {}

  value(version: ApiVersion): Value {
    this.values[version] ??= translatedValue(this.type, this.body, version);
    return this.values[version];
  }
}

function translatedValue(type: ResourceType, body: Body, version: ApiVersion): Value {
  const value: Value = JSON.parse(body.json);
  if (!isAtLeast(version, body.apiVersion)) for (const path of addedIn13[type]) without(value, path);
  return value;
}

function without(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const item of value) without(item, [key, ...rest]);
  else if (rest.length === 0) delete (value as Value)[key];
  else without((value as Value)[key], rest);
}
