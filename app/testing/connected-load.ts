import { onTestFinished } from 'vitest';
import type { QueryApi } from '../nmos/controller/query-api';
import { RestClient } from '../nmos/controller/rest-client';
import { Load } from '../nmos/load/load';
import { SimulatedConnections } from '../nmos/load/simulated-connections';
import type { TestRegistry } from './nmos-registry';

/** A load at a registry whose nodes are all registered and have a Connection API, and a client for them; closed with the test. */
export async function connectedLoad(
  registry: TestRegistry,
  { run, nodes }: { run: string; nodes: number },
): Promise<{ client: RestClient; query: QueryApi; controls: SimulatedConnections }> {
  const { clock } = registry;
  const controls = await SimulatedConnections.start('127.0.0.1', clock, () => {});
  const load = new Load({
    ...{ run, registries: [registry.origin], nodes, connections: 'per-node', controls, clock },
    ...{ rampSeconds: 0, heartbeatSeconds: 5, expirySeconds: 12, httpTimeoutSeconds: 5, retrySeconds: 1 },
    log: () => {},
  });
  const client = new RestClient();
  onTestFinished(async () => {
    await load.close();
    await controls.close();
    client.close();
  });
  await load.settled;
  return { client, query: { origin: registry.origin, version: 'v1.3' }, controls };
}
