import { describe, expect, it } from 'vitest';
import {
  addTestReceiver,
  addTestSender,
  deviceId,
  nodeId,
  otherId,
  receiverId,
  request,
  senderId,
  startTestNode,
} from '../../testing/nmos-node';
import { SimulatedClock } from '../../testing/simulated-clock';
import { validate } from '../schemas/schemas';
import { taiOf } from '../tai';
import { startExampleNode } from './example-node';
import { NodeModel } from './model';
import type { NmosNode } from './nmos-node';
import { mqttTransport } from './other-transports';
import { nodeApiVersions } from './resources';
import { rtpTransport } from './rtp';

const lists = ['devices', 'sources', 'flows', 'senders', 'receivers'];

async function startFull(): Promise<NmosNode> {
  const interfaces = [{ name: 'eth0', portId: '00-00-5e-00-53-01', addresses: ['192.0.2.1'] }];
  return startExampleNode({
    hosts: ['127.0.0.1'],
    port: 0,
    clock: new SimulatedClock(),
    interfaces,
    label: 'node',
    senders: 3,
    receivers: 3,
  });
}

describe.each(nodeApiVersions)('IS-04 %s NodeAPI.raml', (version) => {
  it('every body fits its schema', async () => {
    const node = await startFull();
    try {
      const get = async (path: string) =>
        (await request('GET', `${node.origin}/x-nmos/node/${version}/${path}`)).body;
      expect(validate('is-04', version, 'nodeapi-base', await get(''))).toBeNull();
      expect(validate('is-04', version, 'node', await get('self'))).toBeNull();
      for (const list of lists) {
        const resources = await get(list);
        expect(validate('is-04', version, list, resources)).toBeNull();
        expect(resources).toHaveLength(list === 'devices' ? 1 : 3);
        for (const { id } of resources as { id: string }[])
          expect(validate('is-04', version, list.slice(0, -1), await get(`${list}/${id}`))).toBeNull();
      }
    } finally {
      await node.close();
    }
  });

  it('404 for what does not exist, in each list', async () => {
    const node = await startTestNode();
    for (const list of lists) {
      const { status, body } = await request(
        'GET',
        `${node.origin}/x-nmos/node/${version}/${list}/${otherId}`,
      );
      expect([status, body]).toEqual([
        404,
        { code: 404, error: `There is no ${list.slice(0, -1)} ${otherId}`, debug: null },
      ]);
    }
  });

  it('/receivers/{receiverId}/target is answered with 501', async () => {
    const node = await startTestNode();
    addTestReceiver(node, rtpTransport());
    const put = (id: string) =>
      request('PUT', `${node.origin}/x-nmos/node/${version}/receivers/${id}/target`, {});
    expect((await put(receiverId)).status).toBe(501);
    expect((await put(otherId)).status).toBe(404);
  });
});

describe('IS-04 v1.3', () => {
  it('APIs, API Paths: each level lists what is below it', async () => {
    const node = await startTestNode();
    const get = async (path: string) => (await request('GET', `${node.origin}${path}`)).body;
    expect(await get('/x-nmos/')).toEqual(['node/', 'connection/']);
    expect(await get('/x-nmos/node')).toEqual(['v1.2/', 'v1.3/']);
    expect(await get('/x-nmos/node/v1.3/')).toEqual([
      'self/',
      'sources/',
      'flows/',
      'devices/',
      'senders/',
      'receivers/',
    ]);
  });

  it('Upgrade Path, Version Translations: v1.2 shows no key of v1.3', async () => {
    const node = await startTestNode();
    const get = async (path: string) => (await request('GET', `${node.origin}/x-nmos/node/${path}`)).text;
    expect(await get('v1.3/self')).toContain('authorization');
    expect(await get('v1.2/self')).not.toContain('authorization');
    expect(await get('v1.2/devices')).not.toContain('authorization');
  });

  it('NodeAPI.raml 409: what v1.2 cannot show is not listed there, and its place in v1.3 is named', async () => {
    const node = await startTestNode();
    addTestSender(node, mqttTransport(null));
    const url = `${node.origin}/x-nmos/node`;
    const { status, headers } = await request('GET', `${url}/v1.2/senders/${senderId}`);
    expect([status, headers.location]).toEqual([409, `/x-nmos/node/v1.3/senders/${senderId}`]);
    expect((await request('GET', `${url}/v1.2/senders`)).body).toEqual([]);
    expect((await request('GET', `${url}/v1.2/devices/${deviceId}`)).body).toMatchObject({ senders: [] });
    expect((await request('GET', `${url}/v1.3/devices/${deviceId}`)).body).toMatchObject({
      senders: [senderId],
    });
  });

  it('APIs: Common Keys, Version: each change has a later one, also within a tick of the clock', () => {
    const model = new NodeModel(new SimulatedClock(0));
    const core = { label: '', description: '', tags: {} };
    const versions = Array.from({ length: 3 }, () => {
      model.set('node', {
        ...{
          ...core,
          id: nodeId,
          href: 'http://192.0.2.1/',
          caps: {},
          services: [],
          clocks: [],
          interfaces: [],
        },
        api: { versions: ['v1.3'], endpoints: [] },
      });
      return taiOf(model.node.version);
    });
    const beganNs = 37_000_000_000n;
    expect(versions).toEqual([beganNs, beganNs + 1n, beganNs + 2n]);
  });

  it('a device lists its senders and receivers as they come and go, each time in a new version', async () => {
    const node = await startTestNode();
    const device = () => node.model.get('device', deviceId);
    const before = device()?.version;
    addTestSender(node, rtpTransport());
    addTestReceiver(node, rtpTransport());
    expect(device()).toMatchObject({ senders: [senderId], receivers: [receiverId] });
    expect(device()?.version).not.toBe(before);
    node.remove('sender', senderId);
    expect(device()).toMatchObject({ senders: [], receivers: [receiverId] });
  });

  it('a resource that does not fit its schema is an error of the caller', async () => {
    const node = await startTestNode();
    const sender = {
      id: 'one',
      label: '',
      description: '',
      tags: {},
      flow_id: null,
      device_id: deviceId,
      caps: {},
    };
    expect(() =>
      node.addSender({ ...sender, transport: 'urn:x-nmos:transport:rtp' }, rtpTransport()),
    ).toThrow(/The sender one: .+\/id/);
  });

  it('Data Model, Identifier Persistence: a node at the same place has the same ids', async () => {
    const ids = async (port: number): Promise<[number, string[]]> => {
      const interfaces = [{ name: 'eth0', portId: '00-00-5e-00-53-01', addresses: ['192.0.2.1'] }];
      const node = await startExampleNode({
        hosts: ['127.0.0.1'],
        port,
        clock: new SimulatedClock(),
        interfaces,
        label: '',
        senders: 1,
        receivers: 1,
      });
      await node.close();
      return [node.port, node.model.all('v1.3').map(({ id }) => id)];
    };
    const [port, first] = await ids(0);
    expect(new Set(first).size).toBe(6);
    expect((await ids(port))[1]).toEqual(first);
  });
});
