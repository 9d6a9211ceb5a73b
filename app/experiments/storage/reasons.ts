import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';

/** What another program did to the test file: in bytes, places or milliseconds. */
export type FileChange = {
  what: 'size' | 'allocated' | 'zeros' | 'written';
  found: number;
  expected: number;
};

/** A read rate against what the movies need that are to be played at once. */
type RateData = {
  readMBps: number;
  /** Movies that are wanted, and for which the rate is enough. */
  streams: number;
  possible: number;
  format: string;
  eachMBps: number;
  assumption: string;
};

export const storageReasons = {
  'reads-fast-enough': (of: Of<RateData & { roomy: number; sparePercent: number }>) => {
    const [possible, roomy] = [of.count('possible'), of.count('roomy')];
    const most = `${rateText(of)}: enough for ${movies(possible)} of ${eachText(of)}`;
    const spare = `${of.number('sparePercent')} % to spare`;
    if (roomy < of.count('streams')) return `${most}, with less than ${spare}`;
    return roomy < possible ? `${most}, for ${roomy} with ${spare}` : most;
  },
  'reads-too-slowly': (of: Of<RateData>) => {
    const only = of.count('possible') > 0 ? `, only for ${of.number('possible')}` : '';
    return `${rateText(of)}: not enough for ${movies(of.count('streams'))} of ${eachText(of)}${only}`;
  },
  'through-memory': () => 'may be the speed of memory: this file system is in memory or refuses O_DIRECT',

  'passes-short': (of: Of<{ done: number; wanted: number }>) =>
    `${of.number('done')} of ${of.number('wanted')} repeats were measured`,
  'test-file-changed': (of: Of<{ path: string } & FileChange>) =>
    `another program changed the test file ${of.word('path')}: ${changeText(of)}. So the disk was not what was measured: ` +
    'keep other programs from writing to this file, and measure again',
} satisfies ReasonWords;

function rateText(of: Of<RateData>): string {
  return `reads ${of.number('readMBps')} MB/s`;
}

function eachText(of: Of<RateData>): string {
  return `${of.word('format')} at ${of.number('eachMBps')} MB/s each (${of.word('assumption')})`;
}

function movies(count: number): string {
  return `${count} Hap Q ${count === 1 ? 'stream' : 'streams'}`;
}

function changeText(of: Of<FileChange>): string {
  const mib = (name: 'found' | 'expected'): string =>
    of.number(name, (bytes) => oneDigit(bytes / 1024 / 1024));
  switch (of.word('what')) {
    case 'size':
      return `it has ${of.number('found')} bytes instead of ${of.number('expected')}`;
    case 'allocated':
      return `it takes ${mib('found')} MiB of the disk instead of ${mib('expected')} MiB`;
    case 'zeros':
      return `${of.number('found')} of ${of.number('expected')} places that were read in it hold only zeros`;
    default:
      return 'it was written to while this run only read it';
  }
}
