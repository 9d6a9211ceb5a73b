import { throwAll } from '../../protocol/all-wrong';
import { badInput, type WhitelineError } from '../../protocol/errors';
import { formatText, rateText } from '../../protocol/format';
import { type MixedSource, mixedSourceText, parseMixedSource } from '../../protocol/mix-spec';
import { type SourceSettings, sourceText } from '../../protocol/source-spec';
import type { StreamLoadParameters } from './declaration';

/** Of a movie alone; each source of a mix says its own size and rate. */
const soleSourceFields = ['scale', 'rate', 'startFrame', 'preload'] as const;

/**
 * What the streams play, in turn: stream n plays the n-th, and from the first again after the last.
 * @throws WhitelineError BAD_INPUT for a parameter of a single source beside a mix
 */
export function playedSources(parameters: StreamLoadParameters): SourceSettings[] {
  const { mix, format, pixelFormat, reads } = parameters;
  if (!mix) return [parameters];
  for (const field of soleSourceFields) {
    if (parameters[field] === undefined) continue;
    const remedy = 'Give a movie of the mix its size and rate behind its path, as in "clip.mov 1280x720@30"';
    throw badInput(field, 'no value with a mix', parameters[field], remedy);
  }
  const mixed = mix.map((text) => parseMixedSource(text));
  if (reads === 'direct' && !mixed.some(({ source }) => source.kind === 'movie'))
    throw badInput(
      'reads',
      'cached with a mix of generated sources',
      reads,
      'Only a Hap movie has this setting',
    );
  return mixed.map((each) => settingsOf(each, { format, pixelFormat, reads }));
}

function settingsOf(
  { source, format }: MixedSource,
  { reads, ...defaults }: Pick<SourceSettings, 'format' | 'pixelFormat' | 'reads'>,
): SourceSettings {
  const settings = { ...defaults, source: sourceText(source), ...(source.kind === 'movie' && { reads }) };
  if (!format) return settings;
  if (source.kind !== 'movie') return { ...settings, format: formatText(format) };
  return { ...settings, scale: `${format.width}x${format.height}`, rate: rateText(format.rate) };
}

/** Whether each stream has its own source: it has if it is in its own process. */
export function sourcesEach({ sources, processes }: StreamLoadParameters): boolean {
  return sources === 'each' || processes === 'each';
}

/**
 * Checks what one parameter asks of another.
 * @throws WhitelineError BAD_INPUT
 */
export function checkRamp(parameters: StreamLoadParameters): void {
  const { start, maxStreams, goal, sources, processes, inject, injectFrom } = parameters;
  const wrong: WhitelineError[] = [];
  if (start > maxStreams) {
    const remedy = 'Start with fewer streams, or raise maxStreams';
    wrong.push(badInput('start', `no more than the maximum of ${maxStreams} streams`, start, remedy));
  }
  if (goal !== undefined && goal > maxStreams) {
    const remedy = 'The run could never pass: lower the goal, or raise maxStreams';
    wrong.push(badInput('goal', `no more than the maximum of ${maxStreams} streams`, goal, remedy));
  }
  if (inject !== undefined && injectFrom > maxStreams) {
    const remedy = 'No stream would have the faults: put them in from fewer streams on, or raise maxStreams';
    wrong.push(
      badInput('injectFrom', `no more than the maximum of ${maxStreams} streams`, injectFrom, remedy),
    );
  }
  if (processes === 'each' && sources === 'shared') {
    const remedy = 'A source lives in the process of its sender: leave sources out, or use processes one';
    wrong.push(badInput('sources', 'each where every stream has a process of its own', sources, remedy));
  }
  throwAll(wrong);
}

/** The mix in words; empty for a single source. */
export function mixText({ mix }: StreamLoadParameters): string {
  return (mix ?? []).map((text) => mixedSourceText(parseMixedSource(text))).join(' + ');
}
