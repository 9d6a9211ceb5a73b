import { afterEach } from 'vitest';
import {
  type Registry,
  type RegistryOptions,
  startRegistry,
  usualExpirySeconds,
} from '../nmos/registry/registry';
import { ask, type HttpAnswer } from './http-client';
import { type NmosResource, type NmosType, nmosNode, nmosTypes } from './nmos-resources';
import { SimulatedClock } from './simulated-clock';

const open = new Set<TestRegistry>();

afterEach(async () => {
  await Promise.all([...open].map((registry) => registry.close()));
});

/** A registry on a free port of loopback until the end of the test, and requests to it. */
export class TestRegistry {
  readonly lines: string[] = [];
  private running: Registry | null = null;

  static async start(options: Partial<RegistryOptions> = {}): Promise<TestRegistry> {
    const registry = new TestRegistry();
    open.add(registry);
    registry.running = await startRegistry({
      ...{ hosts: ['127.0.0.1'], port: 0, expirySeconds: usualExpirySeconds },
      log: (line) => registry.lines.push(line),
      clock: new SimulatedClock(),
      ...options,
    });
    return registry;
  }

  get registry(): Registry {
    if (!this.running) throw new Error('The registry was closed');
    return this.running;
  }

  /** It stands still until `pass`. */
  get clock(): SimulatedClock {
    const { clock } = this.registry.store.options;
    if (!(clock instanceof SimulatedClock)) throw new Error('This registry goes by the clock of the machine');
    return clock;
  }

  get origin(): string {
    return this.registry.http.origins[0] ?? '';
  }

  /** Lets its clock go on so far, and expires what is due. */
  async pass(ms: number): Promise<void> {
    await this.clock.pass(ms);
    this.registry.store.expire();
  }

  query(path: string, version = 'v1.3'): Promise<HttpAnswer> {
    return ask(`${this.origin}/x-nmos/query/${version}/${path}`);
  }

  /** Of the collection, the ids in the order of the answer. */
  async ids(path: string, version = 'v1.3'): Promise<string[]> {
    const { body } = await this.query(path, version);
    return (body as NmosResource[]).map(({ id }) => id);
  }

  register(type: string, data: unknown, version = 'v1.3'): Promise<HttpAnswer> {
    return this.post('resource', { type, data }, version);
  }

  post(path: string, json: unknown, version = 'v1.3'): Promise<HttpAnswer> {
    return ask(`${this.origin}/x-nmos/registration/${version}/${path}`, { method: 'POST', json });
  }

  /** A node without a request: what is put in one turn comes together, whatever holds this process up. */
  putNode(data: NmosResource): void {
    const { store } = this.registry;
    const body = { json: JSON.stringify(data), apiVersion: 'v1.3' as const };
    store.put({ type: 'node', id: data.id, version: data.version, body, parent: null, isOwn: true });
  }

  delete(path: string, version = 'v1.3'): Promise<HttpAnswer> {
    return ask(`${this.origin}/x-nmos/registration/${version}/resource/${path}`, { method: 'DELETE' });
  }

  /** A node and all that belongs to it. */
  async registerNode(number: number, version = 'v1.3'): Promise<Record<NmosType, NmosResource>> {
    const resources = nmosNode(number);
    for (const type of nmosTypes) {
      const { status, text } = await this.register(type, resources[type], version);
      if (status !== 201) throw new Error(`${type}: ${status} ${text}`);
    }
    return resources;
  }

  /** Holds what the other holds, and the other what this holds. */
  follow(other: TestRegistry): void {
    this.registry.addPeer(other.origin);
    other.registry.addPeer(this.origin);
  }

  async close(): Promise<void> {
    open.delete(this);
    const { running } = this;
    this.running = null;
    await running?.close();
  }
}
