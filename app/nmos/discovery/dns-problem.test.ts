import { expect, it } from 'vitest';
import { type DnsProblem, dnsProblemText } from './dns-problem';

const asked = '_nmos-register._tcp.studio.example.org';
const reach = 'Check its address, that the server runs, and that no firewall blocks its port';
const knows = 'Use a DNS server that serves this domain and answers this machine';

it.each<[DnsProblem, string, string]>([
  [{ code: 'silent', afterMs: 3000 }, 'did not answer within 3 s', reach],
  [
    { code: 'unreachable', reason: 'connection refused, nothing listens on that port' },
    'cannot be reached (connection refused, nothing listens on that port)',
    reach,
  ],
  [{ code: 'error-answer', rcode: 5 }, 'refused the query (REFUSED)', knows],
  [{ code: 'error-answer', rcode: 9 }, 'answered with DNS error 9', knows],
  [{ code: 'unreadable' }, 'sent an invalid answer', 'Check that a DNS server listens on that port'],
])('%j is a sentence with server, name and cause, and the remedy', (problem, cause, remedy) => {
  const server = { address: '192.0.2.53', port: 53 };
  expect(dnsProblemText(server, asked, problem)).toBe(
    `The DNS server 192.0.2.53:53 ${cause} when asked for ${asked}. ${remedy}`,
  );
});

it('an address of IPv6 is in brackets', () => {
  const server = { address: '2001:db8::53', port: 5353 };
  expect(dnsProblemText(server, asked, { code: 'unreadable' })).toMatch(
    /^The DNS server \[2001:db8::53\]:5353 /,
  );
});
