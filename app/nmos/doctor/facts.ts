import type { DnsProblem, DnsServer } from '../discovery/dns-problem';
import type { DiscoveredService } from '../discovery/service';

/** How services are looked for. */
export type Way =
  | { by: 'multicast'; hosts: readonly string[]; seconds: number }
  | { by: 'unicast'; server: DnsServer; domain: string };

export interface SeenService {
  by: Way['by'];
  service: DiscoveredService;
  /** `http://192.0.2.7:8010`; null: its records do not say where it is, or not by HTTP. */
  url: string | null;
  /** Its address belongs to a network of an interface of this machine. */
  isNear: boolean;
}

export type ApiName = 'registration' | 'query' | 'system';

/** What an API answered when it was asked for its versions. */
export type ApiAnswer =
  | { is: 'silent'; reason: string }
  | { is: 'wrong'; status: number }
  | {
      is: 'there';
      versions: string[];
      /** Its clock less ours, by the header Date, to about a second; null: it sent none. */
      aheadSeconds: number | null;
      /** Of the System API; null: of another, or it is not as its schema has it. */
      heartbeatSeconds: number | null;
    };

export interface CheckedApi {
  name: ApiName;
  url: string;
  answer: ApiAnswer;
}

/** What was seen of a network of NMOS, before it is judged. */
export interface NmosFacts {
  ways: readonly Way[];
  dnsProblem: DnsProblem | null;
  services: readonly SeenService[];
  /** Each API once, at each place where it is announced. */
  apis: readonly CheckedApi[];
}
