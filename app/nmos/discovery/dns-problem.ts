import { isIPv6 } from 'node:net';

export interface DnsServer {
  /** IPv4 or IPv6. */
  address: string;
  port: number;
}

/** Why a server gave no answer, as data. */
export type DnsProblem =
  | { code: 'silent'; afterMs: number }
  | { code: 'unreachable'; reason: string }
  /** RFC 1035 section 4.1.1: 2 server failure, 5 refused … */
  | { code: 'error-answer'; rcode: number }
  | { code: 'unreadable' };

/** A sentence with the server, what it was asked for and why it gave no answer, and one with the remedy. */
export function dnsProblemText(server: DnsServer, asked: string, problem: DnsProblem): string {
  const { text, remedy } = dnsProblemWords(server, asked, problem);
  return `${text}. ${remedy}`;
}

/** The same, apart and without full stops. */
export function dnsProblemWords(
  { address, port }: DnsServer,
  asked: string,
  problem: DnsProblem,
): { text: string; remedy: string } {
  const { what, remedy } = wordsOf(problem);
  const server = `The DNS server ${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return { text: `${server} ${what} when asked for ${asked}`, remedy };
}

const reachRemedy = 'Check its address, that the server runs, and that no firewall blocks its port';

/** RFC 1035 section 4.1.1. */
const errorAnswers = new Map([
  [1, 'could not read the query (FORMERR)'],
  [2, 'failed (SERVFAIL)'],
  [4, 'does not support such queries (NOTIMP)'],
  [5, 'refused the query (REFUSED)'],
]);

function wordsOf(problem: DnsProblem): { what: string; remedy: string } {
  switch (problem.code) {
    case 'silent':
      return { what: `did not answer within ${problem.afterMs / 1000} s`, remedy: reachRemedy };
    case 'unreachable':
      return { what: `cannot be reached (${problem.reason})`, remedy: reachRemedy };
    case 'error-answer':
      return {
        what: errorAnswers.get(problem.rcode) ?? `answered with DNS error ${problem.rcode}`,
        remedy: 'Use a DNS server that serves this domain and answers this machine',
      };
    case 'unreadable':
      return {
        what: 'sent an invalid answer',
        remedy: 'Check that a DNS server listens on that port',
      };
  }
}
