import { Agent } from 'node:http';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../protocol/clock';
import { connectionWords } from '../connection-words';
import { Browser } from '../discovery/browse';
import type { DnsProblem } from '../discovery/dns-problem';
import { isInNetwork, MulticastLink } from '../discovery/link';
import { selectApis } from '../discovery/select';
import type { DiscoveredService } from '../discovery/service';
import { serviceTypes } from '../discovery/service-types';
import { browseUnicast } from '../discovery/unicast';
import { type Answer, ask } from '../node/http-client';
import { heartbeatOf } from '../node/system-api';
import { servicesOf } from './diagnose';
import type { ApiName, CheckedApi, NmosFacts, SeenService, Way } from './facts';

export const apiServices = [
  serviceTypes.register,
  serviceTypes.registration,
  serviceTypes.query,
  serviceTypes.system,
];
const apiNames: readonly ApiName[] = ['registration', 'query', 'system'];
const dnsTimeoutMs = 3000;
const httpTimeoutMs = 3000;
const msPerSecond = 1000;

/**
 * Looks for registries and System APIs in each of these ways, and asks each that is found for its versions.
 * @param multicastPort of a closed circle of its own, for tests
 * @throws WhitelineError BAD_INPUT for an address of no interface
 */
export async function examine(
  ways: readonly Way[],
  clock: Clock,
  multicastPort?: number,
): Promise<NmosFacts> {
  const found = await Promise.all(ways.map((way) => look(way, clock, multicastPort)));
  const services = found.flatMap(({ seen }) => seen);
  const dnsProblem = found.map(({ problem }) => problem).find((problem) => problem !== null) ?? null;
  const agent = new Agent();
  const checked = apiNames.flatMap((name) => {
    const urls = servicesOf(services, name).flatMap(({ url }) => url ?? []);
    return [...new Set(urls)].map((url): Promise<CheckedApi> => checkApi(name, url, agent, clock));
  });
  const apis = await Promise.all(checked);
  agent.destroy();
  return { ways, dnsProblem, services, apis };
}

async function look(
  way: Way,
  clock: Clock,
  multicastPort: number | undefined,
): Promise<{ seen: SeenService[]; problem: DnsProblem | null }> {
  const seen = (services: readonly DiscoveredService[]): SeenService[] =>
    services.map((service) => {
      const url = urlOf(service);
      return { by: way.by, service, url, isNear: url !== null && service.addresses.some(isOfOurNetworks) };
    });
  if (way.by === 'unicast') {
    const { services, problem } = await browseUnicast(
      way.server,
      way.domain,
      apiServices,
      dnsTimeoutMs,
      clock,
    );
    return { seen: seen(services), problem };
  }
  const link = await MulticastLink.open({ hosts: way.hosts, port: multicastPort, clock });
  const browser = new Browser(link, apiServices, clock);
  await clock.sleep(way.seconds * msPerSecond);
  const services = browser.services();
  browser.close();
  await link.close();
  return { seen: seen(services), problem: null };
}

/** Where it is, whatever else it says: of several addresses the first in a network of this machine. */
export function urlOf(service: DiscoveredService): string | null {
  const allPriorities = { from: 0, to: Number.MAX_SAFE_INTEGER };
  // TXT records that are wrong prove nothing about where it is.
  const readable = { ...service, protocol: service.protocol ?? 'http', priority: 0, versions: ['any'] };
  const near = service.addresses.filter(isOfOurNetworks);
  const addresses = [...near, ...service.addresses.filter((address) => !near.includes(address))];
  const wanted = {
    versions: ['any'],
    protocol: 'http',
    canAuthorize: true,
    priorities: allPriorities,
  } as const;
  return selectApis([{ ...readable, addresses }], wanted).choices[0]?.url ?? null;
}

function isOfOurNetworks(address: string): boolean {
  return Object.values(networkInterfaces())
    .flatMap((entries = []) => entries)
    .some((own) => own.family === 'IPv4' && isIPv4(address) && isInNetwork(address, own));
}

/** Asks an API for its versions. */
export async function checkApi(name: ApiName, url: string, agent: Agent, clock: Clock): Promise<CheckedApi> {
  const root = `${url}/x-nmos/${name}/`;
  const sentMs = clock.wallMs();
  const answer = await ask({ method: 'GET', url: root, timeoutMs: httpTimeoutMs, agent }).catch(
    connectionWords,
  );
  if (typeof answer === 'string') return { name, url, answer: { is: 'silent', reason: answer } };
  const betweenMs = (sentMs + clock.wallMs()) / 2;
  const versions = versionsOf(answer);
  if (versions === null) return { name, url, answer: { is: 'wrong', status: answer.status } };
  const heartbeatSeconds = name === 'system' ? await heartbeatAt(`${root}v1.0/global`, agent) : null;
  return {
    name,
    url,
    answer: { is: 'there', versions, aheadSeconds: ahead(answer, betweenMs), heartbeatSeconds },
  };
}

/** A base resource lists what is below it, with slashes: `["v1.2/", "v1.3/"]`. */
function versionsOf({ status, body }: Answer): string[] | null {
  if (status !== 200 || !Array.isArray(body)) return null;
  return body.flatMap((entry: unknown) => (typeof entry === 'string' ? [entry.replace(/\/$/, '')] : []));
}

/**
 * By the middle of the second that it names.
 * @param betweenMs the middle of the request, by our clock
 */
function ahead({ date }: Answer, betweenMs: number): number | null {
  const theirsMs = Date.parse(date ?? '');
  if (Number.isNaN(theirsMs)) return null;
  return Math.round((theirsMs + msPerSecond / 2 - betweenMs) / msPerSecond);
}

async function heartbeatAt(url: string, agent: Agent): Promise<number | null> {
  const answer = await ask({ method: 'GET', url, timeoutMs: httpTimeoutMs, agent }).catch(() => null);
  return answer?.status === 200 ? heartbeatOf(answer.body) : null;
}
