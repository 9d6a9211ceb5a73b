import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';

/** What another program did to the test file: in bytes, places or milliseconds. */
export type FileChange = {
  what: 'size' | 'allocated' | 'zeros' | 'written';
  found: number;
  expected: number;
};

export const storageReasons = {
  'passes-short': (of: Of<{ done: number; wanted: number }>) =>
    `${of.number('done')} of ${of.number('wanted')} passes were measured`,
  'test-file-changed': (of: Of<{ path: string } & FileChange>) =>
    `another program changed the test file ${of.word('path')}: ${changeText(of)}. So what was measured is not the disk: ` +
    'keep other programs from writing to this file, and measure again',
} satisfies ReasonWords;

function changeText(of: Of<FileChange>): string {
  const mib = (name: 'found' | 'expected'): string =>
    of.number(name, (bytes) => oneDigit(bytes / 1024 / 1024));
  switch (of.word('what')) {
    case 'size':
      return `it has ${of.number('found')} bytes, and had ${of.number('expected')}`;
    case 'allocated':
      return `it takes ${mib('found')} MiB of the disk, and took ${mib('expected')} MiB`;
    case 'zeros':
      return `${of.number('found')} of ${of.number('expected')} places that were read in it hold zeros alone`;
    default:
      return 'it was written to while it was only read here';
  }
}
