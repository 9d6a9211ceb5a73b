import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Cable, freePort } from '../../../testing/cable';
import { WhitelineCommand } from '../../../testing/command';
import { ask } from '../../../testing/http-client';
import { Client } from '../../../testing/nmos-client';
import { nmosTypes } from '../../../testing/nmos-resources';
import { Random, seeds } from '../../../testing/random';
import { temporaryFolder } from '../../../testing/temporary-folder';

const folder = temporaryFolder();
const runs = 5;
const steps = 25;
/** A snapshot has what is older. */
const writtenMs = 500;
const times = ['--heartbeat', '1s', '--expiry', '4s'];

/** A registry in a process of its own. */
class RealSite {
  private command: WhitelineCommand | null = null;

  constructor(
    private readonly port: number,
    private readonly flags: readonly string[],
  ) {}

  async start(): Promise<void> {
    const command = new WhitelineCommand([
      ...['nmos', 'registry', '--no-announce', '--port', String(this.port), ...this.flags],
    ]);
    this.command = command;
    await command.says(/Ctrl-C/);
  }

  async kill(): Promise<void> {
    this.command?.signal('SIGKILL');
    await this.command?.ended;
    this.command = null;
  }

  async send(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<number | null> {
    const url = `http://127.0.0.1:${this.port}/x-nmos/registration/v1.3/${path}`;
    return ask(url, { method, json }).then(
      ({ status }) => status,
      () => null,
    );
  }

  async held(): Promise<string[]> {
    const texts: string[] = [];
    for (const type of nmosTypes) {
      const { body } = await ask(`http://127.0.0.1:${this.port}/x-nmos/query/v1.3/${type}s`);
      texts.push(...(body as unknown[]).map((one) => JSON.stringify(one)));
    }
    return texts.sort();
  }
}

const passing = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each(seeds.flatMap((seed) => Array.from({ length: runs }, (_, number) => seed + number)))(
  'two registries that are killed and cut hold the same in the end, and what is alive (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const ports = [await freePort(), await freePort()] as const;
    const cables = await Promise.all(ports.map((port) => Cable.to(`http://127.0.0.1:${port}`)));
    const sites = ports.map((port, number) => {
      const peer = cables[1 - number]?.url ?? '';
      return new RealSite(port, ['--peer', peer, '--snapshot', join(folder, `${seed}-${number}`), ...times]);
    });
    onTestFinished(async () => {
      for (const site of sites) await site.kill();
    });
    for (const site of sites) await site.start();
    const nodes = Array.from({ length: 4 }, (_, number) => new Client(number + 1, sites));
    const beats = setInterval(() => {
      for (const node of nodes) void node.beat();
    }, 1000);
    onTestFinished(() => clearInterval(beats));
    for (let step = 0; step < steps; step++) {
      await passing(random.whole(0, 600));
      const kind = random.whole(0, 9);
      if (kind < 7) await random.pick(nodes).act(random);
      else if (kind === 7) for (const cable of cables) cable.cut();
      else if (kind === 8) for (const cable of cables) cable.join();
      else {
        await passing(writtenMs);
        const site = random.pick(sites);
        await site.kill();
        await passing(random.whole(0, 4000));
        await site.start();
      }
    }
    for (const cable of cables) cable.join();
    await expect
      .poll(async () => [await sites[0]?.held(), await sites[1]?.held()], { timeout: 60_000, interval: 200 })
      .toEqual([0, 1].map(() => nodes.flatMap((node) => node.wanted()).sort()));
  },
  180_000,
);
