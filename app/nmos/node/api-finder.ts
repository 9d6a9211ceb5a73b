import type { Clock } from '../../protocol/clock';
import { Browser } from '../discovery/browse';
import { type DnsServer, dnsProblemText } from '../discovery/dns-problem';
import type { MulticastLink } from '../discovery/link';
import { selectApis } from '../discovery/select';
import type { DiscoveredService } from '../discovery/service';
import type { ServiceType } from '../discovery/service-types';
import { browseUnicast } from '../discovery/unicast';
import { registryOrigin } from '../registry-url';

/** An API that may be used, best first. */
export interface FoundApi {
  url: string;
  version: string;
}

/** Where APIs of one kind are. */
export interface ApiFinder {
  /** Best first. */
  find(): FoundApi[];
  /** Called when there may be others. */
  onChange(listener: () => void): () => void;
  /** One that did not answer. */
  doubt(api: FoundApi): void;
  close(): void;
}

export interface Sought {
  types: readonly ServiceType[];
  versions: readonly string[];
  /** 0 to 99 for a live system. */
  priorities: { from: number; to: number };
}

const usualPriorities = { from: 0, to: 99 };

export function sought(
  types: readonly ServiceType[],
  versions: readonly string[],
  priorities = usualPriorities,
): Sought {
  return { types, versions, priorities };
}

/**
 * APIs whose addresses are known.
 * @param urls such as http://192.0.2.7:8010; tried in their order
 * @throws WhitelineError BAD_INPUT for one that is no URL of HTTP
 */
export function fixedApis(urls: readonly string[], version: string, field: string): ApiFinder {
  const apis = urls.map((url) => ({ url: registryOrigin(url, field), version }));
  return { find: () => apis, onChange: () => () => {}, doubt: () => {}, close: () => {} };
}

function chosen(services: readonly DiscoveredService[], { versions, priorities }: Sought): FoundApi[] {
  const wanted = { versions, priorities, protocol: 'http', canAuthorize: false } as const;
  return selectApis(services, wanted).choices.map(({ url, version }) => ({ url, version }));
}

/** APIs announced by multicast DNS, for as long as they are. */
export function multicastApis(link: MulticastLink, wanted: Sought, clock: Clock): ApiFinder {
  const browser = new Browser(link, wanted.types, clock);
  return {
    find: () => chosen(browser.services(), wanted),
    onChange: (listener) => browser.onChange(() => listener()),
    doubt: ({ url }) => {
      for (const service of browser.services())
        if (chosen([service], wanted).some((one) => one.url === url)) browser.doubt(service);
    },
    close: () => browser.close(),
  };
}

const dnsTimeoutMs = 3000;
/** Records of DNS servers live for minutes; a registry that is new is found within this. */
const dnsIntervalMs = 30_000;

/** APIs that a DNS server knows of a domain, asked again every 30 s. */
export function unicastApis(
  server: DnsServer,
  domain: string,
  wanted: Sought,
  clock: Clock,
  log: (line: string) => void,
): ApiFinder {
  const listeners = new Set<() => void>();
  let found: FoundApi[] = [];
  let said = '';
  let stop = (): void => {};
  let isClosed = false;
  const look = async (): Promise<void> => {
    const { services, problem } = await browseUnicast(server, domain, wanted.types, dnsTimeoutMs, clock);
    if (isClosed) return;
    const text = problem === null ? '' : dnsProblemText(server, `${wanted.types[0]}.${domain}`, problem);
    if (text !== '' && text !== said) log(text);
    said = text;
    // Entries live on while the server is away.
    if (problem === null) found = chosen(services, wanted);
    for (const listener of listeners) listener();
    stop = clock.after(dnsIntervalMs, () => void look());
  };
  void look();
  return {
    find: () => found,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    doubt: () => {},
    close: () => {
      isClosed = true;
      stop();
    },
  };
}
