import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { parseFormat } from '../../protocol/format';
import { parsedBy } from '../../protocol/parsed-by';
import { onField } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration, nothingSaid } from '../declaration';

/** CrystalDiskMark's four tests, by the names that it shows. */
export const storageTests = ['SEQ1M-Q8T1', 'SEQ1M-Q1T1', 'RND4K-Q32T16', 'RND4K-Q1T1'] as const;
export const storageOperations = ['read', 'write'] as const;

export type StorageTest = (typeof storageTests)[number];
export type StorageOperation = (typeof storageOperations)[number];

/** Parameters of the `storage` experiment. */
export const storageParameters = z.strictObject({
  folders: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(8)
    .default(['.'])
    .describe('Folders of a disk or a mounted share; each is measured, and compared with the first one')
    .meta({ title: 'Folders to test' }),
  sizeMib: z
    .int()
    .min(16)
    .max(1_048_576)
    .default(1024)
    .describe('Size of the test file, MiB; at most a tenth of the free space')
    .meta({ title: 'Test file size' }),
  repeats: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('How often each test is run')
    .meta({ title: 'Repeats per test' }),
  holdSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(5)
    .describe('Length of each repeat, s')
    .meta({ title: 'Time per repeat' }),
  tests: z
    .array(z.enum(storageTests))
    .min(1)
    .max(4)
    .default([...storageTests])
    .describe('Which tests are run')
    .meta({ title: 'Tests' }),
  operations: z
    .array(z.enum(storageOperations))
    .min(1)
    .max(2)
    .default([...storageOperations])
    .describe('read, write')
    .meta({ title: 'Read or write' }),
  format: z
    .string()
    .superRefine(parsedBy((text) => parseFormat(text)))
    .default('3840x2160@60')
    .describe('Size and frame rate of the Hap Q movies to be played from these folders')
    .meta({ title: 'Movie format, size@rate' }),
  clip: z
    .string()
    .max(60)
    .optional()
    .describe(
      'Clip of the content battery whose measured Hap Q bitrate is used, for example flares; default: the most ' +
        'that Hap Q can need, 1 byte per pixel',
    )
    .meta({ title: 'Clip that sets the bitrate' }),
  streams: z
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Hap Q movies that have to play at the same time for a folder to pass')
    .meta({ title: 'Movies at the same time' }),
  lineRateMbps: z
    .number()
    .min(0.01)
    .max(1_000_000)
    .optional()
    .describe('Speed of the link to a share, Mb/s; default: that of the interface towards its server')
    .meta({ title: 'Link speed to a share' }),
  on: onField,
});

export type StorageParameters = z.infer<typeof storageParameters>;

/** A disk or a share that writes more slowly is not waited for. */
const slowestMibPerSecond = 5;

export const storageDeclaration: ExperimentDeclaration<typeof storageParameters> = {
  id: 'storage',
  order: 60,
  title: 'Storage',
  purpose:
    'Is the disk or the share fast enough? fio runs the four tests of CrystalDiskMark on a test file, and the ' +
    'figures are compared with what Hap Q movies need.',
  study:
    'NDI performance testing, Derivative / Cocolabs, October 2019 (CrystalDiskMark over a network share)',
  parameters: storageParameters,
  basic: ['folders', 'sizeMib', 'format', 'streams', 'holdSeconds', 'on'],
  elsewhere: {
    parameters: storageParameters.omit({ on: true, folders: true }),
    places: { folders: 'folders' },
    // The test file is written first.
    silentSeconds: ({ sizeMib }) => sizeMib / slowestMibPerSecond,
  },
  renamedParameters: { passes: 'repeats', passSeconds: 'holdSeconds' },
  columns: [
    ...columnsOf('step', 'storage.folder'),
    ...kindsOf('storage.operation', 'storage.test'),
    ...columnsOf('measure', 'storage.bestMBps', 'storage.medianMBps'),
    ...columnsOf('spread', 'storage.spreadMBps'),
    ...columnsOf('measure', 'storage.medianIops', 'storage.latencyP99Ms', 'storage.cpuPercent'),
    ...columnsOf('measure', 'storage.lineRatePercent', 'storage.differencePercent'),
    ...columnsOf('count', 'storage.hapQStreams'),
  ],
  charts: [
    chartOf('Rate', { Best: 'storage.bestMBps', Median: 'storage.medianMBps' }),
    ...chartsOfEach('storage.medianIops', 'storage.latencyP99Ms', 'storage.cpuPercent'),
    ...chartsOfEach('storage.lineRatePercent', 'storage.differencePercent'),
  ],
  verdictWords: {
    PASS: 'The folders can be read fast enough for these movies.',
    WARN: 'The folders can be read fast enough, but with little to spare; or the test could not show it for certain.',
    FAIL: 'A folder cannot be read fast enough for these movies.',
    INVALID: nothingSaid('the storage'),
  },
  expectedSeconds: ({ folders, tests, operations, repeats, holdSeconds }) =>
    folders.length * tests.length * operations.length * repeats * holdSeconds,
};
