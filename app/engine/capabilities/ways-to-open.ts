import { lostBetweenRowsText } from '../../facts/lost-between-rows';
import { reasonOf } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import { experimentOf } from '../experiment/experiment-of';
import type { RemoteMachine } from '../host-application';
import type { Instrument } from '../instrument';
import { machineBooks } from '../machine/machine-books';
import { BetweenRows } from '../runs/between-rows';
import { readParameters } from '../runs/parameters';
import { RowMeter, type RowMeterOptions } from '../streams/rows/row-meter';
import type { NoteEvent } from '../streams/stream-hosts';
import { runTool } from '../tools/run-tool';
import type { Helpers } from './helper/helpers';
import type { Opened, WaysToOpen } from './open-capabilities';

/** What a run's capabilities know of it. */
export interface OfRun {
  thresholds: Thresholds;
  /** Of its streams. */
  warmUpSeconds: number;
  /** Of this machine since the newest row. */
  samples(): LoadSample[];
  /** Signal of the run. When it aborts, nothing more is fetched from other machines at the end. */
  signal?: AbortSignal;
  /** Opens what answers for native code; it needs no streams. */
  native: WaysToOpen['native'];
  /** A row of streams was opened; its preview is null once it closes. */
  onOpenRow?(row: Pick<RowMeter, 'preview'>): void;
  noteEvent: NoteEvent;
}

/** How this machine opens what a run needs. */
export function waysToOpen(instrument: Instrument, run: OfRun): WaysToOpen {
  return {
    streams: () => openStreams(instrument, run),
    native: run.native,
    helper: () => openHelpers(instrument.helpers),
    tools: () => ({ use: { run: runTool } }),
    machine: () => ({ use: { ...machineBooks, fleetServerId: () => instrument.fleetServerId } }),
    machines: () => openMachines(instrument),
    experiments: () => ({
      use: {
        rowsOf: (id, parameters, context) => {
          const experiment = experimentOf(id);
          return experiment.run(readParameters(experiment.declaration, { ...parameters }), context);
        },
      },
    }),
  };
}

/** The stream hosts run already; what the run opened in them is closed with it. */
function openStreams({ set, wall }: Instrument, run: OfRun): Opened<'streams'> {
  const { thresholds, samples, signal, warmUpSeconds, onOpenRow } = run;
  const options: RowMeterOptions = {
    ...{ set, clock: wall.clock, thresholds, samples },
    // The recorder holds it for as long as the run lasts.
    wallOffsetUs: wall.offsetUs,
  };
  const between = new BetweenRows({
    ...{ ...options, set, isSenderRemote: false, warmUpSeconds },
    onLost: (lost) =>
      run.noteEvent('lost-between-rows', lostBetweenRowsText(lost), { ...lost }, Number(lost.streamId)),
  });
  set.beforeRemoval = (stream) => between.leave(stream);
  return {
    use: {
      set,
      openRow: (index, streams, fromNs, toNs) => {
        const onClosing = (atNs: number): void => between.closed(atNs);
        const meter = new RowMeter({ ...options, onClosing }, index, streams, fromNs, toNs);
        between.opened(meter, fromNs);
        onOpenRow?.(meter);
        return meter;
      },
      meterBeside: (streams, fromNs) => new RowMeter(options, 0, streams, fromNs),
    },
    close: () =>
      between
        .close()
        .finally(() => {
          set.beforeRemoval = null;
        })
        .finally(() => set.removeAll())
        .finally(() => set.closeSource())
        .finally(() => set.fetchLogs(signal)),
  };
}

/** They are given back once the run is over, with what runs on them. */
function openMachines(instrument: Instrument): Opened<'machines'> {
  const taken: RemoteMachine[] = [];
  /** Of helpers there, before the row that is open. */
  const deaths = new Map<RemoteMachine, number>();
  return {
    use: {
      take: async (field, name) => {
        const machine = await instrument.findMachine(field, name);
        if (!taken.includes(machine)) {
          taken.push(machine);
          deaths.set(machine, machine.helper.died.length);
        }
        instrument.follow(taken);
        return machine;
      },
    },
    takeFlaws: () =>
      taken.flatMap((machine) => {
        const { died } = machine.helper;
        const dead = died.slice(deaths.get(machine));
        deaths.set(machine, died.length);
        return dead.map((one) => reasonOf('helper-died', { ...one }));
      }),
    close: async () => {
      instrument.follow([]);
      await Promise.all(taken.map((machine) => machine.release()));
    },
  };
}

/** What a helper that died would have measured is not known, whatever the others did. */
export function openHelpers(helpers: Helpers): Opened<'helper'> {
  let deaths = helpers.died.length;
  return {
    use: helpers,
    takeFlaws: () => {
      const dead = helpers.died.slice(deaths);
      deaths += dead.length;
      return dead.map((one) => reasonOf('helper-died', { ...one }));
    },
    close: () => helpers.close(),
  };
}
