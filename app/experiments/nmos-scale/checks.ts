import { lookup } from 'node:dns/promises';
import { Agent } from 'node:http';
import { refuseNamesake } from '../../engine/machines/namesake';
import { checkConnections } from '../../engine/tools/open-files';
import { connectionWords } from '../../nmos/connection-words';
import { isLoopback } from '../../nmos/interfaces';
import { numbersOf } from '../../nmos/load/load';
import { ask } from '../../nmos/node/http-client';
import { type NodeApiVersion, nodeApiVersions } from '../../nmos/node/resources';
import { registryOrigin } from '../../nmos/registry-url';
import { throwAll } from '../../protocol/all-wrong';
import { badInput, WhitelineError } from '../../protocol/errors';
import { openFilesLimit } from '../../protocol/open-files-limit';
import { plainLine } from '../../protocol/plain-text';
import type { NmosScaleParameters } from './declaration';
import { isElsewhere, nodeMachines } from './scale-machines';

const answerMs = 5000;

/** A registry that the run does not start or end. */
export interface ForeignRegistry {
  origin: string;
  /** Of its Query API. */
  query: string;
  /** The latest of its Registration API that nodes of ours speak. */
  version: NodeApiVersion;
}

/** @throws WhitelineError BAD_INPUT for parameters that do not fit each other or this machine */
export function checkScale(parameters: NmosScaleParameters, most = openFilesLimit()): void {
  const { nodes, connections, registry, query, registryCount, kill, inNamespaces } = parameters;
  const { heartbeatSeconds, expirySeconds, startMode, crosspoints } = parameters;
  const wrong = wrongPlaces(parameters);
  if (heartbeatSeconds >= expirySeconds)
    wrong.push(
      badInput(
        'expirySeconds',
        `more than ${heartbeatSeconds} s, the time between two heartbeats,`,
        `${expirySeconds} s`,
        `Use for example ${2 * heartbeatSeconds + 2} s, or a shorter heartbeat interval`,
      ),
    );
  if (crosspoints > nodes)
    wrong.push(badInput('crosspoints', `at most ${nodes}, one for each node,`, crosspoints));
  if (crosspoints > 0 && nodes < 2)
    wrong.push(
      badInput('nodes', 'at least 2 with crosspoints, so that each receiver can change its sender,', nodes),
    );
  if (kill && registry !== undefined)
    wrong.push(
      badInput(
        'kill',
        'off with an external registry, which the run does not end,',
        'on',
        'Leave out the kill; or leave out the registry and use two own registries (registry count: 2)',
      ),
    );
  if (kill && nodes < 2)
    wrong.push(badInput('nodes', 'at least 2 with kill, so that the registry that ends has one,', nodes));
  if (kill && registry === undefined && registryCount < 2)
    wrong.push(badInput('registryCount', '2 with kill, which ends one of them,', registryCount));
  if (connections === 'pool' && startMode === 'ramp')
    wrong.push(badInput('startMode', 'burst with a pool, whose nodes start one after the other,', startMode));
  if (registry === undefined) {
    if (query !== undefined)
      wrong.push(badInput('query', 'no Query API without a registry', query, 'Give --registry too'));
  } else {
    if (registryCount > 1)
      wrong.push(
        badInput(
          'registryCount',
          '1 with an external registry',
          registryCount,
          'Leave out the registry count or the registry',
        ),
      );
    if (inNamespaces)
      wrong.push(
        badInput(
          'inNamespaces',
          'off with an external registry, which runs outside of them,',
          'on',
          'Leave out the namespaces: nodes then stop sending during a break',
        ),
      );
  }
  throwAll(wrong);
  // A registry here has the connections of all nodes.
  const here = registry === undefined ? nodes : nodesHere(parameters);
  if (connections === 'per-node') checkConnections(here, most, 'or share connections (connections: pool)');
}

/** Errors of settings for nodes on other machines. */
function wrongPlaces(parameters: NmosScaleParameters): WhitelineError[] {
  const names = nodeMachines(parameters);
  const { nodes, connections, poolSize, inNamespaces, crosspoints } = parameters;
  refuseNamesake('on', names);
  const wrong: WhitelineError[] = [];
  const fewer = 'Name fewer machines, or use more';
  if (nodes < names.length)
    wrong.push(badInput('nodes', `at least ${names.length}, one for each machine,`, nodes, fewer));
  if (connections === 'pool' && poolSize < names.length)
    wrong.push(badInput('poolSize', `at least ${names.length}, one for each machine,`, poolSize, fewer));
  if (!isElsewhere(parameters)) return wrong;
  if (inNamespaces)
    wrong.push(
      badInput(
        'inNamespaces',
        'off with nodes on other machines, whose links the run does not cut,',
        'on',
        'Leave out the namespaces: nodes then stop sending during a break',
      ),
    );
  if (crosspoints > 0)
    wrong.push(
      badInput(
        'crosspoints',
        '0 with nodes on other machines, since a controller changes receivers at one Connection API on this machine,',
        crosspoints,
        'Leave out the crosspoints, or the machines',
      ),
    );
  return wrong;
}

function nodesHere(parameters: NmosScaleParameters): number {
  const names = nodeMachines(parameters);
  const first = names.indexOf(undefined);
  return first < 0 ? 0 : numbersOf(parameters.nodes, { first, every: names.length }).length;
}

/**
 * A registry that is external, and has to be reached from other machines.
 * @throws WhitelineError BAD_INPUT for an address that means each machine itself
 */
export async function refuseLoopback(origin: string, parameters: NmosScaleParameters): Promise<void> {
  if (!isElsewhere(parameters)) return;
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const itself = found.find(({ address }) => isLoopback(address) || ['0.0.0.0', '::'].includes(address));
  if (!itself) return;
  throw badInput(
    'registry',
    'an address that other machines reach',
    `${origin}, which is each machine itself (${itself.address})`,
    'Give the address of its network card, for example http://192.0.2.7:8010',
  );
}

/**
 * Asks an external registry for its versions.
 * @throws WhitelineError BAD_INPUT naming the field, the URL and the remedy for a registry that does not answer, or that the run cannot use
 */
export async function findRegistry(url: string, queryUrl = url): Promise<ForeignRegistry> {
  const origin = httpOriginOf(url, 'registry');
  const query = httpOriginOf(queryUrl, 'query');
  const version = await latestOf(origin, 'registration', 'registry', nodeApiVersions);
  await latestOf(query, 'query', 'query', [version]);
  return { origin, query, version };
}

function httpOriginOf(text: string, field: string): string {
  const origin = registryOrigin(text, field, { allowsHttps: true });
  if (origin.startsWith('http:')) return origin;
  throw badInput(
    field,
    'a URL that begins with http://, because simulated nodes do not support HTTPS (BCP-003-01),',
    text,
    'Give the HTTP port of the registry, or of an HTTP proxy before it',
  );
}

async function latestOf(
  origin: string,
  api: 'registration' | 'query',
  field: string,
  wanted: readonly NodeApiVersion[],
): Promise<NodeApiVersion> {
  const url = `${origin}/x-nmos/${api}/`;
  const agent = new Agent();
  const answer = await ask({ method: 'GET', url, timeoutMs: answerMs, agent })
    .catch((error: unknown) => {
      throw refused(
        field,
        origin,
        `does not answer: ${connectionWords(error)}`,
        'Check that the registry runs, and that address and port are correct',
      );
    })
    .finally(() => agent.destroy());
  const { status, body } = answer;
  if (status !== 200 || !Array.isArray(body))
    throw refused(
      field,
      origin,
      `answers ${status} to ${url}: this is not a ${api === 'query' ? 'Query' : 'Registration'} API`,
      api === 'query' ? 'Give the URL of its Query API (query)' : 'Give the URL of its Registration API',
    );
  const offered = body
    .slice(0, 20)
    .filter((entry) => typeof entry === 'string')
    .map((entry) => plainLine(entry.slice(0, 20).replace(/\/$/, '')));
  const version = [...wanted]
    .sort()
    .reverse()
    .find((known) => offered.includes(known));
  if (version !== undefined) return version;
  const needed = wanted.join(' or ');
  throw refused(
    field,
    origin,
    `serves ${offered.join(', ') || 'no version'} of the ${api === 'query' ? 'Query' : 'Registration'} API, but the run needs ${needed}`,
    `Enable IS-04 ${needed} at the registry, or use another registry`,
  );
}

function refused(field: string, value: string, what: string, remedy: string): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: `The registry ${value} ${what}`,
    field,
    value,
    remedy,
  });
}
