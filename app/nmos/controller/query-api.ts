import { valueText, WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { registryOrigin } from '../registry-url';
import { type RestClient, statusText, wrongAnswer } from './rest-client';

/** A Query API of IS-04 that a controller can use. */
export interface QueryApi {
  /** For example http://192.0.2.7:8010. */
  origin: string;
  version: QueryVersion;
}

const queryVersions = ['v1.3', 'v1.2'] as const;
export type QueryVersion = (typeof queryVersions)[number];

/**
 * The newest version that the registry and we speak.
 * @param url of the registry, of HTTP or HTTPS, such as http://192.0.2.7:8010
 * @throws WhitelineError for what is no such URL, no answer, or one that is of no Query API of v1.2 or v1.3
 */
export async function findQueryApi(client: RestClient, url: string, field = 'registry'): Promise<QueryApi> {
  const origin = registryOrigin(url, field, { allowsHttps: true });
  const address = `${origin}/x-nmos/query/`;
  const answer = await client.ask({ method: 'GET', url: address });
  const { status, body } = answer;
  if (status !== 200) throw wrongAnswer(address, 'a list of versions', statusText(answer));
  if (!Array.isArray(body)) throw wrongAnswer(address, 'a list of versions', shown(answer.text));
  const offered = body
    .slice(0, mostVersions)
    .filter((entry) => typeof entry === 'string')
    .map((entry) => entry.replace(/\/$/, ''));
  const version = queryVersions.find((one) => offered.includes(one));
  if (version) return { origin, version };
  throw new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `The Query API ${origin} serves ${plainLine(offered.join(', ').slice(0, 200)) || 'no version'}, but Whiteline needs v1.3 or v1.2`,
    ...{ field, value: url, remedy: 'Enable IS-04 v1.3 at the registry, or use another registry' },
  });
}

const mostVersions = 100;

/** The beginning of an answer, as a sentence repeats it. */
export function shown(text: string): string {
  return text === '' ? 'nothing' : valueText(text.slice(0, 100));
}
