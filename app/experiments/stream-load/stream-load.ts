import type { Experiment } from '../../engine/experiment/experiment';
import {
  chosenBefore,
  onMachines,
  sourceFacts,
  topologyOf,
  wayText,
} from '../../engine/experiment/on-machines';
import { type ChosenSource, playedText } from '../../engine/streams/sources/source-choice';
import { counted } from '../../facts/count-words';
import type { StreamsRow } from '../../facts/stream-row';
import { streamLoadDeclaration, type streamLoadParameters } from './declaration';
import { injectedFaults } from './injected-faults';
import { RampRun } from './ramp-run';
import { checkRamp, mixText, playedSources } from './sources';
import { streamLoadVerdict } from './verdict';

export const streamLoad: Experiment<typeof streamLoadParameters, StreamsRow, 'streams'> = {
  declaration: streamLoadDeclaration,
  needs: () => ['streams'],
  requires: () => [],
  sources: playedSources,
  async check(parameters, host) {
    checkRamp(parameters);
    const played = playedSources(parameters);
    const chosen: (ChosenSource | null)[] = [];
    for (const settings of played) chosen.push(await chosenBefore(settings, parameters, host));
    for (const source of chosen) if (source) injectedFaults(parameters, source.format.rate);
    const [first = null] = chosen;
    const what = mixText(parameters) || playedText(parameters.source, first);
    const sources = chosen.map((source, index) =>
      sourceFacts(source, played[index]?.source ?? '', parameters),
    );
    const environment = { topology: topologyOf(parameters), source: sources[0] };
    return {
      subject: `${what}, up to ${counted(parameters.maxStreams, 'stream')} ${wayText(parameters)}`,
      environment: parameters.mix ? { ...environment, sources } : environment,
      ...(!parameters.mix && first && { played: { source: parameters.source, remarks: first.remarks } }),
    };
  },
  run: (parameters, context) =>
    onMachines(parameters, context, () => new RampRun(parameters, context).rows()),
  verdict: (rows, { goal, maxStreams }) => streamLoadVerdict(rows, { goal: goal ?? maxStreams, maxStreams }),
};
