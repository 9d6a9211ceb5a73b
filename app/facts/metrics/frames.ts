import type { SpoiltFigure } from '../spoilt';
import { shownMetrics } from './display';
import { aggregated, count, detailed, extreme, inGroup, type Metric, table, total } from './metric';
import { programmeMetrics } from './programme';

/** A kind of frame that was received, but not as it was sent. */
function spoilt<const Id extends SpoiltFigure>(
  id: Id,
  heading: string,
  formula: string,
  description: string,
): Metric<Id> {
  const lost = 'It is received, and for the verdict it is lost.';
  return total(id, heading, 'lower', formula, `${description} ${lost}`, 'frame code and white line');
}

/** Frames, stage by stage. */
export const frameMetrics = table([
  count('streams', 'Streams', 'none', 'streams in the row', 'Streams that were open and measured.', 'engine'),
  ...inGroup('frames', [
    total(
      'framesScheduled',
      'Scheduled',
      'none',
      'slots of the schedule in the row',
      'Frames the schedule asked for.',
      'source thread',
    ),
    total(
      'framesLateSource',
      'Late source',
      'lower',
      'slots released with the picture before',
      'The movie’s picture was not ready at its slot: the sender submitted the previous picture again, with a new white line and frame code.',
      'source thread',
    ),
    total(
      'framesLateSourceDisk',
      'late: disk',
      'lower',
      'late slots of cause disk',
      'Late because reading the movie’s file took too long. Not measured for a movie that ffmpeg plays.',
      'source thread',
    ),
    total(
      'framesLateSourceDecode',
      'late: decode',
      'lower',
      'late slots of cause decode',
      'Late because decoding took too long: the CPU was too slow. Not measured for a movie that ffmpeg plays.',
      'source thread',
    ),
    total(
      'framesLateSourceDamaged',
      'late: damaged',
      'lower',
      'late slots of cause damaged',
      'The movie’s picture could not be read or decoded at all. Not measured for a movie that ffmpeg plays.',
      'source thread',
    ),
    total(
      'framesSenderMissed',
      'Missed',
      'lower',
      'slots whose submit had not begun by the next slot',
      'Nothing was submitted for the slot; the number never appears.',
      'source thread, at the slot’s deadline',
    ),
    total(
      'framesSubmitted',
      'Submitted',
      'none',
      'submit records',
      'Frames handed to the transport.',
      'sender thread, before the send call',
    ),
    total(
      'picturesCaptured',
      'Captured',
      'none',
      'capture records = received + duplicated + undecodable unmatched',
      'Pictures that the transport handed to the receiver.',
      'receiver thread',
    ),
    total(
      'framesReceived',
      'Received',
      'higher',
      'distinct frame numbers seen + undecodable pictures matched to a gap',
      'Frames that arrived, torn and damaged ones included.',
      'frame code, receiver thread',
    ),
  ]),
  ...inGroup('lost', [
    total(
      'framesDropped',
      'Dropped',
      'lower',
      'submitted numbers not seen when the row closed',
      'Submitted and never captured. The row closes at most 2 s after its last slot.',
      'submit records against capture records',
    ),
    {
      ...total(
        'framesDroppedReceiverQueue',
        'Dropped in queue',
        'lower',
        'per gap: min(gap, rise of the transport’s drop counter)',
        'Dropped because pictures were not fetched in time.',
        'capture records, the transport’s own counter',
      ),
      headingInGroup: 'in queue',
    },
    {
      ...total(
        'framesDroppedTransport',
        'Dropped in transport',
        'lower',
        'dropped − dropped in queue',
        'Dropped between our send call and our capture call, by the transport or the network.',
        'capture records',
      ),
      headingInGroup: 'in transport',
    },
    total(
      'framesMissing',
      'Missing',
      'lower',
      'numbers not seen between the first and the last one seen',
      'Frames lost of a stream whose sender’s records are unavailable, so the loss cannot be attributed to sender or transport. A lower bound where the reason says that some were not measured.',
      'frame code alone',
    ),
    {
      ...total(
        'framesInOutages',
        'In outages, estimate',
        'lower',
        'frame periods from the end of the last frame to the first picture of the sender that was started again, or to the row’s end',
        'An estimate: the frames that were due at the stream’s rate while no new picture came, and that no frame number reveals. No counted figure includes them.',
        'capture times',
      ),
      headingInGroup: 'in outages',
      isEstimate: true,
    },
  ]),
  ...inGroup('frames', [
    total(
      'framesDuplicated',
      'Duplicated',
      'lower',
      'captures of a number seen before, or reported in a row that is closed',
      'Pictures that came again.',
      'frame code',
    ),
    total(
      'framesReordered',
      'Reordered',
      'lower',
      'captures of a number lower than the highest seen and not seen before (RFC 4737)',
      'Received, but late by at least one frame.',
      'frame code',
    ),
    spoilt(
      'framesWrongSize',
      'Wrong size',
      'new numbers whose picture has another size than its sender announced',
      'The picture was scaled on its way, for example to a proxy.',
    ),
    spoilt(
      'framesTorn',
      'Torn',
      'new numbers whose two strips carry different contents, or whose rows next to a strip show another frame’s white line',
      'The picture is made of two frames; it counts as the frame with the later code.',
    ),
    spoilt(
      'framesStale',
      'Stale rows',
      'new numbers with rows inside the picture that show another frame’s white line',
      'Part of the picture belongs to another frame.',
    ),
    spoilt(
      'framesDamaged',
      'Damaged',
      'new numbers of which exactly one strip is valid, whose white line is absent where it would stand out, or of which the transport counts missing bytes',
      'Part of the picture is spoilt; the valid strip’s number counts.',
    ),
    spoilt(
      'framesDiscoloured',
      'Discoloured',
      'new numbers whose strips or line have a colour, or whose mean chroma is not the announced one',
      'Colours were lost or exchanged.',
    ),
    spoilt(
      'framesDimmed',
      'Dimmed',
      'new numbers whose strips have less than 60 % of the contrast that is stamped',
      'The picture’s levels were changed on its way.',
    ),
    spoilt(
      'framesMislabelled',
      'Mislabelled',
      'new numbers whose label or timecode is that of another frame',
      'The code in the picture and the times beside it disagree.',
    ),
    total(
      'framesSpoilt',
      'Spoilt',
      'lower',
      'wrong size + torn + stale rows + damaged + discoloured + dimmed + mislabelled',
      'Received, but not as they were sent. A frame with several of these faults counts once, as the first in the formula. For the verdict they are lost.',
      'frame code',
    ),
  ]),
  ...inGroup('lost', [
    total(
      'framesUndecodable',
      'Undecodable',
      'lower',
      'captures without a valid strip, matched to a gap',
      'A picture came where a frame number is missing, but its code cannot be read.',
      'frame code',
    ),
  ]),
  ...inGroup('frames', [
    total(
      'framesUndecodableUnmatched',
      'Unmatched',
      'lower',
      'captures without a valid strip, no gap around them',
      'An extra picture without a readable code: no frame number is missing there.',
      'frame code',
    ),
    ...shownMetrics,
    ...programmeMetrics,
  ]),
  total(
    'stalls',
    'Stalls',
    'lower',
    'intervals without a capture of max(0.5 s, 15 frames) or more; where the sender’s records are known, those in which it submitted; where they are not, captures of a number seen before end none; of a sender without our code, those in which it stamped frames',
    'The picture stood still.',
    'capture records',
  ),
  ...aggregated('largest', [
    {
      ...count(
        'worstWindowLost',
        'Worst window',
        'lower',
        'max over all windows of lostWindowSeconds (a threshold, 2 s) of (dropped + undecodable + spoilt)',
        'Lost frames in the worst window of the worst stream, by which the verdict is judged.',
        'frame numbers',
      ),
      ...extreme,
    },
    {
      ...count(
        'worstSecondLost',
        'Worst 1 s',
        'lower',
        'max over all 1 s windows of (dropped + undecodable + spoilt)',
        'Lost frames in the worst second of the worst stream.',
        'frame numbers',
      ),
      ...extreme,
    },
  ]),
  total(
    'picturesWrongSource',
    'Wrong source',
    'lower',
    'captures whose source or sender is not the one that was asked for',
    'Pictures of another sender; they count nowhere else. Usual causes: two senders share a name, a mixer shows another source, or a sender was restarted.',
    'frame code, metadata of the frame',
  ),
  ...detailed(
    (
      [
        ['of1', 'of 1', '1 frame'],
        ['of2', 'of 2', '2 frames'],
        ['of3to5', 'of 3–5', '3 to 5 frames'],
        ['of6to10', 'of 6–10', '6 to 10 frames'],
        ['of11to30', 'of 11–30', '11 to 30 frames'],
        ['over30', 'over 30', 'more than 30 frames'],
      ] as const
    ).map(([name, heading, length]) => ({
      ...total(
        `gapHistogram.${name}`,
        `Gaps ${heading}`,
        'lower',
        `runs of ${length} next to each other that were missed, dropped or undecodable`,
        `Gaps of ${length}, lost at the sender or on the way.`,
        'frame numbers',
      ),
      distribution: {
        heading: 'Gaps',
        formula: 'runs of as many frames next to each other that were missed, dropped or undecodable',
        description: 'Gaps of so many frames, lost at the sender or on the way',
      },
    })),
  ),
]);
