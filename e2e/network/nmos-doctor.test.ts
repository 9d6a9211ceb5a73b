import { beforeAll, describe, expect, type TestContext, test, vi } from 'vitest';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { buildDiscovery, hereAddress, NmosNetwork, thereAddress } from './nmos-network';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Ten networks that are broken, each in namespaces of its own, and what `whiteline nmos doctor` says at the other end of the cable. */

const folder = temporaryFolder();
let program = '';

beforeAll(async () => {
  program = await buildDiscovery(folder);
});

const registerType = '_nmos-register._tcp';
const dnsFlags = ['--dns-server', thereAddress, '--domain', 'studio.test'];
const url = `http://${thereAddress}:8010`;
const quiet = '--no-announce';

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
  const usual = ['nmos', 'doctor', '--host', hereAddress, '--wait', '2s', '--json'];
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
  test('no announcement', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, quiet);
    expect(await findings(network)).toContainEqual(
      problem({ code: 'not-announced', api: 'registration' }, 'Start a registry that announces itself'),
    );
  });

  test('a TXT record that is wrong', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, quiet);
    await network.announcedThere({ type: registerType, port: 8010, txt: { pri: 'high' } });
    const fault = { code: 'bad-value', key: 'pri', value: 'high' };
    expect(await findings(network)).toContainEqual(
      problem({ code: 'faulty-announcement', type: registerType, fault }, 'Correct pri'),
    );
  });

  test('a priority for development, and a registry alone', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, '--priority', '100');
    const development = { code: 'development-only', priorities: [100] };
    expect(await findings(network)).toEqual([problem(development, 'a priority (pri) from 0 to 99'), alone]);
  });

  test('a registry that is dead', async (context) => {
    const network = await broken(context);
    await network.announcedThere({ type: registerType, port: 8010 });
    expect(await findings(network)).toContainEqual(
      problem({ code: 'api-silent', api: 'registration', url }, 'Start the registry'),
    );
  });

  test('versions apart', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, quiet);
    await network.announcedThere({ type: registerType, port: 8010, txt: { api_ver: 'v1.0,v1.1' } });
    const versions = { announced: ['v1.0', 'v1.1'], spoken: ['v1.2', 'v1.3'] };
    expect(await findings(network)).toContainEqual(
      problem({ code: 'version-unknown', url, ...versions }, 'with a common version'),
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

  test('no System API, from which nodes take their heartbeat interval', async (context) => {
    const network = await broken(context);
    await network.registryThere(8010, quiet);
    await network.announcedThere(
      { type: registerType, port: 8010 },
      { type: '_nmos-query._tcp', port: 8010 },
    );
    expect(await findings(network)).toEqual([
      warning({ code: 'not-announced', api: 'system' }, 'Start a registry that announces itself'),
      alone,
    ]);
  });

  test('two registries whose System APIs give different heartbeat intervals', async (context) => {
    const network = await broken(context);
    const other = await network.registryThere(8011, '--heartbeat', '3s', '--priority', '20');
    await network.registryThere(8010, '--heartbeat', '5s', '--peer', other);
    const intervals = expect.arrayContaining([
      { url, heartbeatSeconds: 5 },
      { url: other, heartbeatSeconds: 3 },
    ]);
    expect(await findings(network)).toEqual([
      problem({ code: 'heartbeats-differ', intervals }, 'Set the same interval in all of them'),
    ]);
  });

  test('a registry by whose clock it is 90 s earlier', async (context) => {
    const network = await broken(context);
    await network.registryThere(8009, quiet);
    // A clock of its own is nothing that a namespace has: what the registry says of it is changed on its way.
    await network.scriptThere(`const http = require('http');
      http.createServer(({ method, url }, response) => {
        http.request({ host: '${thereAddress}', port: 8009, method, path: url }, (answer) => {
          const late = new Date(Date.parse(answer.headers.date) - 90000).toUTCString();
          response.writeHead(answer.statusCode, { ...answer.headers, date: late });
          answer.pipe(response);
        }).end();
      }).listen(8010, '${thereAddress}', () => console.log('listens'))`);
    const types = [registerType, '_nmos-query._tcp', '_nmos-system._tcp'];
    const system = { api_ver: 'v1.0' };
    await network.announcedThere(
      ...types.map((type) => ({ type, port: 8010, ...(type.includes('system') && { txt: system }) })),
    );
    const aheadSeconds = expect.closeTo(-90, -1);
    expect(await findings(network)).toEqual([
      alone,
      warning({ code: 'clock-off', url, aheadSeconds }, 'Synchronise both clocks by PTP or NTP'),
    ]);
  });

  test('a registry in another network', async (context) => {
    const network = await broken(context);
    const name = `one.${registerType}.studio.test`;
    await network.startDnsmasq([
      `ptr-record=${registerType}.studio.test,${name}`,
      ...[`srv-host=${name},far.studio.test,8010`, 'host-record=far.studio.test,198.51.100.7'],
      `txt-record=${name},api_proto=http,pri=0,"api_ver=v1.2,v1.3",api_auth=false`,
    ]);
    const far = { api: 'registration', url: 'http://198.51.100.7:8010' };
    expect(await findings(network, ...dnsFlags)).toContainEqual(
      problem({ code: 'other-network', ...far }, 'Announce an address in this network'),
    );
  });
});
