import type { Experiment } from '../../engine/experiment/experiment';
import { checkPlaces, onMachines, topologyOf, wayText } from '../../engine/experiment/on-machines';
import { type ChosenSource, chooseSource, playedText } from '../../engine/streams/sources/source-choice';
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
  async check(parameters, host) {
    checkRamp(parameters);
    const played = playedSources(parameters);
    checkPlaces(
      parameters,
      played.map(({ source }) => source),
    );
    const chosen: ChosenSource[] = [];
    for (const settings of played) chosen.push(await chooseSource(settings, host));
    for (const { format } of chosen) injectedFaults(parameters, format.rate);
    const [first] = chosen as [ChosenSource];
    const what = mixText(parameters) || playedText(parameters.source, first);
    const environment = { topology: topologyOf(parameters), source: first.environment };
    return {
      subject: `${what}, up to ${counted(parameters.maxStreams, 'stream')} ${wayText(parameters)}`,
      environment: parameters.mix
        ? { ...environment, sources: chosen.map((source) => source.environment) }
        : environment,
      ...(!parameters.mix && { played: { source: parameters.source, remarks: first.remarks } }),
    };
  },
  run: (parameters, context) =>
    onMachines(parameters, context, () => new RampRun(parameters, context).rows()),
  verdict: (rows, { goal, maxStreams }) => streamLoadVerdict(rows, { goal: goal ?? maxStreams, maxStreams }),
};
