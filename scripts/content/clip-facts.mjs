import { variants } from './clip-list.mjs';

/** What a reader must find in a clip, worked out from what was asked for and not from the file. */
export function clipFacts(clip, sampleBytes) {
  const { timing, layout, size } = clip;
  const shown = shownFrames(timing, layout);
  const durationTicks = shown.at(-1).startTicks + shown.at(-1).ticks;
  const isConstant = shown.every(({ ticks }) => ticks === shown[0].ticks);
  const rate = isConstant
    ? lowestTerms(timing.timeScale, shown[0].ticks)
    : lowestTerms(timing.timeScale * shown.length, durationTicks);
  return {
    fourCC: variants[clip.variant].fourCC,
    ...size,
    timeScale: timing.timeScale,
    durationTicks,
    rate,
    constantRate: isConstant,
    structure: clip.words,
    startTicks: shown.map(({ startTicks }) => startTicks),
    frameBytes: shown.map(({ sample }) => sampleBytes[sample]),
    chunksOfEachImage: shown.map(({ sample }) => chunksOf(clip, sample)),
  };
}

/** How long an edit list waits before the first frame. */
export function delayTicks({ layout }) {
  const [first] = layout.edits ?? [];
  return first?.mediaTicks === -1 ? first.ticks : 0;
}

/** The samples that an edit list leaves, `{sample, startTicks, ticks}`, without the delay before the first. */
function shownFrames({ durations, timeScale }, { edits, movieTimeScale = timeScale }) {
  const samples = durations.map((ticks, sample) => ({ sample, ticks }));
  let mediaTicks = 0;
  for (const sample of samples) {
    sample.mediaTicks = mediaTicks;
    mediaTicks += sample.ticks;
  }
  const played = edits?.find((edit) => edit.mediaTicks >= 0) ?? { mediaTicks: 0, ticks: mediaTicks };
  const movieTicks = Math.ceil((played.ticks * movieTimeScale) / timeScale);
  return samplesInEdit(samples, played.mediaTicks, (movieTicks * timeScale) / movieTimeScale);
}

/** Those that begin within it, each in full. */
function samplesInEdit(samples, fromTicks, editTicks) {
  const inside = samples.filter(
    ({ mediaTicks }) => mediaTicks >= fromTicks && mediaTicks < fromTicks + editTicks,
  );
  return inside.map(({ sample, mediaTicks, ticks }) => ({
    sample,
    startTicks: mediaTicks - inside[0].mediaTicks,
    ticks,
  }));
}

function chunksOf({ structures, encoder }, sample) {
  const structure = structures[sample % structures.length];
  return encoder?.chunks ?? (structure.compressor === 'chunks' ? structure.chunks : 1);
}

function lowestTerms(numerator, denominator) {
  let [greater, lesser] = [numerator, denominator];
  while (lesser > 0) [greater, lesser] = [lesser, greater % lesser];
  return [numerator / greater, denominator / greater];
}
