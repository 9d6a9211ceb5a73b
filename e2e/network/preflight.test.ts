import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { dnsAnswer } from '../../app/experiments/preflight/dns-answer.fixture';
import type { DnsRecord } from '../../app/experiments/preflight/dns-message';
import { device, ends, pullCable, RoutedNetwork, thereAddress } from './routed-network';

const test = base.extend<{ network: RoutedNetwork }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  network: async ({}, use) => {
    const network = await RoutedNetwork.create();
    await use(network);
    network.close();
  },
});

const toThere = ['--host', thereAddress];

/** On its own bus, also where another one is named. In state 2 it runs: no other host has its name. */
const onItsBus = 'env -u DBUS_SYSTEM_BUS_ADDRESS';
const avahiState =
  'dbus-send --system --print-reply=literal --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState';
const withoutAvahi = 'mount -t tmpfs tmpfs /run &&';
const withAvahi = `${withoutAvahi} mkdir -p /run/dbus && dbus-daemon --system --fork &&
  ${onItsBus} avahi-daemon --daemonize --no-drop-root --no-chroot --no-rlimits &&
  timeout 60 sh -c "until ${onItsBus} ${avahiState} | grep -q 'int32 2'; do :; done" &&`;

/** Faults made for real, and what preflight says of them: one look says it of all that do not change what another is found by. */
describe.concurrent('preflight', () => {
  test('a network in which all is well, with an avahi that answers', async ({ network }) => {
    const { here, there } = network;
    await network.listen(there, 5961);
    // A virtual cable has this one off.
    here.run('ethtool', '-K', device, 'gro', 'on');
    const lines = await network.look({ flags: toThere, before: withAvahi });
    for (const id of [
      ...['mtu', 'path-mtu', 'offloads', 'errors', 'firewall-rules', 'ndi-ports', 'clock-traffic'],
      ...['listed-sources', 'several-interfaces', 'discovery-server', 'multicast-groups', 'link-speed'],
    ])
      expect(lines.get(id), id).toMatchObject({ state: 'ok' });
    const found = (id: string): string => lines.get(id)?.found ?? '';
    expect(found('link-speed')).toMatch(/wlp0 runs at \d+ Mb\/s/);
    expect(found('driver')).toMatch(/wlp0 is driven by veth/);
    expect(found('path-mtu')).toMatch(/up to 1500 bytes reach 10\.82\.0\.1/);
    expect(found('ndi-ports')).toMatch(/takes connections on 5961; nothing listens on 5960/);
    expect(lines.get('discovery')).toMatchObject({
      ...{ state: 'ok', found: 'avahi-daemon runs and answers multicast queries' },
    });
  });

  test('a hop of 1400 bytes that reports, port 5961 dropped there and here, a second interface; a silent hop', async ({
    network,
  }) => {
    const { here, router, there } = network;
    for (const [side, name] of [[router, ends.routerToThere] as const, [there, ends.thereToRouter] as const])
      side.run('ip', 'link', 'set', name, 'mtu', '1400');
    await network.listen(there, 5961);
    for (const side of [there, here]) {
      side.run('nft', 'add', 'table', 'inet', 'wall');
      side.run('nft', 'add', 'chain', 'inet', 'wall', 'in', '{ type filter hook input priority 0 ; }');
      side.run('nft', 'add', 'rule', 'inet', 'wall', 'in', 'tcp', 'dport', '5961', 'drop');
    }
    pullCable(here, 'wlp9', '10.83.0.1/24', router, 'wlp8', '10.83.0.2/24');
    const reported = await network.look({ flags: toThere });
    expect(reported.get('path-mtu')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(
        /up to 1400 bytes reach 10\.82\.0\.1 and come back; this machine sends 1500/,
      ),
      command: 'ip link set dev wlp0 mtu 1400',
    });
    expect(reported.get('ndi-ports')).toMatchObject({
      ...{ state: 'problem', found: '10.82.0.1 does not answer on 5961' },
    });
    expect(reported.get('firewall-rules')).toMatchObject({
      ...{ state: 'problem', found: 'rules of this machine drop 5961/tcp (a sender)' },
    });
    expect(reported.get('several-interfaces')).toMatchObject({
      state: 'warning',
      found: 'several interfaces are in use: wlp0 (10.81.0.1), wlp9 (10.83.0.1)',
    });

    here.run('ip', 'route', 'flush', 'cache');
    router.run('nft', 'add', 'table', 'ip', 'silence');
    router.run('nft', 'add', 'chain', 'ip', 'silence', 'out', '{ type filter hook output priority 0 ; }');
    const unreachable = ['icmp', 'type', 'destination-unreachable', 'drop'];
    router.run('nft', 'add', 'rule', 'ip', 'silence', 'out', ...unreachable);
    const silent = await network.look({ flags: toThere });
    expect(silent.get('path-mtu')).toMatchObject({
      state: 'problem',
      found: expect.stringMatching(/up to 1400 bytes .+; larger ones, of up to 1500, are lost/),
    });
  });

  test('a host that is gone, a second interface in the same network, a bus that is dead', async ({
    network,
  }) => {
    const { here, router, there } = network;
    there.run('ip', 'link', 'set', ends.thereToRouter, 'down');
    pullCable(here, 'wlp9', '10.83.0.1/24', router, 'wlp8', '10.83.0.2/24');
    here.run('ip', 'address', 'add', '10.81.0.7/24', 'dev', 'wlp9');
    const lines = await network.look({
      ...{ flags: toThere, before: withAvahi },
      environment: { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent' },
    });
    expect(lines.get('path-mtu')).toMatchObject({
      ...{ state: 'unknown', found: '10.82.0.1 does not answer ping' },
    });
    expect(lines.get('ndi-ports')?.state).toBe('problem');
    expect(lines.get('several-interfaces')).toMatchObject({
      ...{ state: 'problem', command: 'ip link set dev wlp9 down' },
    });
    expect(lines.get('discovery')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/D-Bus, over which NDI asks it, accepts no connection/),
    });
  });

  test('a card that is set wrong, packets that no one wants, a clock of Dante, a sender that is gone', async ({
    network,
  }) => {
    const { here } = network;
    // Small packets, no offloads, a shaped queue, an old IGMP.
    here.run('ip', 'link', 'set', device, 'mtu', '1400');
    here.run('ethtool', '-K', device, 'tso', 'off', 'gro', 'off');
    const shaped = ['tbf', 'rate', '50mbit', 'burst', '64kb', 'latency', '20ms'];
    here.run('tc', 'qdisc', 'add', 'dev', device, 'root', ...shaped);
    here.run('sysctl', '-qw', `net.ipv4.conf.${device}.force_igmp_version=1`);
    await sendClockAndStrays(network);
    await listSources(network);
    const settings = join(network.folder, 'settings');
    mkdirSync(settings, { recursive: true });
    const text = JSON.stringify({ ndi: { networks: { discovery: '10.81.0.2' } } });
    writeFileSync(join(settings, 'ndi-config.v1.json'), text);
    const lines = await network.look({ environment: { NDI_CONFIG_DIR: settings } });
    expect(lines.get('mtu')).toMatchObject({ state: 'warning', command: 'ip link set dev wlp0 mtu 1500' });
    expect(lines.get('offloads')).toMatchObject({
      state: 'warning',
      found: 'wlp0 does not offload TCP segmentation, generic receive',
      command: 'ethtool -K wlp0 tso on gro on',
    });
    expect(lines.get('dscp')).toMatchObject({
      ...{ state: 'warning', found: 'the traffic of wlp0 is shaped by tbf' },
    });
    expect(lines.get('multicast-groups')).toMatchObject({
      ...{ state: 'warning', found: expect.stringMatching(/version 1/) },
    });
    expect(lines.get('clock-traffic')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/PTP version 1, as Dante sends, were heard in 1 s from 10\.81\.0\.2/),
    });
    expect(lines.get('errors')).toMatchObject({
      ...{ state: 'warning', found: expect.stringMatching(/dropped \d+ packets in 1 s/) },
    });
    expect(lines.get('listed-sources')).toMatchObject({
      state: 'warning',
      found: '2 NDI sources are listed, and nothing answers at STAGE (gone) (10.81.0.2:5962, refused)',
    });
    expect(lines.get('discovery-server')).toMatchObject({
      ...{ state: 'problem', found: 'a discovery server does not answer: 10.81.0.2:5959 (refused)' },
    });
  });

  test('a cable that is pulled, where no avahi runs; a card that is put off', async ({ network }) => {
    const { here, router } = network;
    router.run('ip', 'link', 'set', ends.routerToHere, 'down');
    const flags = ['--interface', device];
    const pulled = await network.look({ flags, before: withoutAvahi });
    expect(pulled.get('link-speed')).toMatchObject({
      ...{ state: 'problem', found: expect.stringMatching(/has no link/) },
    });
    expect(pulled.get('discovery')).toMatchObject({
      ...{ state: 'warning', found: 'avahi-daemon is not running' },
    });
    here.run('ip', 'link', 'set', device, 'down');
    const off = await network.look({ flags });
    expect(off.get('link-speed')).toMatchObject({
      ...{ state: 'problem', found: 'wlp0 is put off', command: 'ip link set dev wlp0 up' },
    });
  });
});

/** A message of PTP version 1, and frames of a protocol that no program takes, again and again. */
async function sendClockAndStrays(network: RoutedNetwork): Promise<void> {
  const clock = `const s = require('dgram').createSocket('udp4'); const m = Buffer.alloc(124); m.writeUInt16BE(1, 0);
    s.bind(0, '10.81.0.2', () => { s.setMulticastInterface('10.81.0.2'); console.log('up');
    setInterval(() => s.send(m, 319, '224.0.1.129'), 100); });`;
  await network.script(network.router, clock);
  const stray = `import socket, time
bare = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
bare.bind(("${ends.routerToHere}", 0))
print("up", flush=True)
while True:
    bare.send(bytes.fromhex("ffffffffffff" "020000000001" "88b5") + bytes(100))
    time.sleep(0.05)`;
  await network.speaking(network.router, 'python3', '-c', stray);
}

/** Two are listed, of which one answers. */
async function listSources(network: RoutedNetwork): Promise<void> {
  const records = (name: string, port: number): DnsRecord[] => [
    { name: '_ndi._tcp.local', type: 'ptr', target: `${name}._ndi._tcp.local` },
    { name: `${name}._ndi._tcp.local`, type: 'srv', target: 'stage.local', port },
  ];
  const answer = dnsAnswer([
    ...records('STAGE (here)', 5961),
    ...records('STAGE (gone)', 5962),
    { name: 'stage.local', type: 'a', address: '10.81.0.2' },
  ]);
  await network.listen(network.router, 5961);
  const responder = `const s = require('dgram').createSocket({ type: 'udp4', reuseAddr: true });
    const m = Buffer.from('${answer.toString('base64')}', 'base64');
    s.on('message', (_, { address, port }) => s.send(m, port, address));
    s.bind(5353, () => { s.addMembership('224.0.0.251', '10.81.0.2'); console.log('up'); });`;
  await network.script(network.router, responder);
}
