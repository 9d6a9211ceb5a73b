import { json, Refusal, type Reply, text } from '../http/reply';
import type { Router } from '../http/router';
import { validate } from '../schemas/schemas';
import type { Connection } from './connection';
import type { EndpointRole } from './staging';

const base = '/x-nmos/connection';
const root = `${base}/v1.1`;

export interface ConnectionApi {
  connection(role: EndpointRole, id: string): Connection | undefined;
  ids(role: EndpointRole): string[];
  /** Of a sender; null if it has none. */
  transportFile(id: string): { type: string; data: string } | null;
}

const roles = ['sender', 'receiver'] as const;

/** Paths of the Connection API, IS-05 v1.1 ConnectionAPI.raml. */
export function serveConnectionApi(router: Router, api: ConnectionApi): void {
  router.list(base, ['v1.1']);
  router.list(root, ['bulk', 'single']);
  router.list(`${root}/bulk`, ['senders', 'receivers']);
  router.list(`${root}/single`, ['senders', 'receivers']);
  for (const role of roles) serveRole(router, api, role);
  router.on('GET', `${root}/single/senders/{id}/transportfile`, ({ parameters }) => {
    find(api, 'sender', parameters.id);
    const file = api.transportFile(parameters.id ?? '');
    if (!file)
      throw new Refusal(
        404,
        'This sender has no transport file: its transport has none, or the sender is off',
      );
    return { ...text(200, file.type, file.data), headers: { 'Cache-Control': 'no-cache' } };
  });
}

function serveRole(router: Router, api: ConnectionApi, role: EndpointRole): void {
  const single = `${root}/single/${role}s`;
  const own = role === 'sender' ? ['transportfile/'] : [];
  const children = ['constraints/', 'staged/', 'active/', ...own, 'transporttype/'];
  const on = (path: string, bodyOf: (connection: Connection) => unknown): void =>
    router.on('GET', `${single}/{id}${path}`, ({ parameters }) =>
      json(200, bodyOf(find(api, role, parameters.id))),
    );
  router.on('GET', single, () =>
    json(
      200,
      api.ids(role).map((id) => `${id}/`),
    ),
  );
  on('', () => children);
  on('/constraints', (connection) => connection.constraints());
  on('/staged', (connection) => connection.stagedBody());
  on('/active', (connection) => connection.activeBody());
  on('/transporttype', ({ transport }) => transport);
  router.on('PATCH', `${single}/{id}/staged`, async ({ parameters, body, remoteAddress }) => {
    const { status, body: reply } = await find(api, role, parameters.id).patch(body, remoteAddress);
    return json(status, reply);
  });
  router.on('POST', `${root}/bulk/${role}s`, ({ body, remoteAddress }) =>
    bulk(api, role, body, remoteAddress),
  );
}

/** @throws Refusal 404 */
function find(api: ConnectionApi, role: EndpointRole, id = ''): Connection {
  const connection = api.connection(role, id);
  if (!connection) throw new Refusal(404, `There is no ${role} ${id}`);
  return connection;
}

interface BulkEntry {
  id: string;
  params: unknown;
}

/** All at once: a failure of one is no failure of others (APIs: Client Side, Failure Modes). */
async function bulk(api: ConnectionApi, role: EndpointRole, body: unknown, from: string): Promise<Reply> {
  if (!isBulk(role, body))
    throw new Refusal(400, 'Expected a list of objects with id and params as the body');
  const results = body.map(async ({ id, params }) => {
    try {
      const { status } = await find(api, role, id).patch(params, from);
      return { id, code: status };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { id, code: error.status, error: error.message, debug: error.debug };
    }
  });
  return json(200, await Promise.all(results));
}

/** Of `params` nothing is checked here: what is wrong there is a failure of that entry alone. */
function isBulk(role: EndpointRole, body: unknown): body is BulkEntry[] {
  if (!Array.isArray(body)) return false;
  const entries = body.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'params' in entry ? { ...entry, params: {} } : entry,
  );
  const failure = validate('is-05', 'v1.1', `bulk-${role}-post-schema`, entries);
  if (failure) throw new Refusal(400, failure.text, failure.path);
  return true;
}
