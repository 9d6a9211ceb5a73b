import { type ServiceRecord, sameName } from './codec';
import { type ServiceType, serviceTypes } from './service-types';

/** What is wrong with an announcement, as data. */
export type ServiceFault =
  | { code: 'no-srv' }
  | { code: 'no-txt' }
  /** Nothing says at which address the host is, but perhaps one of IPv6 that only its link knows. */
  | { code: 'no-address'; host: string }
  | { code: 'port-zero' }
  /** A key that its specification demands. */
  | { code: 'missing-key'; key: string }
  | { code: 'bad-value'; key: string; value: string }
  /** Only the first of them counts, RFC 6763 section 6.4. */
  | { code: 'repeated-key'; key: string }
  /** Not in ascending order, or with blanks between them: a SHOULD of IS-04. */
  | { code: 'untidy-versions'; value: string };

/** What `api_proto`, `api_ver`, `api_auth` and `pri` say; null if they say nothing that can be read. */
export interface ApiFacts {
  protocol: 'http' | 'https' | null;
  versions: string[];
  requiresAuthorization: boolean | null;
  /** 0 first; from 100 on for development. */
  priority: number | null;
}

export interface DiscoveredService extends ApiFacts {
  type: ServiceType;
  instance: string;
  domain: string;
  host: string | null;
  port: number | null;
  /** IPv4 first. */
  addresses: string[];
  txt: Record<string, string>;
  faults: ServiceFault[];
}

/** Of a PTR record's target, the service's own name; null for a record of something else. */
export function instanceOf(target: string, type: ServiceType, domain: string): string | null {
  const ending = `.${type}.${domain}`.toLowerCase();
  const instance = target.toLowerCase().endsWith(ending) ? target.slice(0, -ending.length) : '';
  return instance === '' ? null : instance;
}

/** What records, in the order in which they were heard, say of one instance, and what is wrong with them. */
export function serviceOf(
  records: readonly ServiceRecord[],
  type: ServiceType,
  instance: string,
  domain: string,
): DiscoveredService {
  const name = `${instance}.${type}.${domain}`;
  const own = records.filter((record) => sameName(record.name, name));
  // A record that is about to be replaced may still be there: the last counts.
  const srv = own.filter((record) => record.type === 'SRV').at(-1);
  const host = srv?.target ?? null;
  const port = srv?.port ?? null;
  const addresses = host === null ? [] : addressesOf(records, host);
  const texts = own.filter((record) => record.type === 'TXT').at(-1)?.texts ?? null;
  const { txt, faults } = readTexts(texts ?? []);
  const api = apiFacts(txt);
  return {
    ...{ type, instance, domain, host, port, addresses, txt, ...api },
    faults: [
      ...(srv === undefined ? [{ code: 'no-srv' } as const] : []),
      ...(port === 0 ? [{ code: 'port-zero' } as const] : []),
      ...(host !== null && !addresses.some(isUsable) ? [{ code: 'no-address', host } as const] : []),
      ...(texts === null ? [{ code: 'no-txt' } as const] : [...faults, ...faultsOfKeys(type, txt, api)]),
    ],
  };
}

/** A link-local address of IPv6 is of no use without the interface that it belongs to. */
export function isUsable(address: string): boolean {
  return !/^fe80:/i.test(address);
}

function addressesOf(records: readonly ServiceRecord[], host: string): string[] {
  const ofType = (type: 'A' | 'AAAA'): string[] =>
    records.flatMap((record) =>
      record.type === type && sameName(record.name, host) ? [record.address] : [],
    );
  return [...new Set([...ofType('A'), ...ofType('AAAA')])];
}

/** Keys in lower case, the first of several counts; RFC 6763 section 6.4. */
function readTexts(texts: readonly string[]): { txt: Record<string, string>; faults: ServiceFault[] } {
  const txt = new Map<string, string>();
  const faults: ServiceFault[] = [];
  for (const text of texts) {
    const [, key = '', value = ''] = /^([^=]+)=?(.*)$/s.exec(text) ?? [];
    if (key === '') continue;
    const known = key.toLowerCase();
    if (txt.has(known)) faults.push({ code: 'repeated-key', key: known });
    else txt.set(known, value);
  }
  return { txt: Object.fromEntries(txt), faults };
}

const versionPattern = /^v\d{1,4}\.\d{1,4}$/;
const priorityPattern = /^\d{1,9}$/;

function apiFacts(txt: Record<string, string>): ApiFacts {
  const { api_proto: protocol, api_auth: authorization, pri } = txt;
  return {
    protocol: protocol === 'http' || protocol === 'https' ? protocol : null,
    versions: listed(txt.api_ver ?? '').filter((version) => versionPattern.test(version)),
    requiresAuthorization: authorization === 'true' ? true : authorization === 'false' ? false : null,
    priority: pri !== undefined && priorityPattern.test(pri) ? Number(pri) : null,
  };
}

function listed(versions: string): string[] {
  return versions.split(',').map((version) => version.trim());
}

function faultsOfKeys(type: ServiceType, txt: Record<string, string>, api: ApiFacts): ServiceFault[] {
  const checked: [key: string, isDemanded: boolean, isGood: boolean][] = [
    ['api_proto', true, api.protocol !== null],
    ['api_ver', true, listed(txt.api_ver ?? '').every((version) => versionPattern.test(version))],
    ['api_auth', demandsAuthorization(type, api.versions), api.requiresAuthorization !== null],
    ['pri', type !== serviceTypes.node, api.priority !== null],
  ];
  const faults = checked.flatMap(([key, isDemanded, isGood]): ServiceFault[] => {
    const value = txt[key];
    if (value === undefined) return isDemanded ? [{ code: 'missing-key', key }] : [];
    return isGood ? [] : [{ code: 'bad-value', key, value }];
  });
  const tidy = [...api.versions].sort(byVersion).join(',');
  const value = txt.api_ver;
  const isUntidy = value !== undefined && listed(value).length === api.versions.length && value !== tidy;
  return isUntidy ? [...faults, { code: 'untidy-versions', value }] : faults;
}

/** `api_auth` came with IS-04 v1.3; IS-09 v1.0 does not know it. */
function demandsAuthorization(type: ServiceType, versions: readonly string[]): boolean {
  return type !== serviceTypes.system && versions.some((version) => byVersion(version, 'v1.3') >= 0);
}

/** Ascending; both of the form `v1.3`. */
export function byVersion(one: string, other: string): number {
  const [oneMajor = 0, oneMinor = 0] = one.slice(1).split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.slice(1).split('.').map(Number);
  return oneMajor - otherMajor || oneMinor - otherMinor;
}
