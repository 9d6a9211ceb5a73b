import type { Clock } from '../../protocol/clock';
import { openFilesLimit } from '../../protocol/open-files-limit';
import { countResources, ownedBy } from '../load/count-resources';
import { Load } from '../load/load';
import type { Comings } from '../load/load-figures';
import { SimulatedConnections } from '../load/simulated-connections';
import { StandstillWatch } from '../load/standstill';
import { findRegistries } from './find-registries';
import { runHelper } from './helper';
import { type NodesCommand, type NodesMessage, nodesCommands } from './messages';

const progressMs = 250;
const mostLines = 20;
const longestLine = 500;

/** Simulated nodes in a process of their own. */
export function runNodesProgram(clock: Clock): void {
  runHelper<NodesCommand, NodesMessage>(clock, (send, own) => {
    const standstill = new StandstillWatch(clock).start();
    const lines = new Set<string>();
    let load: Load | null = null;
    const begun = (): Load => {
      if (!load) throw new Error('No node has begun yet');
      return load;
    };
    const begin = async ({
      type: _,
      controlHost,
      ...options
    }: Extract<NodesCommand, { type: 'begin' }>): Promise<void> => {
      const log = (line: string): void => {
        if (lines.size < mostLines) lines.add(line.slice(0, longestLine));
      };
      const controls =
        controlHost === null ? undefined : await SimulatedConnections.start(controlHost, clock, log);
      send({ type: 'begun', controls: controls?.href ?? null });
      const begins = new Load({ ...options, controls, clock, log });
      load = begins;
      // To make the nodes takes a moment in which none is due.
      standstill.begin();
      void begins.settled.then(() => {
        send({ type: 'settled', atNs: String(clock.monotonicNs()) });
        standstill.split();
      });
      clock.every(progressMs, () => {
        const { registered } = begins.figures();
        send({ type: 'progress', registered, back: begins.recovered()?.back ?? null });
      });
    };
    return {
      commands: nodesCommands,
      async act(command) {
        switch (command.type) {
          case 'find': {
            const limit = openFilesLimit();
            const openFiles = limit === Number.POSITIVE_INFINITY ? null : limit;
            return send({ type: 'found', openFiles, ...(await findRegistries(command.registries)) });
          }
          case 'begin':
            return begin(command);
          case 'silence':
            begun().isSilent = command.isOn;
            return send({ type: 'silenced' });
          case 'part':
            begun().beginPart();
            lines.clear();
            standstill.begin();
            return send({ type: 'parted' });
          case 'recover': {
            // A quiet break before it hides no stall of the recovery.
            standstill.split();
            const recovered = begun().recover(command.gone);
            send({ type: 'recovering' });
            await recovered;
            send({ type: 'recovered', atNs: String(clock.monotonicNs()) });
            return standstill.split();
          }
          case 'report': {
            if (command.waits) await begun().heartbeatsOver();
            const figures = begun().figures();
            const registrations = asText(begun().registrations());
            const recovered = begun().recovered();
            const recovery = recovered && { ...recovered, comings: asText(recovered.comings) };
            const others = { registrations, recovery, lines: [...lines], ...standstill.read() };
            return send({ type: 'report', figures, ...others });
          }
          case 'count':
            return send(await counted(command));
          case 'remove': {
            const staying = (await load?.close()) ?? 0;
            return send({ type: 'removed', staying, answers: load?.figures().answers.removal ?? {} });
          }
          case 'standstills':
            return send({ type: 'standstills', standstills: own.take() });
        }
      },
    };

    async function counted({
      number,
      run,
      nodes,
      ...asked
    }: Extract<NodesCommand, { type: 'count' }>): Promise<NodesMessage> {
      try {
        return {
          type: 'counted',
          number,
          ...(await countResources(asked, ownedBy(run, nodes), clock)),
          why: null,
        };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { type: 'counted', number, ours: 0, leftOver: 0, others: 0, why };
      }
    }
  });
}

function asText({ sinceNs, seconds }: Comings): { sinceNs: string; seconds: number[] } {
  return { sinceNs: String(sinceNs), seconds };
}
