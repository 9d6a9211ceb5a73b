import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { buildDiscovery, hereAddress, NmosNetwork, thereAddress } from './nmos-network';

/**
 * Networks that are broken, each in namespaces of its own, and what `whiteline nmos doctor` says at the other end of the cable. What
 * it says of all other faults stands in app/nmos/doctor.
 */

const folder = temporaryFolder();
let program = '';

beforeAll(async () => {
  program = await buildDiscovery(folder);
});

const registerType = '_nmos-register._tcp';
const dnsFlags = ['--dns-server', thereAddress, '--dns-domain', 'studio.test'];
const url = `http://${thereAddress}:8010`;

async function broken({ onTestFinished }: TestContext): Promise<NmosNetwork> {
  const network = await NmosNetwork.create(program);
  onTestFinished(() => network.close());
  return network;
}

interface Found {
  level: string;
  fault: Record<string, unknown>;
  text: string;
  remedy: string;
}

async function findings(network: NmosNetwork, ...flags: string[]): Promise<Found[]> {
  const usual = ['nmos', 'doctor', '--listen', hereAddress, '--duration', '2s', '--json'];
  const { output, errors } = await network.whiteline('here', ...usual, ...flags).ended;
  expect(errors).toBe('');
  return (JSON.parse(output) as { findings: Found[] }).findings;
}

function problem(fault: object, remedy: string): unknown {
  return found('problem', fault, remedy);
}

function warning(fault: object, remedy: string): unknown {
  return found('warning', fault, remedy);
}

function found(level: string, fault: object, remedy: string): unknown {
  return {
    level,
    fault: expect.objectContaining(fault),
    text: expect.any(String),
    remedy: expect.stringContaining(remedy),
  };
}

const alone = warning({ code: 'one-registry', url }, 'Start a second registry');

describe.concurrent('the doctor names what is broken, and the remedy', () => {
  test('a TXT record that is wrong, and a registry that is dead', async (context) => {
    const network = await broken(context);
    await network.announcedThere({ type: registerType, port: 8010, txt: { pri: 'high' } });
    const found = await findings(network);
    const fault = { code: 'bad-value', key: 'pri', value: 'high' };
    expect(found).toContainEqual(
      problem({ code: 'faulty-announcement', type: registerType, fault }, 'Correct pri'),
    );
    expect(found).toContainEqual(
      problem({ code: 'api-silent', api: 'registration', url }, 'Start the registry'),
    );
  });

  test('multicast alone, where a DNS server is there', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010);
    await network.startDnsmasq([]);
    expect(await findings(network, ...dnsFlags)).toEqual([
      warning({ code: 'multicast-only', urls: [url] }, 'to the DNS server of the domain'),
      alone,
    ]);
  });

  test('two registries whose System APIs give different heartbeat intervals', async (context) => {
    const network = await broken(context);
    const other = await network.registryThere(8011, '--heartbeat', '3s', '--announced-priority', '20');
    await network.registryThere(8010, '--heartbeat', '5s', '--peer', other);
    const intervals = expect.arrayContaining([
      { url, heartbeatSeconds: 5 },
      { url: other, heartbeatSeconds: 3 },
    ]);
    expect(await findings(network)).toEqual([
      problem({ code: 'heartbeats-differ', intervals }, 'Set the same interval in all of them'),
    ]);
  });

  test('a registry in another network; one that multicast does not announce', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, '--no-announce');
    const name = `one.${registerType}.studio.test`;
    await network.startDnsmasq([
      `ptr-record=${registerType}.studio.test,${name}`,
      ...[`srv-host=${name},far.studio.test,8010`, 'host-record=far.studio.test,198.51.100.7'],
      `txt-record=${name},api_proto=http,pri=0,"api_ver=v1.2,v1.3",api_auth=false`,
    ]);
    const far = { api: 'registration', url: 'http://198.51.100.7:8010' };
    const found = await findings(network, ...dnsFlags);
    expect(found).toContainEqual(
      problem({ code: 'other-network', ...far }, 'Announce an address in this network'),
    );
    expect(found).toContainEqual(
      warning({ code: 'not-announced', api: 'query' }, 'Start a registry that announces itself'),
    );
  });
});
