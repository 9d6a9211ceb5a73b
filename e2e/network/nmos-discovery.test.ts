import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { test as base, beforeAll, describe, expect, vi } from 'vitest';
import type { DiscoveredService } from '../../app/nmos/discovery/service';
import type { UnicastBrowsing } from '../../app/nmos/discovery/unicast';
import type { WhitelineCommand } from '../../app/testing/command';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import type { Namespace } from './network';
import { buildDiscovery, hereAddress, NmosNetwork, thereAddress } from './nmos-network';

/** Each has a network of its own. */
const test = base.extend<{ network: NmosNetwork }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  network: async ({}, use) => {
    const network = await NmosNetwork.create(program);
    await use(network);
    network.close();
  },
});

/** Our discovery at one end of a cable; avahi, or a DNS server of others, at the other end. */

const folder = temporaryFolder();
let program = '';

beforeAll(async () => {
  program = await buildDiscovery(folder);
});

/** What starts in its view of the system ends with its command; avahi and its bus are its own. */
function withAvahi(network: NmosNetwork, ...command: string[]): string[] {
  const views = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const script = `mount -t tmpfs tmpfs /run && mkdir -p /run/dbus && dbus-daemon --system --fork &&
    avahi-daemon --daemonize --no-drop-root --no-chroot --no-rlimits && exec "$@"`;
  return [...network.there.inside, 'unshare', ...views, 'sh', '-c', script, 'sh', ...command];
}

/** The first line of our program for which this is true. */
async function said<T>(network: NmosNetwork, flags: string[], isIt: (value: T) => boolean): Promise<T> {
  const { stdout } = network.startHere(...flags);
  if (!stdout) throw new Error('there is no output');
  for await (const line of createInterface({ input: stdout })) {
    const value = JSON.parse(line) as T;
    if (isIt(value)) return value;
  }
  throw new Error('the program ended before');
}

/** Nothing of multicast DNS comes in; resolves to what lets it in again. */
function cut(namespace: Namespace): () => void {
  const nft = (...words: string[]): string => namespace.run('nft', ...words);
  nft('add', 'table', 'ip', 'cut');
  nft('add', 'chain', 'ip', 'cut', 'in', '{ type filter hook input priority 0 ; }');
  nft('add', 'rule', 'ip', 'cut', 'in', 'udp', 'dport', '5353', 'ip', 'saddr', '10.84.0.0/24', 'drop');
  return () => nft('delete', 'table', 'ip', 'cut');
}

/** Its System API gives 3 s between heartbeats. */
function registryThere(network: NmosNetwork, ...more: string[]): Promise<string> {
  return network.registryThere(8010, '--heartbeat', '3s', ...more);
}

function nodeHere(network: NmosNetwork, ...flags: string[]): WhitelineCommand {
  return network.whiteline('here', 'nmos', 'node', '--listen', hereAddress, ...flags);
}

const get = `require('http').get(process.argv[1], (answer) => answer.pipe(process.stdout))`;

async function registersAndLeaves(network: NmosNetwork, node: WhitelineCommand, url: string): Promise<void> {
  await node.says(/Registered at/);
  await node.says(/Heartbeat every 3 s, from the System API/);
  expect(node.output).toContain(`Registered at ${url} (v1.3) with 14 resources`);
  const query = `${url}/x-nmos/query/v1.3/nodes`;
  const nodes = (): unknown => JSON.parse(network.there.run(process.execPath, '-e', get, query));
  expect(nodes()).toHaveLength(1);
  node.signal('SIGINT');
  const { exitCode, errors } = await node.ended;
  expect(exitCode).toBe(0);
  // A machine without time for the registry makes a heartbeat late.
  expect(errors.replace(/^\S+ The registry \S+ failed: no answer within 3 s\n/gm, '')).toBe('');
  expect(nodes()).toEqual([]);
}

describe.concurrent('NMOS in a network', () => {
  test('avahi finds what we announce', async ({ network }) => {
    let announced = 0;
    await said<string>(network, ['announce', hereAddress], () => ++announced === 5);
    const until = `until avahi-browse --resolve --parsable --terminate "$0" | grep '^='; do sleep 0.3; done`;
    const command = withAvahi(network, 'timeout', '60', 'sh', '-c', until, '_nmos-register._tcp');
    const [file = '', ...flags] = command;
    const { stdout } = await promisify(execFile)(file, flags);
    const [, , , name, type, domain, , address, port, texts = ''] = stdout.trim().split(';');
    expect([name, type, domain, address, port]).toEqual([
      ...['whiteline', '_nmos-register._tcp', 'local', hereAddress, '8010'],
    ]);
    expect(texts.split(' ').sort()).toEqual([
      ...['"api_auth=false"', '"api_proto=http"', '"api_ver=v1.2,v1.3"', '"pri=10"'],
    ]);
  });

  test('avahi and we announce one name while they do not hear each other: one gets another name when they do', async ({
    network,
  }) => {
    const join = [cut(network.here), cut(network.there)];
    const publish = ['avahi-publish', '--service', 'whiteline', '_nmos-register._tcp', '8870', 'pri=0'];
    const browse = 'avahi-browse --resolve --terminate --parsable _nmos-register._tcp';
    // On the loopback interface and over IPv6, avahi still lists its service under the old name.
    const bothHaveNames = `awk -F ';' '/^=/ && $2 != "lo" && $3 == "IPv4" { name[$9] = $4 }
      END { exit !(name[8010] != "" && name[8870] != "" && name[8010] != name[8870]) }'`;
    const script = [
      `${publish.join(' ')} &`,
      // Without a pause, our questions would keep avahi from settling its names.
      `until ${browse} | grep whiteline; do sleep 0.3; done; echo published`,
      `until ${browse} | ${bothHaveNames}; do sleep 0.3; done; echo settled`,
      'exec sleep 1000',
    ];
    const { stdout } = network.start(withAvahi(network, 'sh', '-c', script.join('\n')));
    let seen = '';
    stdout?.on('data', (text) => {
      seen += String(text);
    });
    await vi.waitFor(() => expect(seen).toContain('published'), { timeout: 60_000 });
    let announced = 0;
    await said<string>(
      network,
      ['announce', hereAddress],
      (line) => line === 'whiteline' && ++announced === 5,
    );
    expect(seen).not.toContain('settled');
    for (const one of join) one();
    await vi.waitFor(() => expect(seen).toContain('settled'), { timeout: 60_000 });
  });

  test('we find what avahi announces, and what is wrong with it', async ({ network }) => {
    const publish = ['avahi-publish', '--service', 'of avahi', '_nmos-query._tcp', '8870'];
    network.start(withAvahi(network, ...publish, 'api_proto=http', 'api_ver=v1.3', 'pri=0'));
    const [found] = await said<DiscoveredService[]>(
      network,
      ['browse', hereAddress],
      // Its records may come one after the other, an address of IPv6 before that of IPv4.
      ([first]) =>
        first?.addresses.includes(thereAddress) === true &&
        first.faults.every(({ code }) => code !== 'no-txt'),
    );
    expect(found).toMatchObject({
      ...{ type: '_nmos-query._tcp', instance: 'of avahi', domain: 'local', port: 8870 },
      ...{ protocol: 'http', versions: ['v1.3'], priority: 0 },
      faults: [{ code: 'missing-key', key: 'api_auth' }],
    });
    expect(found?.addresses).toContain(thereAddress);
  });

  test('we find what dnsmasq knows, an answer too long for a datagram among it', async ({ network }) => {
    const entries = Array.from({ length: 40 }, (_, index) => `registry ${index}.floor`);
    const lines = entries.flatMap((instance, index) => {
      const name = `${instance.replaceAll('.', '-')}._nmos-register._tcp.studio.test`;
      return [
        `ptr-record=_nmos-register._tcp.studio.test,"${name}"`,
        `srv-host="${name}",registry.studio.test,${8000 + index}`,
        `txt-record="${name}",api_proto=http,"api_ver=v1.2,v1.3",api_auth=false,pri=${index}`,
      ];
    });
    await network.startDnsmasq(lines);
    const { services, problem } = await said<UnicastBrowsing>(network, ['unicast', thereAddress], () => true);
    expect(problem).toBeNull();
    expect(services).toHaveLength(40);
    const first = services.find(({ priority }) => priority === 0);
    expect(first).toMatchObject({
      ...{ type: '_nmos-register._tcp', instance: 'registry 0-floor', domain: 'studio.test', port: 8000 },
      ...{ addresses: [thereAddress], versions: ['v1.2', 'v1.3'], requiresAuthorization: false, faults: [] },
    });
  });

  test('a DNS server that refuses connections is named as such', async ({ network }) => {
    const { services, problem } = await said<UnicastBrowsing>(network, ['unicast', thereAddress], () => true);
    expect(services).toEqual([]);
    expect(problem).toMatchObject({ code: 'unreachable' });
  });

  test('our node finds the registry and the System API that avahi announces, and avahi finds our node', async ({
    network,
  }) => {
    const url = await registryThere(network, '--no-announce');
    const publish = (type: string, ...texts: string[]): string =>
      `avahi-publish --service one ${type} 8010 api_proto=http pri=0 ${texts.join(' ')} &`;
    const until = (type: string): string =>
      `until avahi-browse --resolve --parsable --terminate ${type} | grep '^='; do sleep 0.3; done`;
    const script = [
      publish('_nmos-register._tcp', 'api_ver=v1.2,v1.3', 'api_auth=false'),
      publish('_nmos-system._tcp', 'api_ver=v1.0'),
      until('_nmos-register._tcp'),
      until('_nmos-system._tcp'),
      'echo published',
      until('_nmos-node._tcp'),
      'exec sleep 1000',
    ];
    const { stdout } = network.start(withAvahi(network, 'sh', '-c', script.join('\n')));
    let seen = '';
    stdout?.on('data', (text) => {
      seen += String(text);
    });
    await vi.waitFor(() => expect(seen).toContain('published'), { timeout: 60_000 });
    const node = nodeHere(network);
    await vi.waitFor(() => expect(seen).toMatch(`;${hereAddress};`), { timeout: 60_000 });
    expect(seen).toContain('"api_ver=v1.2,v1.3"');
    await registersAndLeaves(network, node, url);
  });

  test('our node finds the registry and the System API that dnsmasq knows', async ({ network }) => {
    const url = await registryThere(network, '--no-announce');
    const entry = (type: string, ...texts: string[]): string[] => [
      `ptr-record=${type}.studio.test,one.${type}.studio.test`,
      `srv-host=one.${type}.studio.test,registry.studio.test,8010`,
      `txt-record=one.${type}.studio.test,api_proto=http,pri=0,${texts.join(',')}`,
    ];
    await network.startDnsmasq([
      ...entry('_nmos-register._tcp', '"api_ver=v1.2,v1.3"', 'api_auth=false'),
      ...entry('_nmos-system._tcp', 'api_ver=v1.0'),
    ]);
    await registersAndLeaves(
      network,
      nodeHere(network, '--dns-server', thereAddress, '--dns-domain', 'studio.test'),
      url,
    );
  });

  test('our node, which starts before them, finds the registry and the System API', async ({ network }) => {
    const node = nodeHere(network);
    await node.says(/Searching for a registry/);
    expect(node.output).toContain('Heartbeat every 5 s, because no System API answered');
    await registersAndLeaves(network, node, await registryThere(network));
  });

  test('our node finds our registry by itself', async ({ network }) => {
    const url = await registryThere(network);
    await registersAndLeaves(network, nodeHere(network), url);
  });
});
