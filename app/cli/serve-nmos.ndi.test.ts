import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readEvents, readSamples } from '../engine/sessions/read-run';
import { errorsBesideBusy } from '../testing/busy-lines';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { ask } from '../testing/http-client';
import { readStreamRun } from '../testing/named-rows';
import { expectSums } from '../testing/row-sums';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const pathFor = outputPaths(folder);

interface Receiver {
  id: string;
  label: string;
  device_id: string;
  transport: string;
  subscription: { sender_id: string | null; active: boolean };
}

async function started(pattern: RegExp, ...words: string[]): Promise<[WhitelineCommand, string]> {
  const command = new WhitelineCommand(words);
  onTestFinished(() => command.signal('SIGKILL'));
  await command.says(pattern);
  return [command, pattern.exec(command.output)?.[1] ?? ''];
}

/** A controller that knows the registry alone. */
class Controller {
  constructor(private readonly registry: string) {}

  async receivers(): Promise<Receiver[]> {
    const { body } = await this.query('receivers?transport=urn:x-nmos:transport:ndi');
    return (body as Receiver[]).sort((one, other) => one.label.localeCompare(other.label));
  }

  query(path: string) {
    return ask(`${this.registry}/x-nmos/query/v1.3/${path}`);
  }

  async activate({ id, device_id }: Receiver, change: object) {
    const { body } = await this.query(`devices/${device_id}`);
    const [{ href = '' } = {}] = (body as { controls: { href: string }[] }).controls;
    return ask(`${href}single/receivers/${id}/staged`, {
      method: 'PATCH',
      json: { ...change, activation: { mode: 'activate_immediate' } },
    });
  }
}

function liveRunIn(runs: string): string {
  const [session = ''] = readdirSync(runs);
  const [run = ''] = readdirSync(join(runs, session)).filter((entry) => entry.includes('live'));
  return join(runs, session, run);
}

/**
 * The warm-up of so many streams is over, and more than the second that a row lasts at least, by the run's own samples:
 * one comes every half second, later where the engine is held up.
 */
async function isMeasured(runs: string, streams: number): Promise<void> {
  const hasSamples = (): void => {
    const run = liveRunIn(runs);
    const connected = readEvents(run).filter(({ kind }) => kind === 'stream-connected');
    expect(connected).toHaveLength(streams);
    const connectedMs = Date.parse(connected.at(-1)?.at ?? '');
    const since = readSamples(run).filter(({ wallMs }) => wallMs > connectedMs);
    expect(since.length).toBeGreaterThanOrEqual(8);
  };
  await vi.waitFor(hasSamples, { interval: 50 });
}

test('a controller adds, moves and stops what the console follows, and each is in the run', async () => {
  const name = uniqueName();
  const machine = hostname().toUpperCase();
  const sources = [`${name} 1`, `${name} 2`] as const;
  const runs = pathFor('runs');
  const [, registry] = await started(
    /(http:\/\/[\d.:]+)/,
    'nmos',
    'registry',
    '--port',
    '0',
    '--no-announce',
  );
  const [[serve]] = await Promise.all([
    started(
      ...[/NMOS: the node is registered at/, 'serve', '--runs', runs, '--nmos-node'],
      ...['--nmos-registry', registry, '--nmos-receivers', '2'],
    ),
    started(/Sending /, 'send', '--name', name, '--format', '640x360@60', '--streams', '2'),
  ]);
  const controller = new Controller(registry);
  const receiver = async (): Promise<Receiver> => {
    const [first] = await controller.receivers();
    if (!first) throw new Error('the registry has no receiver of NDI');
    return first;
  };
  const follow = (source: string) => ({
    master_enable: true,
    transport_params: [{ machine_name: machine, source_name: source }],
  });
  const subscribed = (active: boolean) =>
    vi.waitFor(async () => expect((await receiver()).subscription).toEqual({ sender_id: null, active }), {
      interval: 50,
    });
  expect(await controller.receivers()).toHaveLength(2);

  const added = await controller.activate(await receiver(), follow(sources[0]));
  expect(added, added.text).toMatchObject({ status: 200 });
  await subscribed(true);
  await isMeasured(runs, 1);
  const moved = await controller.activate(await receiver(), follow(sources[1]));
  expect(moved, moved.text).toMatchObject({ status: 200 });
  await isMeasured(runs, 2);
  const stopped = await controller.activate(await receiver(), { master_enable: false });
  expect(stopped, stopped.text).toMatchObject({ status: 200 });
  await subscribed(false);
  const refused = await controller.activate(await receiver(), {
    master_enable: true,
    transport_params: [{ machine_name: null }],
  });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('machine_name') } });

  serve.signal('SIGINT');
  const { exitCode, errors } = await serve.ended;
  expect([exitCode, errorsBesideBusy(errors)]).toEqual([0, '']);
  expect((await controller.query('nodes')).body).toEqual([]);
  const recorded = liveRunIn(runs);
  const { rows } = readStreamRun(recorded);
  for (const source of sources) {
    const found = rows.filter(({ perStream }) =>
      perStream.some((one) => one.name === `${machine} (${source})`),
    );
    const frames = found.reduce((sum, row) => sum + (row.framesReceived ?? 0), 0);
    expect(frames, source).toBeGreaterThan(0);
    expectSums(found);
    for (const { streams } of found) expect(streams).toBe(1);
  }
  const events = readEvents(recorded).filter(({ kind }) => kind === 'nmos-activation');
  const [one, two] = sources.map((source) => `${machine} (${source})`);
  expect(events.map(({ text }) => text)).toEqual([
    `NMOS: 127.0.0.1 set receiver 1 to follow ${one}`,
    `NMOS: 127.0.0.1 set receiver 1 to follow ${two} in place of ${one}`,
    `NMOS: 127.0.0.1 set receiver 1 to stop following ${two}`,
    expect.stringContaining('NMOS: refused a change of receiver 1 by 127.0.0.1: Expected machine_name'),
  ]);
});
