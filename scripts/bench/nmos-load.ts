import { Agent, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { nmosNode, nmosTypes } from '../../app/testing/nmos-resources';

/**
 * What the benchmark of the NMOS registry does with registries that run: one action in a process of its own. Prints one JSON object,
 * in ms.
 */

interface Options {
  action: 'register' | 'page' | 'sync' | 'hold';
  /** Nodes are spread over them. */
  origins: string[];
  nodes: number;
  /** For all nodes together; without it one for each. */
  connections?: number;
  version?: string;
}

const options: Options = JSON.parse(process.argv[2] ?? '{}');
const actions = { register, page, sync, hold };

actions[options.action](options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);

function send(url: string, agent: Agent, json?: unknown): Promise<{ status: number; text: string }> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: body === undefined ? 'GET' : 'POST', agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** All six resources of each node, one after the other; then, of several registries, until each has all. */
async function register({ origins, nodes, connections }: Options): Promise<object> {
  const startedMs = performance.now();
  let next = 0;
  const registerNode = async (number: number, agent: Agent): Promise<void> => {
    const resources = nmosNode(number);
    for (const type of nmosTypes) {
      const url = `${origins[number % origins.length]}/x-nmos/registration/v1.3/resource`;
      const { status, text } = await send(url, agent, { type, data: resources[type] });
      if (status !== 201) throw new Error(`${type}: ${status} ${text}`);
    }
  };
  const own = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
  const worker = async (): Promise<void> => {
    const agents = origins.map(own);
    while (next < nodes) {
      const number = next++;
      await registerNode(number, agents[number % origins.length] ?? own());
    }
    for (const agent of agents) agent.destroy();
  };
  const each = async (number: number): Promise<void> => {
    const agent = own();
    await registerNode(number, agent);
    agent.destroy();
  };
  if (connections === undefined)
    await Promise.all(Array.from({ length: nodes }, (_, number) => each(number)));
  else await Promise.all(Array.from({ length: connections }, worker));
  const registeredMs = performance.now();
  if (origins.length > 1) await Promise.all(origins.map((origin) => untilComplete(origin, nodes)));
  return { ms: registeredMs - startedMs, completeMs: performance.now() - registeredMs };
}

/** Until the collection that is registered last has all. */
async function untilComplete(origin: string, nodes: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const url = `${origin}/x-nmos/query/v1.3/receivers?paging.limit=${nodes}`;
  while ((JSON.parse((await send(url, agent)).text) as unknown[]).length < nodes)
    await new Promise((resolve) => setTimeout(resolve, 10));
  agent.destroy();
}

/** One node and one persistent subscription; the node is kept alive until this process is ended. */
async function hold({ origins: [origin], version = 'v1.3' }: Options): Promise<never> {
  const agent = new Agent({ keepAlive: true });
  const base = `${origin}/x-nmos/registration/${version}`;
  const resources = nmosNode(1);
  for (const type of nmosTypes) await send(`${base}/resource`, agent, { type, data: resources[type] });
  const subscription = { max_update_rate_ms: 100, persist: true, resource_path: '/nodes', params: {} };
  await send(`${origin}/x-nmos/query/${version}/subscriptions`, agent, subscription);
  for (;;) {
    await send(`${base}/health/nodes/${resources.node.id}`, agent, {});
    await new Promise((resolve) => setTimeout(resolve, 4000));
  }
}

async function page({ origins: [origin], nodes }: Options): Promise<object> {
  const agent = new Agent({ keepAlive: true });
  const times = await repeated(async () => {
    const { text } = await send(`${origin}/x-nmos/query/v1.3/senders?paging.limit=${nodes}`, agent);
    if ((JSON.parse(text) as unknown[]).length !== nodes) throw new Error('The page is not whole');
  });
  agent.destroy();
  return times;
}

async function sync({ origins: [origin], nodes }: Options): Promise<object> {
  const agent = new Agent({ keepAlive: true });
  const subscription = { max_update_rate_ms: 100, persist: false, resource_path: '/senders', params: {} };
  const { text } = await send(`${origin}/x-nmos/query/v1.3/subscriptions`, agent, subscription);
  const { ws_href: address }: { ws_href: string } = JSON.parse(text);
  const times = await repeated(async () => {
    const socket = new WebSocket(address);
    let held = 0;
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data) => {
        const message: { grain: { data: unknown[] } } = JSON.parse(String(data));
        held += message.grain.data.length;
        if (held >= nodes) resolve();
      });
    });
    socket.terminate();
  });
  agent.destroy();
  return times;
}

/** Median of 9, after one that compiles. */
async function repeated(action: () => Promise<void>): Promise<object> {
  await action();
  const times: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    const startedMs = performance.now();
    await action();
    times.push(performance.now() - startedMs);
  }
  return { ms: times.sort((a, b) => a - b)[4] };
}
