import { expect, test } from 'vitest';
import { type Firewall, type FirewallRule, fateOf } from '../../../engine/machine/firewall';
import { foundOf } from '../found-reasons';
import type { Line } from '../line';
import { worded } from '../worded-line.fixture';
import { type ClockMessages, judgeClockTraffic, ptpVersion } from './clock-traffic';
import { judgeDiscovery } from './discovery';
import { judgeServers } from './discovery-server';
import { judgeMarks } from './dscp';
import { judgeFirewall } from './firewall-rules';
import { judgeListed, sourcesOf } from './listed-sources';
import { judgeGroups, parseIgmp } from './multicast-groups';
import { judgePorts } from './ndi-port';
import { judgeInterfaces } from './several-interfaces';

const state = ({ state: of }: Line): Line['state'] => of;

test('messages of PTP are known by their version, and nothing else is taken for one', () => {
  const version1 = Buffer.alloc(124);
  version1.writeUInt16BE(1, 0);
  const version2 = Buffer.alloc(44);
  version2[1] = 0x12;
  expect([version1, version2].map(ptpVersion)).toEqual([1, 2]);
  expect(
    [Buffer.alloc(0), Buffer.from([0, 1]), Buffer.alloc(200), version2.subarray(0, 33)].map(ptpVersion),
  ).toEqual([null, null, null, null]);
});

test('clocks that were heard are warned of, with who sends', () => {
  const messages: ClockMessages = { version1: 0, version2: 0, senders: [], seconds: 3 };
  expect(state(judgeClockTraffic(messages))).toBe('ok');
  const dante = worded(judgeClockTraffic({ ...messages, version1: 4, senders: ['10.0.0.9'] }));
  expect(dante).toMatchObject({ state: 'warning', found: expect.stringMatching(/Dante .+ 10\.0\.0\.9/) });
  expect(worded(judgeClockTraffic({ ...messages, version2: 1 })).found).toContain('AES67');
});

const igmp = `Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter
1\tlo        :     1      V3
\t\t\t\t010000E0     1 0:00000000\t\t0
4\teth0      :     2      V2
\t\t\t\tFB0000E0     1 0:00000000\t\t0
\t\t\t\t010000E0     1 0:00000000\t\t0
`;

test('groups of an interface are read from the kernel', () => {
  expect(parseIgmp(igmp, 'eth0')).toEqual({ groups: ['224.0.0.251', '224.0.0.1'], version: 2 });
  expect(parseIgmp(igmp, 'lo')).toEqual({ groups: ['224.0.0.1'], version: 3 });
  expect(parseIgmp(igmp, 'eth1')).toBeNull();
});

test.each([
  [{ version: 3, isMulticastSet: false }, 'ok'],
  [{ version: 3, isMulticastSet: true }, 'unknown'],
  [{ version: 2, isMulticastSet: true }, 'ok'],
  [{ version: 1, isMulticastSet: false }, 'warning'],
])('groups with %j are %s', (facts, expected) => {
  expect(state(judgeGroups({ name: 'x0', groups: ['224.0.0.1'], ...facts }))).toBe(expected);
});

test('a queue that shapes is warned of; what marks do elsewhere is never known', () => {
  const facts = { name: 'x0', queues: ['noqueue'], markingRules: 0 };
  expect(worded(judgeMarks(facts))).toMatchObject({
    state: 'unknown',
    found: expect.stringMatching(/^no rule here/),
  });
  expect(worded(judgeMarks({ ...facts, markingRules: 2 })).found).toMatch(/^2 rules here set/);
  expect(worded(judgeMarks({ ...facts, markingRules: null })).found).toMatch(/cannot be read/);
  expect(worded(judgeMarks({ ...facts, queues: ['tbf'] }))).toMatchObject({
    ...{ state: 'warning', command: 'tc qdisc del dev x0 root' },
  });
});

const rule = (over: Partial<FirewallRule>): FirewallRule => ({
  ...{ protocol: 'tcp', ports: [[5961, 5961]], isNarrowed: false, takes: false },
  ...over,
});
const firewall = (dropsTheRest: boolean, ...rules: FirewallRule[]): Firewall => ({
  ...{ chains: [{ rules, dropsTheRest }], markingRules: 0 },
});
const everything = rule({ protocol: null, ports: null, takes: true });

test.each<[string, Firewall, Line['state'], RegExp]>([
  ['no rule', firewall(false), 'ok', /no rule of this machine drops/],
  ['a rule for a port of NDI', firewall(false, rule({})), 'problem', /drop 5961\/tcp/],
  ['one for a port of somebody else', firewall(false, rule({ ports: [[80, 443]] })), 'ok', /none of this/],
  ['one that takes all before', firewall(false, everything, rule({})), 'ok', /none/],
  ['one for certain senders alone', firewall(false, rule({ isNarrowed: true })), 'warning', /may drop 5961/],
  ['a policy that drops', firewall(true), 'problem', /drop 5353\/udp \(discovery\), 5960\/tcp/],
  ['a policy that drops after all was taken', firewall(true, everything), 'ok', /none/],
  [
    'a policy that drops, and ports that are let in for some',
    firewall(true, rule({ ports: [[1, 65_535]], protocol: null, takes: true, isNarrowed: true })),
    'warning',
    /may drop/,
  ],
  [
    'replies that are let in say nothing',
    firewall(true, { ...everything, isNarrowed: true }),
    'problem',
    /drop/,
  ],
])('a firewall with %s', (_, facts, expected, found) => {
  const line = worded(judgeFirewall(facts));
  expect({ state: line.state, found: line.found }).toEqual({
    ...{ state: expected, found: expect.stringMatching(found) },
  });
});

test('what to do about a firewall', () => {
  expect(worded(judgeFirewall(firewall(true)))).toMatchObject({
    advice: 'Let NDI’s ports in',
    command: expect.stringMatching(
      /^ufw allow 5353\/udp; ufw allow 5959:6100\/tcp; ufw allow 5960:6100\/udp /,
    ),
  });
  expect(worded(judgeFirewall(firewall(false, rule({ isNarrowed: true }))))).toMatchObject({
    advice: expect.stringMatching(/check whether they apply to the other machines$/),
    command: 'nft list ruleset',
  });
});

test('what one chain takes another may still drop', () => {
  const { chains } = firewall(false, rule({}));
  const open = firewall(false, everything);
  const both = { ...open, chains: [...open.chains, ...chains] };
  expect([fateOf(open, 'tcp', 5961), fateOf(both, 'tcp', 5961)]).toEqual(['taken', 'dropped']);
});

test('a later rule does not undo an earlier one', () => {
  const facts = firewall(false, rule({ takes: true }), rule({}));
  expect([fateOf(facts, 'tcp', 5961), fateOf(facts, 'udp', 5961)]).toEqual(['taken', 'taken']);
});

test('ports of the other host', () => {
  const judge = (...states: Parameters<typeof judgePorts>[0]['ports'][number]['state'][]) =>
    worded(judgePorts({ host: 'h', ports: states.map((of, index) => ({ port: 5960 + index, state: of })) }));
  expect(judge('refused', 'open')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/5961; nothing listens on 5960/),
  });
  expect(judge('refused', 'refused')).toMatchObject({
    state: 'unknown',
    found: expect.stringMatching(/no sender/),
  });
  expect(judge('open', 'silent')).toMatchObject({
    state: 'problem',
    found: expect.stringMatching(/does not answer on 5961/),
  });
  expect(judge('unreachable', 'unreachable')).toMatchObject({ state: 'problem', command: 'ip route get h' });
});

const daemon = { isLooked: true, isRunning: true, busAnswers: true, answeredBy: ['10.0.0.1'] };

test.each([
  [{}, 'ok'],
  [{ isLooked: false }, 'unknown'],
  [{ isRunning: false }, 'warning'],
  [{ busAnswers: false }, 'warning'],
  [{ answeredBy: [] }, 'warning'],
  [{ answeredBy: foundOf('address-absent', { name: 'x0' }) }, 'unknown'],
])('discovery with %j is %s', (facts, expected) => {
  expect(state(judgeDiscovery({ ...daemon, ...facts }))).toBe(expected);
});

test('a daemon that runs and cannot be asked is unknown, with the reason', () => {
  const answeredBy = foundOf('address-absent', { name: 'x0' });
  expect(worded(judgeDiscovery({ ...daemon, answeredBy })).found).toBe(
    'avahi-daemon runs; x0 has no IPv4 address',
  );
});

test('sources are put together from the records of several answers; a stale one is named', () => {
  const full = 'HOST (one\\.two)._ndi._tcp.local';
  const found = sourcesOf([
    { name: '_NDI._tcp.local', type: 'ptr', target: full },
    { name: '_ndi._tcp.local', type: 'ptr', target: 'lost._ndi._tcp.local' },
    { name: '_http._tcp.local', type: 'ptr', target: 'printer._http._tcp.local' },
    { name: full, type: 'srv', target: 'host.local', port: 5961 },
    { name: 'HOST.local', type: 'a', address: '10.0.0.7' },
  ]);
  expect(found).toEqual([
    { name: 'HOST (one.two)', address: '10.0.0.7', port: 5961 },
    { name: 'lost', address: null, port: null },
  ]);
  const [one, lost] = found;
  if (!one || !lost) throw new Error('two were found');
  expect(state(judgeListed([]))).toBe('ok');
  expect(state(judgeListed([{ ...one, state: 'open' }]))).toBe('ok');
  expect(
    worded(
      judgeListed([
        { ...one, state: 'silent' },
        { ...lost, state: null },
      ]),
    ),
  ).toMatchObject({
    state: 'warning',
    found:
      '2 NDI sources are listed, and nothing answers at HOST (one.two) (10.0.0.7:5961, silent), lost (no address)',
  });
});

test('several interfaces: one is right, two are doubtful, two in one network are wrong', () => {
  const first = { interface: 'x0', address: '10.0.0.1', mask: '255.255.255.0' };
  const second = { interface: 'x1', address: '10.0.1.1', mask: '255.255.255.0' };
  const twin = { interface: 'x1', address: '10.0.0.2', mask: '255.255.255.0' };
  const judge = (addresses: (typeof first)[], allowed: string[] = []) =>
    judgeInterfaces({ addresses, allowed });
  expect(state(judge([]))).toBe('warning');
  expect(state(judge([first]))).toBe('ok');
  expect(state(judge([first, { ...first, address: '10.0.0.3' }]))).toBe('ok');
  expect(worded(judge([first, second]))).toMatchObject({
    state: 'warning',
    found: expect.stringMatching(/x0 .+ x1/),
  });
  expect(state(judge([first, second], ['10.0.0.1']))).toBe('ok');
  expect(worded(judge([first, twin]))).toMatchObject({
    state: 'problem',
    command: 'ip link set dev x1 down',
  });
});

test('a discovery server that does not answer is a problem, since NDI then looks nowhere else', () => {
  const server = { host: 'h', port: 5959 } as const;
  expect(state(judgeServers({ path: 'p', servers: [] }))).toBe('ok');
  expect(state(judgeServers({ path: 'p', servers: [{ ...server, state: 'open' }] }))).toBe('ok');
  expect(worded(judgeServers({ path: 'p', servers: [{ ...server, state: 'refused' }] }))).toMatchObject({
    ...{ state: 'problem', found: 'a discovery server does not answer: h:5959 (refused)' },
  });
});
