import { expect, test } from 'vitest';
import { fateOf, parseIptables, parseNft } from './firewall';

const chain = { family: 'inet', table: 't' };
const dport = (protocol: string, right: unknown) => ({
  match: { op: '==', left: { payload: { protocol, field: 'dport' } }, right },
});
const rule = (name: string, ...expr: unknown[]) => ({ rule: { ...chain, chain: name, handle: 1, expr } });
const ruleset = (policy: string, ...rules: unknown[]) =>
  JSON.stringify({
    nftables: [
      { metainfo: { version: '1.0.6' } },
      { table: { family: 'inet', name: 't' } },
      { chain: { ...chain, name: 'in', type: 'filter', hook: 'input', prio: 0, policy } },
      { chain: { ...chain, name: 'ours' } },
      ...rules,
    ],
  });
const accept = { accept: null };
const drop = { drop: null };
const state = { match: { op: 'in', left: { ct: { key: 'state' } }, right: 'established' } };

test('no rules at all take everything', () => {
  const firewall = parseNft('{"nftables": [{"metainfo": {"version": "1.0.6"}}]}');
  expect(fateOf(firewall, 'tcp', 5961)).toBe('taken');
});

test('rules that only count, as our own of UDP, take everything', () => {
  const counted = { counter: 'received_ipv4' };
  const firewall = parseNft(ruleset('accept', rule('in', dport('udp', '@ports'), counted)));
  expect(fateOf(firewall, 'udp', 5961)).toBe('taken');
  expect(firewall.markingRules).toBe(0);
});

test('ports as a number, a range and a set are read', () => {
  const firewall = parseNft(
    ruleset(
      'accept',
      rule('in', dport('tcp', 5961), drop),
      rule('in', dport('udp', { range: [6000, 6010] }), { counter: { packets: 1 } }, { reject: null }),
      rule('in', dport('tcp', { set: [80, { range: [5970, 5979] }] }), drop),
    ),
  );
  const fates = [5960, 5961, 5970, 5979, 5980].map((port) => fateOf(firewall, 'tcp', port));
  expect(fates).toEqual(['taken', 'dropped', 'dropped', 'dropped', 'taken']);
  expect([6000, 6011].map((port) => fateOf(firewall, 'udp', port))).toEqual(['dropped', 'taken']);
});

test('a policy of drop leaves what is let in; replies alone do not let anybody in', () => {
  const firewall = parseNft(
    ruleset('drop', rule('in', state, accept), rule('in', dport('tcp', { range: [5960, 5970] }), accept)),
  );
  expect([5961, 5971].map((port) => fateOf(firewall, 'tcp', port))).toEqual(['taken', 'dropped']);
});

test('a chain that a rule goes to is read with what that rule asks', () => {
  const firewall = parseNft(
    ruleset('accept', rule('in', dport('tcp', 5961), { jump: { target: 'ours' } }), rule('ours', drop)),
  );
  expect([5961, 5962].map((port) => fateOf(firewall, 'tcp', port))).toEqual(['dropped', 'taken']);
});

test('a rule for some packets alone leaves doubt', () => {
  const some = {
    match: { op: '==', left: { payload: { protocol: 'ip', field: 'saddr' } }, right: '10.0.0.1' },
  };
  const firewall = parseNft(ruleset('accept', rule('in', some, dport('tcp', 5961), drop)));
  expect(fateOf(firewall, 'tcp', 5961)).toBe('perhaps dropped');
  const limited = { limit: { rate: 10, per: 'second' } };
  const rationed = parseNft(ruleset('drop', rule('in', dport('tcp', 5961), limited, accept)));
  expect(fateOf(rationed, 'tcp', 5961)).toBe('perhaps dropped');
});

test('rules that set the mark are counted', () => {
  const mark = { mangle: { key: { payload: { protocol: 'ip', field: 'dscp' } }, value: 'ef' } };
  expect(parseNft(ruleset('accept', rule('in', mark), rule('in', accept))).markingRules).toBe(1);
});

test('what nft does not write is refused', () => {
  expect(() => parseNft('Operation not permitted')).toThrow(
    /nft wrote no JSON but "Operation not permitted"/,
  );
  expect(() => parseNft('{"nftables": 3}')).toThrow(/do not understand/);
});

test('rules of iptables are read too', () => {
  const firewall = parseIptables(`-P INPUT DROP
-P FORWARD ACCEPT
-N ours
-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT
-A INPUT -p tcp -m tcp --dport 5960:5970 -j ACCEPT
-A INPUT -p tcp -m multiport --dports 80,443 -j ACCEPT
-A INPUT -s 10.0.0.1/32 -p udp -m udp --dport 5353 -j ACCEPT
-A ours -j DSCP --set-dscp 0x2e
`);
  expect([443, 5961, 5971].map((port) => fateOf(firewall, 'tcp', port))).toEqual([
    ...['taken', 'taken', 'dropped'],
  ]);
  expect(fateOf(firewall, 'udp', 5353)).toBe('perhaps dropped');
  expect(firewall.markingRules).toBe(1);
  const open = parseIptables('-P INPUT ACCEPT\n-A INPUT -p tcp -m tcp --dport 5961 -j DROP\n');
  expect([5961, 5962].map((port) => fateOf(open, 'tcp', port))).toEqual(['dropped', 'taken']);
});
