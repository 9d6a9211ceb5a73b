import type { Of } from '../../facts/alike-facts';
import { entriesOf, type FoundWords, listText, type OfInterface } from './shared-reasons';

type GroupData = { name: string; groups: string; version: number };

/** What the preflight finds of the way through the network, in words. */
export const wayReasons = {
  'groups-not-needed': (of: Of<GroupData>) => ({
    found: `${groupsText(of)}; ${querierText(of)}; NDI is not set to multicast and needs none`,
  }),
  'groups-with-querier': (of: Of<GroupData>) => ({ found: `${groupsText(of)}; ${querierText(of)}` }),
  'querier-not-seen': (of: Of<GroupData>) => ({
    found: `${groupsText(of)}; ${querierText(of)}`,
    advice:
      'NDI is set to multicast: check that the switch has IGMP snooping and a querier, or its streams go to every port',
  }),
  'igmp-old': (of: Of<GroupData>) => ({
    found: groupsText(of),
    advice:
      'An old querier keeps this machine at IGMP version 1, in which leaving a group takes minutes: check the switch',
    command: 'cat /proc/net/igmp',
  }),
  'groups-not-listed': (of: OfInterface) => ({
    found: `the kernel does not list the multicast groups of ${of.word('name')}`,
  }),

  'marks-elsewhere': (of: Of<{ name: string; queues: string; markingRules: number | null }>) => {
    const queues = listText(of, 'queues');
    const queue = queues === '' ? '' : `, and the queue of ${of.word('name')} is ${queues}`;
    return {
      found: `${marksText(of)}${queue}`,
      advice:
        'Only the switches’ settings show what they do with the mark. Clocks should come first, then sound, then video',
    };
  },
  'traffic-shaped': (of: Of<{ name: string; queues: string }>) => ({
    found: `the traffic of ${of.word('name')} is shaped by ${listText(of, 'queues')}`,
    advice: 'It delays or drops packets on purpose: remove it, unless you are testing it',
    command: `tc qdisc del dev ${of.word('name')} root`,
  }),
  'queues-not-understood': () => ({ found: 'Whiteline cannot read the list of queues that tc printed' }),

  'firewall-open': (of: Of<{ rules: number }>) => ({
    found: `${of.count('rules') === 0 ? 'no rule of this machine' : 'none of this machine’s rules'} drops packets to NDI’s ports`,
  }),
  'firewall-drops': (of: Of<{ ports: string }>) => ({
    found: `rules of this machine drop ${portsText(of)}`,
    advice: 'Let NDI’s ports in',
    command: openHere,
  }),
  'firewall-may-drop': (of: Of<{ ports: string }>) => ({
    found: `rules of this machine may drop ${portsText(of)}`,
    advice: 'The rules also match addresses or states: check whether they apply to the other machines',
    command: 'nft list ruleset',
  }),

  'host-takes-connections': (of: Of<{ host: string; open: string; refused: string }>) => {
    const refused = listText(of, 'refused');
    const others = refused === '' ? '' : `; nothing listens on ${refused}`;
    return { found: `${of.word('host')} takes connections on ${listText(of, 'open')}${others}` };
  },
  'no-sender-listens': (of: Of<{ host: string; ports: string }>) => ({
    found: `${of.word('host')} answers, but no sender listens on ${listText(of, 'ports')}`,
    advice: 'Start a sender there, then check again: a firewall shows only then',
    command: 'whiteline send   # on that machine',
  }),
  'host-silent': (of: Of<{ host: string; ports: string }>) => ({
    found: `${of.word('host')} does not answer on ${listText(of, 'ports')}`,
    advice: 'A firewall there or on the path may block it, or the machine may be off: open NDI’s ports',
    command: 'ufw allow 5959:6100/tcp; ufw allow 5960:6100/udp   # on that machine',
  }),
  'host-not-reached': (of: Of<{ host: string; ports: string }>) => ({
    found: `${of.word('host')} cannot be reached on ${listText(of, 'ports')}`,
    advice: 'Check cable, addresses and routes, and that the machine is on',
    command: `ip route get ${of.word('host')}`,
  }),
  'host-not-named': () => ({ found: 'no other machine was named (host)' }),
  'host-is-here': (of: Of<{ host: string }>) => ({
    found: `${of.word('host')} is this machine, so no path to another one was tested`,
  }),
} satisfies FoundWords;

/** Opens what NDI needs, for the three firewalls that are met most. */
const openHere =
  'ufw allow 5353/udp; ufw allow 5959:6100/tcp; ufw allow 5960:6100/udp   # or the same with firewall-cmd or nft';

/** Of ports of NDI; any other is one of a sender. */
const portUses: ReadonlyMap<string, string> = new Map([
  ['5353/udp', 'discovery'],
  ['5960/tcp', 'the list of senders'],
  ['5961/udp', 'video by RUDP'],
]);

function portsText(of: Of<{ ports: string }>): string {
  return entriesOf(of, 'ports')
    .map((port) => `${port} (${portUses.get(port) ?? 'a sender'})`)
    .join(', ');
}

function groupsText(of: Of<GroupData>): string {
  const groups = entriesOf(of, 'groups').filter((group) => group !== '');
  const count = groups.length === 1 ? '1 group' : `${groups.length} groups`;
  return `${of.word('name')} is in ${count} (${groups.join(', ')}), by IGMP version ${of.number('version')}`;
}

function querierText(of: Of<GroupData>): string {
  return of.count('version') === 2
    ? 'a querier of version 2 was heard'
    : 'whether there is a querier cannot be seen';
}

function marksText(of: Of<{ markingRules: number | null }>): string {
  const [rules] = of.numbers('markingRules');
  if (rules === undefined) return 'whether rules here set the mark for precedence (DSCP) cannot be read';
  return `${rules === 0 ? 'no rule here sets' : `${rules} rules here set`} the mark for precedence (DSCP)`;
}
