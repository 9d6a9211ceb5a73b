import { expect, test } from 'vitest';
import { fateOf } from './firewall';
import { windowsFirewall } from './windows-firewall';

const own = 'SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
const group = 'SOFTWARE\\Policies\\Microsoft\\WindowsFirewall';
const program = 'C:\\Program Files\\Whiteline\\Whiteline.exe';
const ofApp = 'App=%ProgramFiles%\\whiteline\\whiteline.exe|Name=Whiteline|';

/** The fates of a first packet to NDI's first sender by TCP, and to mDNS. */
function fatesBy(rules: readonly string[], settings: Record<string, string> = {}): string[] {
  const texts: Record<string, string> = {
    ...Object.fromEntries(
      ['DomainProfile', 'StandardProfile', 'PublicProfile'].map((name) => [
        `${own}\\${name}\\EnableFirewall`,
        '1',
      ]),
    ),
    ...settings,
  };
  const registry = {
    registryText: (key: string, name: string) => texts[`${key}\\${name}`] ?? null,
    registryTexts: (key: string) => (key === `${own}\\FirewallRules` ? [...rules] : []),
  };
  const firewall = windowsFirewall(registry, program, { ProgramFiles: 'C:\\Program Files' });
  return [fateOf(firewall, 'tcp', 5961), fateOf(firewall, 'udp', 5353)];
}

const allow = (rest: string): string => `v2.31|Action=Allow|Active=TRUE|Dir=In|${rest}`;
const block = (rest: string): string => `v2.31|Action=Block|Active=TRUE|Dir=In|${rest}`;
const dropped = ['dropped', 'dropped'];
const doubtful = ['perhaps dropped', 'perhaps dropped'];
const taken = ['taken', 'taken'];

test.each<[string, string[], string[]]>([
  ['no rule lets us in', [], dropped],
  ['a rule for our program', [allow(ofApp)], taken],
  [
    'one for each protocol, as Windows makes them when it asks',
    [allow(`Protocol=6|${ofApp}`), allow(`Protocol=17|${ofApp}`)],
    taken,
  ],
  ['one for TCP alone', [allow(`Protocol=6|${ofApp}`)], ['taken', 'dropped']],
  ['ports of any program', [allow('Protocol=6|LPort=5959|LPort2_10=5960-6100|')], ['taken', 'dropped']],
  ['of private networks alone', [allow(`Profile=Private|${ofApp}`)], doubtful],
  ['of all networks, by name', [allow(`Profile=Domain|Profile=Private|Profile=Public|${ofApp}`)], taken],
  ['of some addresses', [allow(`RA4=LocalSubnet|${ofApp}`)], doubtful],
  ['one that blocks goes before one that allows', [allow(ofApp), block(ofApp)], dropped],
  ['one that blocks on public networks', [allow(ofApp), block(`Profile=Public|${ofApp}`)], doubtful],
  [
    'rules of others: off, of packets that leave, of a service, of another program, of ports with names, of ICMP',
    [
      allow(ofApp).replace('Active=TRUE', 'Active=FALSE'),
      allow(ofApp).replace('Dir=In', 'Dir=Out'),
      allow('Protocol=17|LPort=5353|App=%SystemRoot%\\system32\\svchost.exe|Svc=dnscache|'),
      allow('App=C:\\Program Files\\Other\\other.exe|'),
      allow('Protocol=6|LPort=RPC|'),
      allow('Protocol=1|'),
    ],
    dropped,
  ],
])('%s', (_, rules, fates) => {
  expect(fatesBy(rules)).toEqual(fates);
});

test('it is off, or takes what no rule decides', () => {
  const all = ['DomainProfile', 'StandardProfile', 'PublicProfile'];
  const each = (name: string, value: string): Record<string, string> =>
    Object.fromEntries(all.map((profile) => [`${own}\\${profile}\\${name}`, value]));
  expect(fatesBy([block(ofApp)], each('EnableFirewall', '0'))).toEqual(taken);
  expect(fatesBy([], each('DefaultInboundAction', '0'))).toEqual(taken);
  expect(fatesBy([allow(ofApp)], each('DoNotAllowExceptions', '1'))).toEqual(dropped);
});

test('profiles that differ leave doubt, and an administrator’s setting goes before that of the machine', () => {
  expect(fatesBy([], { [`${own}\\PublicProfile\\EnableFirewall`]: '0' })).toEqual(doubtful);
  expect(fatesBy([], { [`${own}\\PublicProfile\\DefaultInboundAction`]: '0' })).toEqual(doubtful);
  expect(fatesBy([allow(ofApp)], { [`${own}\\PublicProfile\\DoNotAllowExceptions`]: '1' })).toEqual(doubtful);
  expect(fatesBy([], { [`${group}\\PublicProfile\\EnableFirewall`]: '0' })).toEqual(doubtful);
});

test('a registry without a firewall says so', () => {
  const registry = { registryText: () => null, registryTexts: () => [] };
  expect(() => windowsFirewall(registry)).toThrow('the registry has no settings of Windows’ firewall');
});
