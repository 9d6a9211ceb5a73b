import { Agent, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';

/** What a client reads of a registry's Query API at a time: times in ms. */
export class QueryClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly root: string;

  constructor(origin: string, version = 'v1.3') {
    this.root = `${origin}/x-nmos/query/${version}`;
  }

  async count(collection: string, most: number): Promise<number> {
    const page: unknown[] = JSON.parse(await this.send(`${this.root}/${collection}?paging.limit=${most}`));
    return page.length;
  }

  page(collection: string, length: number): Promise<number> {
    return repeated(async () => {
      if ((await this.count(collection, length)) !== length) throw new Error('the page is not whole');
    });
  }

  /** From the opening of a subscription's WebSocket to the last of them. */
  async sync(collection: string, length: number): Promise<number> {
    const { ws_href: address } = await this.subscribe(collection, false);
    return repeated(async () => {
      const socket = new WebSocket(address);
      let held = 0;
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('message', (data) => {
          const message: { grain: { data: unknown[] } } = JSON.parse(String(data));
          held += message.grain.data.length;
          if (held >= length) resolve();
        });
      });
      socket.terminate();
    });
  }

  async subscribe(collection: string, persist: boolean): Promise<{ ws_href: string }> {
    const body = { max_update_rate_ms: 100, persist, resource_path: `/${collection}`, params: {} };
    return JSON.parse(await this.send(`${this.root}/subscriptions`, body));
  }

  close(): void {
    this.agent.destroy();
  }

  /** Resolves to the text of the answer. */
  private send(url: string, json?: unknown): Promise<string> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          const text = Buffer.concat(chunks).toString();
          if (status < 300) resolve(text);
          else reject(new Error(`${method} ${url}: ${status} ${text.slice(0, 300)}`));
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** Median of 9, after one that compiles. */
async function repeated(action: () => Promise<void>): Promise<number> {
  await action();
  const times: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    const startedMs = performance.now();
    await action();
    times.push(performance.now() - startedMs);
  }
  return times.sort((a, b) => a - b)[4] ?? Number.NaN;
}
