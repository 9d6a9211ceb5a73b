import type { Experiment } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import {
  chosenBefore,
  onMachines,
  sourceFacts,
  topologyOf,
  wayText,
} from '../../engine/experiment/on-machines';
import { requireMovies } from '../../engine/streams/sources/require-movies';
import { type ChosenSource, playedSource, playedText } from '../../engine/streams/sources/source-choice';
import { counted } from '../../facts/count-words';
import type { StreamsRow } from '../../facts/stream-row';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import { parseMixedSource } from '../../protocol/mix-spec';
import { sourceText } from '../../protocol/source-spec';
import { streamLoadDeclaration, streamLoadParameters } from './declaration';
import { injectedFaults } from './injected-faults';
import { RampRun } from './ramp-run';
import { checkRamp, mixText, playedSources } from './sources';
import { streamLoadVerdict } from './verdict';

export const streamLoad: Experiment<typeof streamLoadParameters, StreamsRow, 'streams'> = {
  declaration: streamLoadDeclaration,
  needs: () => ['streams'],
  requires: () => [],
  sources: playedSources,
  machineChecks: [
    machineCheck(
      streamLoadParameters.pick({ source: true, mix: true, sendOn: true }),
      async ({ source, mix, sendOn }, host) => {
        if (sendOn !== undefined) return;
        const mixed = mix?.map((text) => sourceText(parseMixedSource(text).source));
        await requireMovies(mixed ?? [source], host, mixed ? 'mix' : 'source');
      },
    ),
  ],
  async check(parameters, host) {
    const chosen: (ChosenSource | null)[] = [];
    const choose = async (): Promise<void> => {
      for (const settings of playedSources(parameters))
        chosen.push(await chosenBefore(settings, parameters, host));
    };
    throwAll(await wrongBy(() => checkRamp(parameters), choose));
    const played = playedSources(parameters);
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
      ...(!parameters.mix && first && { played: playedSource(parameters.source, first) }),
    };
  },
  run: (parameters, context) =>
    onMachines(parameters, context, () => new RampRun(parameters, context).rows()),
  verdict: (rows, { goal, maxStreams }) => streamLoadVerdict(rows, { goal: goal ?? maxStreams, maxStreams }),
};
