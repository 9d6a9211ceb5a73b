import { Agent } from 'node:http';
import { connectionWords } from '../../../nmos/connection-words';
import { originOf } from '../../../nmos/controller/query-api';
import { ask } from '../../../nmos/node/http-client';
import { type NodeApiVersion, nodeApiVersions } from '../../../nmos/node/resources';
import { badInput, WhitelineError } from '../../../protocol/errors';
import type { NmosScaleParameters } from '../../../protocol/experiments/nmos-scale/declaration';
import { plainLine } from '../../../protocol/plain-text';
import { checkConnections, openFilesLimit } from '../../tools/open-files';

const answerMs = 5000;

/** A registry of others. */
export interface ForeignRegistry {
  origin: string;
  /** Of its Query API. */
  query: string;
  /** The latest of its Registration API that nodes of ours speak. */
  version: NodeApiVersion;
}

/** @throws WhitelineError BAD_INPUT for parameters that do not fit each other or this machine */
export function checkScale(parameters: NmosScaleParameters, most = openFilesLimit()): void {
  const { nodes, connections, registry, query, registryCount, kill, namespaces } = parameters;
  const { heartbeatSeconds, expirySeconds, start, crosspoints } = parameters;
  if (heartbeatSeconds >= expirySeconds)
    throw badInput(
      'expirySeconds',
      `more than ${heartbeatSeconds} s, the time between two heartbeats,`,
      `${expirySeconds} s`,
      `Use for example ${2 * heartbeatSeconds + 2} s, or heartbeats that follow each other faster`,
    );
  if (crosspoints > nodes) throw badInput('crosspoints', `at most ${nodes}, one for each node,`, crosspoints);
  if (crosspoints > 0 && nodes < 2)
    throw badInput(
      'nodes',
      'at least 2 with crosspoints, so that each way gives a receiver another sender,',
      nodes,
    );
  if (kill && registry !== undefined)
    throw badInput(
      'kill',
      'off beside a registry of others, which the run does not end',
      'on',
      'Leave out the kill, or leave out the registry: then two of our own are used (registry count: 2)',
    );
  if (kill && registryCount < 2)
    throw badInput('registryCount', '2 where one of them is to be ended (kill)', registryCount);
  if (connections === 'pool' && start === 'ramp')
    throw badInput('start', 'burst with a pool, whose nodes begin one after the other', start);
  if (registry === undefined) {
    if (query !== undefined)
      throw badInput('query', 'no Query API without a registry', query, 'Give --registry too');
  } else {
    if (registryCount > 1)
      throw badInput(
        'registryCount',
        '1 beside a registry of others',
        registryCount,
        'Leave out one of them',
      );
    if (namespaces)
      throw badInput(
        'namespaces',
        'off beside a registry of others, which runs where it is',
        'on',
        'Leave out the namespaces: nodes fall silent for a break then',
      );
  }
  if (connections === 'per-node') checkConnections(nodes, most, 'or share connections (connections: pool)');
}

/**
 * Asks a registry of others for its versions.
 * @throws WhitelineError BAD_INPUT naming the field, the URL and the remedy where it does not answer, or as none that can be used
 */
export async function findRegistry(url: string, queryUrl = url): Promise<ForeignRegistry> {
  const origin = httpOriginOf(url, 'registry');
  const query = httpOriginOf(queryUrl, 'query');
  const version = await latestOf(origin, 'registration', 'registry', nodeApiVersions);
  await latestOf(query, 'query', 'query', [version]);
  return { origin, query, version };
}

function httpOriginOf(text: string, field: string): string {
  const origin = originOf(text, field);
  if (origin.startsWith('http:')) return origin;
  throw badInput(
    field,
    'a URL that begins with http://, since simulated nodes do not speak HTTPS (BCP-003-01)',
    text,
    'Give the port at which the registry speaks HTTP, or a proxy of yours that does',
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
        'See that it runs, and that address and port are right',
      );
    })
    .finally(() => agent.destroy());
  const { status, body } = answer;
  if (status !== 200 || !Array.isArray(body))
    throw refused(
      field,
      origin,
      `answers ${status} to ${url}: it is no ${api === 'query' ? 'Query' : 'Registration'} API`,
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
    `speaks ${offered.join(', ') || 'no version'} of the ${api === 'query' ? 'Query' : 'Registration'} API, and ${needed} is needed`,
    `Let the registry serve IS-04 ${needed}`,
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
