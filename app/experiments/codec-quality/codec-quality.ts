import type { NativeHost } from '../../engine/capabilities/native-host';
import { requireHapEncoder } from '../../engine/content/encoder';
import { findManifest } from '../../engine/content/find-manifest';
import type { Experiment, Requirement } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { streamsOverLoopback } from '../../engine/sessions/environment';
import { requireMovies } from '../../engine/streams/sources/require-movies';
import { chooseSource } from '../../engine/streams/sources/source-choice';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { StreamsRow } from '../../facts/stream-row';
import { toProblem } from '../../protocol/errors';
import type { VideoFormat } from '../../protocol/format';
import { howToGet } from '../../protocol/how-to-get';
import { parseSource } from '../../protocol/source-spec';
import { casesOf, type QualityCase, wantedClips } from './cases';
import { type CodecQualityParameters, codecQualityDeclaration, codecQualityParameters } from './declaration';
import { QualityRun } from './quality-run';
import { codecQualityVerdict } from './verdict';

export const codecQuality: Experiment<
  typeof codecQualityParameters,
  StreamsRow,
  'streams' | 'native' | 'tools'
> = {
  declaration: codecQualityDeclaration,
  needs: () => ['streams', 'native', 'tools'],
  requires: (parameters) => [
    ffmpeg,
    ...(wantedClips(parameters, findManifest()).length > 0 ? [hapEncoder] : []),
  ],
  machineChecks: [
    machineCheck(codecQualityParameters.pick({ sources: true }), ({ sources }, host) =>
      requireMovies(sources, host, 'sources'),
    ),
  ],
  async check(parameters, host) {
    const cases = await findCases(parameters, host);
    const { frames, holdSeconds } = parameters;
    return {
      subject: `${cases.length} ${cases.length === 1 ? 'row' : 'rows'}, ${frames} frames of ${holdSeconds} s each`,
      environment: { topology: streamsOverLoopback, cases: cases.map(({ name }) => name) },
    };
  },
  async *run(parameters, context) {
    const cases = await findCases(parameters, context.native);
    yield* new QualityRun(parameters, context, cases, findManifest()).rows();
  },
  verdict: (rows, parameters) => codecQualityVerdict(rows, expectedRows(parameters), parameters.leastPsnrDb),
};

const ffmpeg = toolRequirement(
  'ffmpeg',
  `It paints the worst frames, and cuts crops: install it (${howToGet('ffmpeg')})`,
);

const hapEncoder: Requirement = {
  name: 'ffmpeg with the Hap encoder',
  check: () =>
    requireHapEncoder().then(
      () => null,
      (error: unknown) => {
        const { message, remedy } = toProblem(error);
        return remedy ? `${message}. ${remedy}` : message;
      },
    ),
};

/** @throws WhitelineError for a movie that cannot be played, and what `casesOf` refuses */
async function findCases(parameters: CodecQualityParameters, host: NativeHost): Promise<QualityCase[]> {
  const formats = new Map<string, VideoFormat>();
  for (const source of parameters.sources) {
    if (parseSource(source, 'sources').kind !== 'movie') continue;
    const { format } = await chooseSource({ source, format: '', pixelFormat: 'uyvy' }, host);
    formats.set(source, format);
  }
  return casesOf(parameters, findManifest(), formats);
}

/** How many rows a run has without its baseline; movies need not be inspected for it. */
function expectedRows(parameters: CodecQualityParameters): number {
  const { sources, sizes, crops } = parameters;
  const clips = wantedClips(parameters, findManifest()).length * sizes.length * (1 + crops.length);
  const perSource = sources.map((source) =>
    parseSource(source, 'sources').kind === 'movie' ? 1 + crops.length : sizes.length,
  );
  return perSource.reduce((total, rows) => total + rows, clips);
}
