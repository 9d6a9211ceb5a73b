import { aggregated, total } from './metric';

const watched = 'Not measured of streams that are not watched as a mixer’s programme.';

/** What a row reports of a mixer's programme. */
export const programmeMetrics = aggregated('sum-of-known', [
  total(
    'cuts',
    'Cuts',
    'none',
    'changes of the source id in the pictures of the programme',
    `Changes from one of our sources to another. ${watched}`,
    'frame code',
  ),
  total(
    'framesMissingAtCuts',
    'missing at cuts',
    'lower',
    'periods of the output between the pictures of two sources − 1 − pictures between them',
    `Of the missing frames, those at cuts. ${watched}`,
    'capture times, frame code',
  ),
  total(
    'picturesMixed',
    'Mixed',
    'none',
    'pictures between those of two sources that are of neither alone, but for torn ones',
    `Pictures of a dissolve or a fade, and others without a readable code between two sources. They are received, and no loss. ${watched}`,
    'frame code',
  ),
]);
