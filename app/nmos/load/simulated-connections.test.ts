import { expect, test } from 'vitest';
import { connectedLoad } from '../../testing/connected-load';
import { TestRegistry } from '../../testing/nmos-registry';
import { type Crosspoint, connectAll } from '../controller/connect';
import { DeviceClient } from '../controller/device-client';
import { readPages } from '../controller/pages';

test.each(['single', 'bulk'] as const)(
  'receivers of a load that are connected by %s show their senders in the registry',
  async (by) => {
    const registry = await TestRegistry.start();
    const { clock } = registry;
    const { client, query } = await connectedLoad(registry, { run: 'connected', nodes: 4 });
    const { resources: receivers } = await readPages({ client, clock, query, type: 'receiver' });
    const { resources: senders } = await readPages({ client, clock, query, type: 'sender' });
    const { resources: held } = await readPages({ client, clock, query, type: 'device' });
    const crosspoints = receivers.flatMap((receiver, index): Crosspoint[] => {
      const sender = senders[(index + 1) % senders.length];
      const device = held.find(({ id }) => id === receiver.deviceId);
      return sender && device ? [{ receiver, sender, device }] : [];
    });
    const devices = new DeviceClient(client, registry.origin);
    const results = await connectAll(crosspoints, { client: devices, clock, by, atOnce: 16 });
    expect(results.map(({ problem }) => problem)).toEqual([null, null, null, null]);
    const wanted = crosspoints.map(({ receiver, sender }) => [receiver.id, sender?.id]).sort();
    const shown = async (): Promise<unknown> => {
      const read = await readPages({ client, clock, query, type: 'receiver' });
      return read.resources.map(({ id, senderId }) => [id, senderId]).sort();
    };
    await expect.poll(shown).toEqual(wanted);
  },
);
