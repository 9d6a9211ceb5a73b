import { json, noContent, Refusal, type Reply, serialized } from '../http/reply';
import type { ApiRequest, Router } from '../http/router';
import { validate } from '../schemas/schemas';
import { compareVersions } from '../tai';
import {
  type ApiVersion,
  apiVersions,
  isResourceId,
  isResourceType,
  longestBody,
  parentOfType,
  pluralOf,
  type Resource,
  type ResourceData,
  type ResourceType,
  resourceTypes,
  typeOfPlural,
} from './resource';
import type { Store } from './store';

/** The Registration API of IS-04 v1.2 and v1.3. */

const base = '/x-nmos/registration';

export function addRegistrationApi(router: Router, store: Store): void {
  router.list(base, apiVersions);
  for (const version of apiVersions) {
    const root = `${base}/${version}`;
    router.list(root, ['resource', 'health']);
    router.on('POST', `${root}/resource`, ({ body }) => register(store, version, body));
    router.on('GET', `${root}/resource/{type}/{id}`, (request) => {
      const resource = resourceOf(store, version, request);
      return serialized(200, resource.body.json);
    });
    router.on('DELETE', `${root}/resource/{type}/{id}`, (request) => {
      remove(store, version, request);
      return noContent();
    });
    router.on('POST', `${root}/health/nodes/{id}`, (request) => {
      const node = nodeOf(store, version, request);
      store.heardOf(node);
      return healthReply(node);
    });
    router.on('GET', `${root}/health/nodes/{id}`, (request) => healthReply(nodeOf(store, version, request)));
  }
}

function healthReply({ health }: Resource): Reply {
  return json(200, { health: String(health?.seconds ?? 0) });
}

function register(store: Store, apiVersion: ApiVersion, sent: unknown): Reply {
  const { type, data } = readRegistration(apiVersion, sent);
  const { id, version } = data;
  const known = store.get(id);
  if (known) refuseConflict(known, type, apiVersion, data);
  const parent = parentOf(store, apiVersion, type, data, known);
  const body = { json: JSON.stringify(data), apiVersion };
  if (body.json.length > longestBody)
    throw new Refusal(
      413,
      `Expected a resource of at most ${longestBody} characters but received a longer one`,
    );
  if (!store.hasRoom(body.json.length, known))
    throw new Refusal(503, `The registry is full: it holds ${store.size} resources`);
  store.heardOf(store.put({ type, id, version, body, parent, isOwn: true }));
  const location = resourcePath(apiVersion, type, id);
  return serialized(known ? 200 : 201, body.json, { Location: location });
}

/** @throws Refusal 400 for a body that does not match the schema */
function readRegistration(version: ApiVersion, body: unknown): { type: ResourceType; data: ResourceData } {
  const { type, data }: { type?: unknown; data?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  if (!isResourceType(type)) {
    const known = resourceTypes.map((one) => `"${one}"`).join(', ');
    throw new Refusal(
      400,
      `Expected one of ${known} for /type but received ${JSON.stringify(type) ?? 'nothing'}`,
    );
  }
  const problem = problemOfResource(version, type, data);
  if (problem !== null) throw new Refusal(400, problem);
  return { type, data: data as ResourceData };
}

/** What is wrong with a resource by its schema, as a sentence; null: it is a ResourceData. */
export function problemOfResource(version: ApiVersion, type: ResourceType, data: unknown): string | null {
  const failure = validate('is-04', version, type, data);
  if (!failure) return null;
  return failure.text.replace(' for /', ' for /data/').replace(' for the body ', ' for /data ');
}

/** IS-04 Behaviour – Registration, "Node Encounters HTTP 400" and "409". */
function refuseConflict(
  known: Resource,
  type: ResourceType,
  apiVersion: ApiVersion,
  data: ResourceData,
): void {
  const { id, version } = data;
  if (known.type !== type)
    throw new Refusal(400, `The id ${id} belongs to a ${known.type} already: a ${type} needs another id`);
  refuseOtherVersion(known, apiVersion, resourcePath(known.body.apiVersion, type, id));
  if (compareVersions(version, known.version) < 0) {
    throw new Refusal(
      400,
      `Expected a version from ${known.version} on for ${type} ${id} but received the earlier ${version}`,
    );
  }
}

function refuseOtherVersion({ type, id, body }: Resource, apiVersion: ApiVersion, location: string): void {
  if (body.apiVersion === apiVersion) return;
  const message = `The ${type} ${id} is registered with ${body.apiVersion}, not with ${apiVersion}`;
  throw new Refusal(409, message, null, { Location: location });
}

/** @throws Refusal 400 for a parent that is not there, of another type or version, or another than before */
function parentOf(
  store: Store,
  apiVersion: ApiVersion,
  type: ResourceType,
  data: ResourceData,
  known: Resource | undefined,
): Resource | null {
  const rule = parentOfType[type];
  if (!rule) return null;
  const id = String(data[rule.attribute]);
  if (known?.parent && known.parent.id !== id) {
    const expected = `Expected ${known.parent.id}, the parent as registered, for /data/${rule.attribute}`;
    throw new Refusal(400, `${expected} but received ${id}`);
  }
  const parent = store.find(rule.type, id);
  if (!parent)
    throw new Refusal(
      400,
      `Expected a registered ${rule.type} for /data/${rule.attribute} but received ${id}`,
    );
  if (parent.body.apiVersion !== apiVersion) {
    const registered = `the ${rule.type} ${id} is registered with ${parent.body.apiVersion}`;
    throw new Refusal(400, `The ${type} ${data.id} cannot be registered with ${apiVersion}: ${registered}`);
  }
  return parent;
}

/** @throws Refusal 404, 409 */
function remove(store: Store, version: ApiVersion, request: ApiRequest): void {
  const { id = '' } = request.parameters;
  // A peer that is not reached may hold it.
  if (!store.get(id) && isResourceId(id)) store.removeUnknown(id);
  store.remove(resourceOf(store, version, request), { isOwn: true });
}

function resourceOf(store: Store, version: ApiVersion, { parameters }: ApiRequest): Resource {
  const { type: plural = '', id = '' } = parameters;
  const type = typeOfPlural(plural);
  if (!type) throw new Refusal(404, `There are no ${plural.slice(0, 20)} in a registry`);
  const resource = store.find(type, id);
  if (!resource) throw new Refusal(404, `There is no ${type} ${id.slice(0, 40)} in the registry`);
  refuseOtherVersion(resource, version, resourcePath(resource.body.apiVersion, resource.type, id));
  return resource;
}

function nodeOf(store: Store, version: ApiVersion, { parameters }: ApiRequest): Resource {
  const { id = '' } = parameters;
  const node = store.find('node', id);
  if (!node) throw new Refusal(404, `There is no node ${id.slice(0, 40)} in the registry`);
  refuseOtherVersion(node, version, `${base}/${node.body.apiVersion}/health/nodes/${id}`);
  return node;
}

function resourcePath(version: ApiVersion, type: ResourceType, id: string): string {
  return `${base}/${version}/resource/${pluralOf(type)}/${id}`;
}
