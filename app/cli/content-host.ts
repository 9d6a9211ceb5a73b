import type { NativeHost } from '../engine/capabilities/native-host';
import type { Opened } from '../engine/capabilities/open-capabilities';
import type { ContentWork } from '../engine/instrument';
import type { HostConnection } from '../engine/streams/host-connection';
import { WhitelineError } from '../protocol/errors';
import type { Standstill } from '../protocol/standstill';
import { type HostSpawner, type HostWith, spawnHost } from './hosts';

const running = new Set<HostConnection>();
const standstills: Standstill[] = [];

/** What a run knows of the hosts below. */
export const contentWork: ContentWork = {
  processIds: () => [...running].flatMap(({ processIds }) => processIds),
  takeStandstills: () => standstills.splice(0),
};

/**
 * One host that inspects movies and makes clips, for as long as `action` needs it; NDI is not looked for.
 * @throws WhitelineError where the native addon cannot be loaded
 */
export async function withContentHost<Result>(
  action: (host: HostConnection) => Promise<Result>,
): Promise<Result> {
  const { host, close } = await startContentHost();
  try {
    return await action(host);
  } finally {
    void close();
  }
}

/** Starts a host for each question: what cannot be played is reported before NDI starts. */
export const nativeHost: NativeHost = {
  request: (...request) => withContentHost((host) => host.request(...request)),
};

/**
 * One host for all questions of a run. What keeps it from starting is its answer to each of them, since a run may do without;
 * after a death the next question starts another.
 */
export async function openContentHost(application?: HostSpawner): Promise<Opened<'native'>> {
  let started: Promise<ContentHost> | null = null;
  const start = (): Promise<ContentHost> => {
    const forget = (): void => {
      if (started === starting) started = null;
    };
    const starting = startContentHost(forget, application);
    starting.catch(forget);
    return starting;
  };
  const current = (): Promise<ContentHost> => {
    started ??= start();
    return started;
  };
  await current().catch(() => undefined);
  return {
    use: { request: async (...request) => (await current()).host.request(...request) },
    close: async () => (await started)?.close(),
  };
}

interface ContentHost {
  host: HostConnection;
  /** Resolves when its process is gone. */
  close(): Promise<void>;
}

async function startContentHost(
  onDeath: () => void = () => undefined,
  application?: HostSpawner,
): Promise<ContentHost> {
  const options: HostWith = {
    name: 'content',
    onRecords: (message) => standstills.push(...message.standstills),
    onDeath: () => {
      running.delete(host);
      onDeath();
    },
  };
  const host = spawnHost('sending', options, application);
  const close = (): Promise<void> => {
    running.delete(host);
    return host.close();
  };
  try {
    const { addonProblem } = await host.start({ transport: { name: 'ndi', candidates: [] } }, 0);
    if (addonProblem) throw new WhitelineError(addonProblem);
  } catch (error) {
    void close();
    throw error;
  }
  running.add(host);
  return { host, close };
}
