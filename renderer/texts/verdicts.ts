import type { Verdict } from '../../app/protocol/verdict';

type Meanings = Record<Verdict, string>;

function nothingSaid(what: string): string {
  return `The instrument itself could not keep up: nothing is said about ${what}.`;
}

const streams: Meanings = {
  PASS: 'Flawless: no frame was lost.',
  WARN: 'Acceptable: the few frames lost are within the thresholds, losses were not measured, or the machine was busy before the first stream.',
  FAIL: 'Frames were lost or not sent, a stream stood still or never came, or the goal was not reached.',
  INVALID: nothingSaid('the thing under test'),
};

/** What a verdict says of a run: words about frames belong to runs with streams alone. */
const meanings: Readonly<Record<string, Meanings>> = {
  'codec-quality': {
    PASS: 'Every case was measured without a lost frame, and no frame is worse than the limit.',
    WARN: 'Every case was measured and no frame is worse than the limit, but a row has a reservation.',
    FAIL: 'A case was not measured, frames were lost, or a frame is worse than the limit.',
    INVALID: nothingSaid('the codec'),
  },
  link: {
    PASS: 'The link carries what is wanted of it.',
    WARN: 'The link carries less than is wanted or loses a little, or its speed is not known.',
    FAIL: 'The link carries too little or loses too much.',
    INVALID: nothingSaid('the link'),
  },
  storage: {
    PASS: 'The folders are read fast enough for the movies that are wanted.',
    WARN: 'The folders are read fast enough with little to spare, or the test could not show it for certain.',
    FAIL: 'A folder is read too slowly for the movies that are wanted.',
    INVALID: nothingSaid('the storage'),
  },
  preflight: {
    PASS: 'Every check is OK.',
    WARN: 'No check found a problem, but one has a warning or its answer is unknown.',
    FAIL: 'A check found a problem.',
    INVALID: nothingSaid('this machine'),
  },
};

export function verdictMeanings(experiment: string): Meanings {
  return meanings[experiment] ?? streams;
}
