import type { Of } from '../../facts/alike-facts';
import { startDaemon } from '../../facts/machine-words';
import { entriesOf, type FoundWords, listText } from './shared-reasons';

/** Of each source that does not answer, in the same order: its name, where it was said to be, and what became of the try. */
type StaleData = { sources: number; names: string; places: string; states: string };

/** Of the check of the daemon: it runs, and could not be asked. */
type DaemonData = { daemonRuns?: boolean };

/** What the preflight finds of who finds whom, in words. */
export const findingReasons = {
  'daemon-answers': () => ({ found: 'avahi-daemon runs and answers multicast queries' }),
  'daemon-silent': () => ({
    found: 'avahi-daemon runs, but did not answer a multicast query for this machine’s own name',
    advice: 'Check that avahi-daemon.conf allows this interface, and that no firewall rule drops 5353/udp',
    command: 'service avahi-daemon restart',
  }),
  'bus-dead': () => ({
    found: 'avahi-daemon runs, but D-Bus, over which NDI asks it, accepts no connection',
    advice: withoutDaemon,
    command: 'service dbus start && service avahi-daemon restart',
  }),
  'daemon-absent': () => ({
    found: 'avahi-daemon is not running',
    advice: withoutDaemon,
    command: startDaemon,
  }),
  'discovery-of-system': () => ({ found: 'this system has its own discovery, which Whiteline cannot check' }),
  'multicast-over-loopback': (of: Of<DaemonData>) => ({
    found: `${daemonText(of)}discovery does not go over loopback`,
  }),
  'address-absent': (of: Of<DaemonData & { name: string }>) => ({
    found: `${daemonText(of)}${of.word('name')} has no IPv4 address`,
  }),
  'multicast-not-sent': (of: Of<DaemonData & { why: string }>) => ({
    found: `${daemonText(of)}no multicast query could be sent: ${of.word('why')}`,
  }),

  'no-source-listed': () => ({ found: 'no NDI source is listed on this network now' }),
  'sources-answer': (of: Of<{ sources: number }>) => ({
    found: `${listedText(of)}, and each takes connections`,
  }),
  'sources-stale': (of: Of<StaleData>) => ({
    found: `${listedText(of)}, and nothing answers at ${staleText(of)}`,
    advice:
      'The sender may have ended, its address may have changed, or a firewall may block it: restart the sender, then the daemon that lists it',
    command: 'service avahi-daemon restart',
  }),

  'no-address': () => ({
    found: 'no interface has an IPv4 address',
    advice: 'Set an IPv4 address: NDI needs one',
    command: 'ip address',
  }),
  'one-interface': (of: Of<{ addresses: string }>) => ({
    found: `one interface is in use: ${listText(of, 'addresses')}`,
  }),
  'interfaces-chosen': (of: Of<{ addresses: string }>) => ({
    found: `several interfaces are in use, and NDI’s settings choose among them: ${listText(of, 'addresses')}`,
  }),
  'several-interfaces': (of: Of<{ addresses: string; path: string }>) => ({
    found: `several interfaces are in use: ${listText(of, 'addresses')}`,
    advice:
      'NDI reports all addresses of this machine to others, which may choose the wrong one: set the one for video in adapters.allowed',
    command: editCommand(of),
  }),
  'interfaces-in-one-network': (of: Of<{ addresses: string; second: string }>) => ({
    found: `two interfaces are in one network: ${listText(of, 'addresses')}`,
    advice:
      'Packets that arrive on one may be answered on the other: put them in different networks, or turn one off',
    command: `ip link set dev ${of.word('second')} down`,
  }),

  'no-discovery-server': () => ({ found: 'no discovery server is set: senders are found by mDNS' }),
  'servers-answer': (of: Of<{ servers: string }>) => ({
    found: `the discovery servers answer: ${listText(of, 'servers')}`,
  }),
  'server-silent': (of: Of<{ servers: string; path: string }>) => ({
    found: `a discovery server does not answer: ${listText(of, 'servers')}`,
    advice:
      'With a server set, NDI does not use mDNS, and finds no sender while the server is down. Start the server, or remove it from the settings',
    command: editCommand(of),
  }),
} satisfies FoundWords;

const withoutDaemon = 'Without it, NDI finds only senders on this machine and at known addresses';

function daemonText(of: Of<DaemonData>): string {
  return of.is('daemonRuns') ? 'avahi-daemon runs; ' : '';
}

function listedText(of: Of<{ sources: number }>): string {
  return `${of.number('sources')} NDI sources are listed`;
}

function staleText(of: Of<StaleData>): string {
  const [places, states] = [entriesOf(of, 'places'), entriesOf(of, 'states')];
  return entriesOf(of, 'names')
    .map((name, index) => {
      const place = places[index] ?? '';
      return `${name} (${place === '' ? 'no address' : `${place}, ${states[index] ?? ''}`})`;
    })
    .join(', ');
}

function editCommand(of: Of<{ path: string }>): string {
  return `"$EDITOR" ${of.word('path')}`;
}
