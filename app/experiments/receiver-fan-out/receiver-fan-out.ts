import type { Experiment, StreamsContext } from '../../engine/experiment/experiment';
import { type HeldRow, measureRow } from '../../engine/experiment/held-row';
import { machineCheck } from '../../engine/experiment/machine-check';
import {
  chosenBefore,
  onMachines,
  sourceFacts,
  topologyOf,
  wayText,
} from '../../engine/experiment/on-machines';
import { requireMovies } from '../../engine/streams/sources/require-movies';
import { playedText } from '../../engine/streams/sources/source-choice';
import { counted } from '../../facts/count-words';
import type { StreamsRow } from '../../facts/stream-row';
import { streamRowSeconds } from '../stream-table';
import { type Arm, arms, fanOutRow } from './costs';
import {
  type ReceiverFanOutParameters,
  receiverFanOutDeclaration,
  receiverFanOutParameters,
} from './declaration';
import { receiverFanOutVerdict } from './verdict';

export const receiverFanOut: Experiment<typeof receiverFanOutParameters, StreamsRow, 'streams'> = {
  declaration: receiverFanOutDeclaration,
  needs: () => ['streams'],
  requires: () => [],
  sources: (parameters) => [parameters],
  machineChecks: [
    machineCheck(
      receiverFanOutParameters.pick({ source: true, sendOn: true }),
      async ({ source, sendOn }, host) => {
        if (sendOn === undefined) await requireMovies([source], host);
      },
    ),
  ],
  async check(parameters, host) {
    const { source, maxReceivers } = parameters;
    const chosen = await chosenBefore(parameters, parameters, host);
    const what = `up to ${counted(maxReceivers, 'receiver')} on one sender, then up to ${counted(maxReceivers, 'sender')}, ${wayText(parameters)}`;
    return {
      subject: `${playedText(source, chosen)}, ${what}`,
      environment: { topology: topologyOf(parameters), source: sourceFacts(chosen, source, parameters) },
    };
  },
  run: (parameters, context) => onMachines(parameters, context, () => rowsOf(parameters, context)),
  verdict: (rows, { maxReceivers }) => receiverFanOutVerdict(rows, maxReceivers),
};

async function* rowsOf(
  parameters: ReceiverFanOutParameters,
  context: StreamsContext,
): AsyncGenerator<StreamsRow> {
  const { signal } = context;
  const { set } = context.streams;
  const report = progressOf(parameters, context);
  await set.openSource(parameters, { signal });
  if (signal.aborted) return;
  let index = 0;
  report('baseline', index);
  const baseline = await measureRow(context, index, parameters);
  if (!baseline) return;
  yield fanOutRow(baseline.row, null, []);
  await set.recovery;
  // A stream process that could not be started again: nothing more can be measured.
  if (set.lost) return;
  for (const arm of arms) {
    const rows: StreamsRow[] = [];
    for (let count = 1; count <= parameters.maxReceivers; count++) {
      report(arm === 'receivers' ? 'receivers on one sender' : 'senders', ++index);
      await add(arm, parameters, context);
      const measured: HeldRow | null = signal.aborted ? null : await measureRow(context, index, parameters);
      if (!measured) return;
      const row = fanOutRow(measured.row, arm, rows);
      rows.push(row);
      yield row;
      await set.recovery;
      if (set.lost) return;
      // If the streams do not pass, more of them do not show their cost.
      if (!measured.connected || row.figures.senderMissed) break;
    }
    if (signal.aborted) return;
    await set.removeAll();
  }
}

async function add(
  arm: Arm,
  { name, audio }: ReceiverFanOutParameters,
  { streams: { set } }: StreamsContext,
): Promise<void> {
  const [first] = set.streams;
  if (arm === 'receivers' && first) await set.addReceiver(first);
  else await set.addStream(name, { audio });
}

function progressOf(parameters: ReceiverFanOutParameters, context: StreamsContext) {
  const rowSeconds = streamRowSeconds(parameters);
  const steps = 1 + arms.length * parameters.maxReceivers;
  return (phase: string, step: number): void =>
    context.progress({
      ...{ phase, step, steps, phaseSeconds: rowSeconds, phaseElapsedSeconds: 0 },
      remainingSeconds: (steps - step) * rowSeconds,
    });
}
