import { isIPv6 } from 'node:net';
import { byVersion, type DiscoveredService, isUsable } from './service';

export interface WantedApi {
  /** Versions that the caller speaks, in any order. */
  versions: readonly string[];
  protocol: 'http' | 'https';
  canAuthorize: boolean;
  /** Both included; from 100 on an API is for development and not for a live system, IS-04 `pri`. */
  priorities: { from: number; to: number };
}

export interface ApiChoice {
  service: DiscoveredService;
  /** The highest version that both speak. */
  version: string;
  /** With a slash neither of the API nor of its version: `http://192.0.2.7:8010`. */
  url: string;
}

export interface RejectedApi {
  service: DiscoveredService;
  reason: 'faulty' | 'protocol' | 'version' | 'authorization' | 'priority';
}

/**
 * What a client tries one after the other: by version (it comes before priority, IS-04 Upgrade Path), then by priority, then by
 * chance. An API announced twice, as of both types up to v1.2, is one. Further addresses of an API come after all that is announced:
 * what hangs at one hangs at the other, and the next API has to be reached before the node expires.
 * @param random 0 to below 1
 */
export function selectApis(
  services: readonly DiscoveredService[],
  wanted: WantedApi,
  random: () => number = Math.random,
): { choices: ApiChoice[]; rejected: RejectedApi[] } {
  const judged = services.map((service) => ({ service, ...judge(service, wanted), chance: random() }));
  const rejected = judged.flatMap(({ service, reason }) => (reason === null ? [] : [{ service, reason }]));
  const byUrl = new Map<string, ApiChoice & { rank: number; chance: number }>();
  for (const { service, urls, version, chance } of judged.filter(({ reason }) => reason === null))
    for (const [rank, url] of urls.entries()) {
      const known = byUrl.get(url);
      const isBetter = known === undefined || priorityOf(service) < priorityOf(known.service);
      if (isBetter) byUrl.set(url, { service, url, version, rank, chance });
    }
  const choices = [...byUrl.values()].sort(
    (one, other) =>
      byVersion(other.version, one.version) ||
      one.rank - other.rank ||
      priorityOf(one.service) - priorityOf(other.service) ||
      one.chance - other.chance,
  );
  return { choices: choices.map(({ service, url, version }) => ({ service, url, version })), rejected };
}

function priorityOf({ priority }: DiscoveredService): number {
  return priority ?? Number.POSITIVE_INFINITY;
}

function judge(
  service: DiscoveredService,
  wanted: WantedApi,
): { reason: RejectedApi['reason'] | null; urls: string[]; version: string } {
  const { port, protocol, versions, priority } = service;
  const urls = service.addresses
    .filter(isUsable)
    .map((address) => `${protocol}://${isIPv6(address) ? `[${address}]` : address}:${port}`);
  const common = versions.filter((version) => wanted.versions.includes(version)).sort(byVersion);
  const version = common.at(-1) ?? '';
  const reason = (): RejectedApi['reason'] | null => {
    if (urls.length === 0 || !port || priority === null) return 'faulty';
    if (protocol !== wanted.protocol) return 'protocol';
    if (version === '') return 'version';
    if (service.requiresAuthorization === true && !wanted.canAuthorize) return 'authorization';
    const { from, to } = wanted.priorities;
    return priority < from || priority > to ? 'priority' : null;
  };
  return { reason: reason(), urls, version };
}
