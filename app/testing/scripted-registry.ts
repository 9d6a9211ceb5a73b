import { onTestFinished, vi } from 'vitest';
import { json, type Reply } from '../nmos/http/reply';
import { type ApiRequest, Router } from '../nmos/http/router';
import { listen } from '../nmos/http/server';
import { SimulatedClock } from './simulated-clock';

export interface Heard {
  method: string;
  /** Behind `/x-nmos/registration/`. */
  path: string;
  /** Of a resource that was posted. */
  type?: string;
  request: ApiRequest;
}

type Answering = (heard: Heard) => Reply | undefined | Promise<Reply | undefined>;

/** A Registration API that notes what it is asked and answers as a test says; without a word of the test as a good one does. */
export class ScriptedRegistry {
  readonly heard: Heard[] = [];
  answer: Answering = () => undefined;
  private readonly nodes = new Set<string>();

  private constructor(readonly url: string) {}

  /** Listens until the test ends. */
  static async start(answer?: Answering): Promise<ScriptedRegistry> {
    const router = new Router();
    let registry: ScriptedRegistry | undefined;
    for (const [method, path] of [
      ['POST', '{version}/resource'],
      ['POST', '{version}/health/nodes/{id}'],
      ['DELETE', '{version}/resource/{type}/{id}'],
    ] as const)
      router.on(
        method,
        `/x-nmos/registration/${path}`,
        (request) => registry?.take(request) ?? json(500, {}),
      );
    const server = await listen({ hosts: ['127.0.0.1'], port: 0, router, clock: new SimulatedClock() });
    onTestFinished(() => server.close());
    registry = new ScriptedRegistry(server.origins[0] ?? '');
    if (answer) registry.answer = answer;
    return registry;
  }

  /** Methods and paths without ids, in their order; of resources their type. */
  get words(): string[] {
    return this.heard.map(({ method, path, type }) => {
      const [version, ...rest] = path.split('/');
      const what = type ?? (rest[0] === 'health' ? 'heartbeat' : rest[1]);
      return `${method} ${version} ${what}`;
    });
  }

  /** Waits until it has received what a test waits for. */
  async hears(isHeard: (registry: ScriptedRegistry) => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        if (!isHeard(this)) throw new Error(`heard only: ${this.words.join(', ')}`);
      },
      { timeout: 20_000, interval: 5 },
    );
  }

  private async take(request: ApiRequest): Promise<Reply> {
    const { method, path, body } = request;
    const type = typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : undefined;
    const heard = { method, path: path.replace('/x-nmos/registration/', ''), type, request };
    this.heard.push(heard);
    return (await this.answer(heard)) ?? this.usual(heard);
  }

  private usual({ method, type, request: { parameters, body } }: Heard): Reply {
    if (method === 'DELETE') {
      this.nodes.delete(parameters.id ?? '');
      return { status: 204 };
    }
    if (type === undefined)
      return this.nodes.has(parameters.id ?? '') ? json(200, { health: '1' }) : json(404, {});
    const { data } = body as { data: { id: string } };
    const status = type === 'node' && this.nodes.has(data.id) ? 200 : 201;
    if (type === 'node') this.nodes.add(data.id);
    return json(status, data);
  }
}
