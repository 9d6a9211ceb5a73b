import { expect, test } from 'vitest';
import { ask } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { validate } from '../schemas/schemas';
import { usualSystem } from './system-api';

test('IS-09 System API: base resources list what is below them', async () => {
  const { origin } = await TestRegistry.start();
  expect((await ask(`${origin}/x-nmos/system`)).body).toEqual(['v1.0/']);
  const { body } = await ask(`${origin}/x-nmos/system/v1.0/`);
  expect(validate('is-09', 'v1.0', 'base', body)).toBeNull();
});

test('IS-09 Global Configuration Parameters: heartbeats and PTP, by the schema', async () => {
  const system = { ...usualSystem, heartbeatSeconds: 8, ptpDomain: 57 };
  const { origin } = await TestRegistry.start({ system });
  const { body } = await ask(`${origin}/x-nmos/system/v1.0/global`);
  expect(validate('is-09', 'v1.0', 'global', body)).toBeNull();
  expect(body).toMatchObject({ is04: { heartbeat_interval: 8 }, ptp: { domain_number: 57 } });
});

test('IS-09 Node Start-Up: the id stays over restarts, and differs for other parameters', async () => {
  const idOf = async (heartbeatSeconds: number): Promise<unknown> => {
    const registry = await TestRegistry.start({ system: { ...usualSystem, heartbeatSeconds } });
    return (await ask(`${registry.origin}/x-nmos/system/v1.0/global`)).body;
  };
  const first = await idOf(5);
  expect(await idOf(5)).toEqual(first);
  expect(await idOf(6)).not.toMatchObject({ id: (first as { id: string }).id });
});

test('a parameter that IS-09 does not permit is refused', async () => {
  const start = TestRegistry.start({ system: { ...usualSystem, ptpDomain: 128 } });
  await expect(start).rejects.toThrow('Expected a number <= 127 for /ptp/domain_number but received 128');
});
