import { json, Refusal, type Reply } from '../http/reply';
import type { Router } from '../http/router';
import type { NodeModel } from './model';
import { type NodeApiVersion, nodeApiVersions, type ResourceType, resourceTypes } from './resources';

const base = '/x-nmos/node';

/** Paths of the Node API, IS-04 v1.2 and v1.3 NodeAPI.raml. */
export function serveNodeApi(router: Router, model: NodeModel): void {
  router.list(base, nodeApiVersions);
  for (const version of nodeApiVersions) serveVersion(router, model, version);
}

function serveVersion(router: Router, model: NodeModel, version: NodeApiVersion): void {
  const root = `${base}/${version}`;
  const listed = resourceTypes.filter((type) => type !== 'node');
  router.list(root, ['self', ...['sources', 'flows', 'devices', 'senders', 'receivers']]);
  router.on('GET', `${root}/self`, () => show(model, 'node', model.node.id, version));
  for (const type of listed) {
    router.on('GET', `${root}/${type}s`, () => json(200, model.list(type, version)));
    router.on('GET', `${root}/${type}s/{id}`, ({ parameters }) =>
      show(model, type, parameters.id ?? '', version),
    );
  }
  // Deprecated; IS-05 is how receivers are connected (Behaviour: Nodes, Modifying Receiver Subscriptions).
  router.on('PUT', `${root}/receivers/{id}/target`, ({ parameters }) => {
    show(model, 'receiver', parameters.id ?? '', version);
    throw new Refusal(501, 'Use the Connection API (IS-05) to connect receivers');
  });
}

/** @throws Refusal 404, or 409 with the place of what only a newer version can show */
function show(model: NodeModel, type: ResourceType, id: string, version: NodeApiVersion): Reply {
  const shown = model.show(type, id, version);
  if (shown.is === 'there') return json(200, shown.resource);
  if (shown.is === 'absent') throw new Refusal(404, `There is no ${type} ${id}`);
  const Location = `${base}/v1.3/${type}s/${id}`;
  throw new Refusal(409, `This ${type} exists only from v1.3 on`, null, { Location });
}
