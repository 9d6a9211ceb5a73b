import { table, total } from './metric';

const burst = 'sound records and capture records of the receiver';

/** Sound against picture. */
export const soundMetrics = table([
  {
    id: 'audioOffsetMs',
    heading: 'Audio offset',
    unit: 'ms',
    digits: 1,
    direction: 'none',
    signed: true,
    aggregate: 'farthest-of-known',
    formula: 'median over the tone bursts of (arrival of the burst’s first sample − capture of its picture)',
    description:
      'Offset of sound against picture at the receiver: positive when the sound is late. Of several streams: the largest offset.',
    source: burst,
  },
  {
    id: 'audioDriftMs',
    heading: 'Audio drift',
    unit: 'ms',
    digits: 1,
    direction: 'none',
    signed: true,
    aggregate: 'farthest-of-known',
    formula: 'slope of a line through the bursts’ offsets · length of the row',
    description:
      'How much the offset of sound against picture changed from the row’s first frame to its last.',
    source: burst,
  },
  total(
    'audioBlocksMissing',
    'Audio missing',
    'lower',
    'submitted frames whose block of sound never came',
    'Lost blocks of sound. Each frame is sent with one block.',
    'metadata of the sound, submit records',
  ),
]);
