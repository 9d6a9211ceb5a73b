import type { Clock } from '../../protocol/clock';
import { type Registry, startRegistry } from '../registry/registry';
import { usualSystem } from '../registry/system-api';
import { runHelper } from './helper';
import { type RegistryCommand, type RegistryMessage, registryCommands } from './messages';

const lookEveryMs = 5;

/** A registry in a separate process. */
export function runRegistryProgram(clock: Clock): void {
  runHelper<RegistryCommand, RegistryMessage>(clock, (_, own) => {
    let registry: Registry | null = null;
    let fewest = 0;
    const served = (): Registry => {
      if (!registry) throw new Error('The registry is not served yet');
      return registry;
    };
    const serve = async ({
      hosts,
      expirySeconds,
      heartbeatSeconds,
    }: Extract<RegistryCommand, { type: 'serve' }>) => {
      const system = { ...usualSystem, heartbeatSeconds: Math.max(1, Math.round(heartbeatSeconds)) };
      registry = await startRegistry({ hosts, port: 0, expirySeconds, system, clock });
      const { store } = registry;
      clock.every(lookEveryMs, () => {
        fewest = Math.min(fewest, store.size);
      });
      return registry.http.origins;
    };
    return {
      commands: registryCommands,
      async act(command, send) {
        switch (command.type) {
          case 'serve':
            return send({ type: 'serving', origins: await serve(command) });
          case 'follow':
            return served().addPeer(command.peer);
          case 'hold': {
            const { store } = served();
            while (store.size < command.resources) await clock.sleep(lookEveryMs);
            return send({ type: 'holds', atNs: String(clock.monotonicNs()) });
          }
          case 'watch':
            fewest = served().store.size;
            return;
          case 'census':
            return send({ type: 'census', resources: served().store.size, fewest });
          case 'standstills':
            return send({ type: 'standstills', standstills: own.take() });
        }
      },
    };
  });
}
