import type { ContextWith } from '../../engine/experiment/experiment';
import type { RunTool } from '../../engine/tools/run-tool';
import { refuseKilled } from '../../engine/tools/tool-problem';
import type { StorageOperation, StorageTest } from './declaration';
import { type FioReport, parseFioReport } from './fio-report';
import { pathOf, type TestFile } from './test-file';

interface Pattern {
  sequential: boolean;
  blockKib: number;
  queueDepth: number;
  threads: number;
}

/** CrystalDiskMark's own: block size, requests under way in each thread, threads. */
const patterns: Record<StorageTest, Pattern> = {
  'SEQ1M-Q8T1': { sequential: true, blockKib: 1024, queueDepth: 8, threads: 1 },
  'SEQ1M-Q1T1': { sequential: true, blockKib: 1024, queueDepth: 1, threads: 1 },
  'RND4K-Q32T16': { sequential: false, blockKib: 4, queueDepth: 32, threads: 16 },
  'RND4K-Q1T1': { sequential: false, blockKib: 4, queueDepth: 1, threads: 1 },
};

export function blockBytesOf(test: StorageTest): number {
  return 1024 * patterns[test].blockKib;
}

/** fio needs some to start its threads and to wait for the last requests. */
const graceSeconds = 30;
/** Below this, laying out the file is given up. */
const slowestMibPerSecond = 1;

/** What of a run it uses. */
type Running = Pick<ContextWith<'tools'>, 'signal' | 'tools'>;

/** In fio, where it is the first after the standard ones. */
const testFileDescriptor = 3;

function commonArguments(name: string, { direct }: TestFile, sizeMib: number): string[] {
  return [
    ...[`--name=${name}`, `--filename=${pathOf(testFileDescriptor)}`, `--size=${sizeMib}m`],
    ...['--ioengine=libaio', `--direct=${direct ? 1 : 0}`, '--thread', '--group_reporting'],
    // Other data in each block, since some disks compress.
    ...['--allow_file_create=0', '--randrepeat=0', '--refill_buffers', '--output-format=json'],
  ];
}

export function passArguments(
  test: StorageTest,
  operation: StorageOperation,
  file: TestFile,
  { sizeMib, holdSeconds }: { sizeMib: number; holdSeconds: number },
): string[] {
  const { sequential, blockKib, queueDepth, threads } = patterns[test];
  return [
    ...commonArguments(test, file, sizeMib),
    ...[`--rw=${sequential ? '' : 'rand'}${operation}`, `--bs=${blockKib}k`],
    ...[`--iodepth=${queueDepth}`, `--numjobs=${threads}`],
    // Without a fixed time, a test of a small file is over in a moment.
    ...['--time_based', `--runtime=${Math.round(holdSeconds * 1000)}ms`],
  ];
}

/** @throws WhitelineError TOOL_FAILED, DISK_FULL, ABORTED */
export async function runPass(
  ...[file, args, operation, passSeconds, context]: [TestFile, string[], StorageOperation, number, Running]
): Promise<FioReport> {
  return runFio(file, args, operation, passSeconds + graceSeconds, context);
}

/** Fills the file once: reads of blocks that were never written never reach a disk. */
export async function layOut(file: TestFile, sizeMib: number, context: Running): Promise<void> {
  const args = [
    ...commonArguments('lay-out', file, sizeMib),
    ...['--rw=write', '--bs=1024k', '--iodepth=8', '--numjobs=1', '--end_fsync=1'],
  ];
  await runFio(file, args, 'write', sizeMib / slowestMibPerSecond + graceSeconds, context);
}

async function runFio(
  { descriptor }: TestFile,
  args: string[],
  operation: StorageOperation,
  timeoutSeconds: number,
  { tools, signal }: Running,
): Promise<FioReport> {
  const result = await tools.run({ file: 'fio', args, timeoutSeconds, signal, descriptors: [descriptor] });
  refuseKilled('fio', result);
  return parseFioReport(result.stdout, operation, result);
}

/** Such as "fio-3.33"; null if it does not report it. */
export async function fioVersion(run: RunTool): Promise<string | null> {
  const { stdout } = await run({ file: 'fio', args: ['--version'], timeoutSeconds: graceSeconds });
  return /^fio-\S+/m.exec(stdout)?.[0] ?? null;
}
