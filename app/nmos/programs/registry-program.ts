import { type Registry, startRegistry } from '../registry/registry';
import { usualSystem } from '../registry/system-api';
import { runHelper } from './helper';
import { type RegistryCommand, type RegistryMessage, registryCommands } from './messages';

const lookEveryMs = 5;

/** A registry in a process of its own. */
export function runRegistryProgram(): void {
  runHelper<RegistryCommand, RegistryMessage>(() => {
    let registry: Registry | null = null;
    let fewest = 0;
    const served = (): Registry => {
      if (!registry) throw new Error('The registry is not served yet');
      return registry;
    };
    const serve = async ({
      host,
      expirySeconds,
      heartbeatSeconds,
    }: Extract<RegistryCommand, { type: 'serve' }>) => {
      const system = { ...usualSystem, heartbeatSeconds: Math.max(1, Math.round(heartbeatSeconds)) };
      registry = await startRegistry({ hosts: [host], port: 0, expirySeconds, system });
      const { store } = registry;
      setInterval(() => {
        fewest = Math.min(fewest, store.size);
      }, lookEveryMs);
      return registry.http.origins[0] ?? '';
    };
    return {
      commands: registryCommands,
      async act(command, send) {
        switch (command.type) {
          case 'serve':
            return send({ type: 'serving', origin: await serve(command) });
          case 'follow':
            return served().addPeer(command.peer);
          case 'hold': {
            const { store } = served();
            while (store.size < command.resources) await pause();
            return send({ type: 'holds', atNs: String(process.hrtime.bigint()) });
          }
          case 'watch':
            fewest = served().store.size;
            return;
          case 'census':
            return send({ type: 'census', resources: served().store.size, fewest });
        }
      },
    };
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
