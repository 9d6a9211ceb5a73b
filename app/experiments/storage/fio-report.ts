import { z } from 'zod';
import { readToolReport, type ToolOutput, unusable } from '../../engine/tools/tool-json';
import { toolFailed } from '../../engine/tools/tool-problem';
import { hasFeature } from '../../engine/tools/tool-versions';
import { WhitelineError } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import type { StorageOperation } from './declaration';

/** What fio says of one pass; null: this version, or fio on this system, does not report it. */
export interface FioReport {
  /** Such as "fio-3.33". */
  version: string | null;
  /** What fio says that it was asked for, by its own names and in its own words. */
  options: Readonly<Record<string, string>>;
  megabytesPerSecond: number;
  requestsPerSecond: number | null;
  megabytes: number | null;
  /** As fio took it. */
  seconds: number | null;
  /** Percentiles of the time from handing a request over to its end. */
  latencyP50Ms: number | null;
  latencyP99Ms: number | null;
  latencyP999Ms: number | null;
  /** Warnings and other text beside the report. */
  said?: string;
}

/** No pass moves as much. */
const most = 1e18;
const figure = z.number().nonnegative().max(most).nullable().catch(null);
const wholeMs = z.int().nonnegative().nullable().catch(null);
const percentiles = z.record(z.string(), z.unknown()).catch({});
const latency = z.object({ percentile: percentiles }).catch({ percentile: {} });

/** Units of `io_bytes` and names of the times: see `fioBytesAndNanoseconds`. */
const sideSchema = z.object({
  ...{ io_bytes: figure, io_kbytes: figure, bw_bytes: figure, bw: figure, iops: figure, runtime: wholeMs },
  ...{ clat_ns: latency, clat: latency },
});
type Side = z.output<typeof sideSchema>;

const options = z.record(z.string(), z.string()).catch({});
const reportSchema = z.object({
  'fio version': z.string().nullable().catch(null),
  'global options': options,
  // All threads of a pass are one group.
  jobs: z.tuple([z.object({ error: z.int().catch(0), 'job options': options }).loose()]),
});

/** Numbers of Linux. */
const noSpaceError = 28;
const quotaError = 122;
const bytesPerKib = 1024;

/**
 * Reads the report of `fio --output-format=json`, of any version from 2 on, beside which fio writes its complaints.
 * @throws WhitelineError DISK_FULL; TOOL_FAILED with what fio said, where it reports an error, moved nothing, or this is no report
 */
export function parseFioReport(
  stdout: string,
  operation: StorageOperation,
  beside: Partial<ToolOutput> = {},
): FioReport {
  const output = { stderr: '', exitCode: 0, ...beside, stdout };
  const { report, said } = readToolReport('fio', output);
  const parsed = safeParse(reportSchema, report);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') || 'the report';
    throw unusable('fio', `${path} is not what it should be`, output.exitCode, said);
  }
  const { jobs, 'fio version': version } = parsed.data;
  const [job] = jobs;
  if (job.error === noSpaceError || job.error === quotaError) throw diskFull(said);
  if (job.error !== 0) throw toolFailed('fio', said || `error ${job.error}`);
  if (output.exitCode !== 0) throw toolFailed('fio', said || `it ended with status ${output.exitCode}`);
  const side = safeParse(sideSchema, job[operation]);
  if (!side.success) throw unusable('fio', `it reports no ${operation}`, output.exitCode, said);
  return {
    version,
    options: { ...parsed.data['global options'], ...job['job options'] },
    ...figuresOf(side.data, version, said),
    ...(said && { said }),
  };
}

function figuresOf(
  side: Side,
  version: string | null,
  said: string,
): Omit<FioReport, 'version' | 'options' | 'said'> {
  const isWhole = hasFeature('fioBytesAndNanoseconds', version) ?? side.io_kbytes !== null;
  const bytes = side.io_bytes === null ? null : side.io_bytes * (isWhole ? 1 : bytesPerKib);
  const seconds = side.runtime === null ? null : side.runtime / 1000;
  const byTime = bytes !== null && seconds ? bytes / seconds : null;
  const bytesPerSecond = side.bw_bytes || bytesPerKib * (side.bw ?? 0) || byTime;
  // A pass that moved nothing ends without an error, and with a complaint.
  if (bytes === 0 || !bytesPerSecond) throw toolFailed('fio', said || 'it moved nothing');
  const timeMs = (percent: number): number | null => {
    const isSame = ([name]: readonly [string, unknown]): boolean => Number(name) === percent;
    const of = (named: Side['clat']): unknown => Object.entries(named.percentile).find(isSame)?.[1];
    const [ns, us] = [figure.parse(of(side.clat_ns)), figure.parse(of(side.clat))];
    if (ns !== null) return ns / 1e6;
    return us === null ? null : us / 1e3;
  };
  return {
    megabytesPerSecond: bytesPerSecond / 1e6,
    requestsPerSecond: side.iops || null,
    ...{ megabytes: bytes === null ? null : bytes / 1e6, seconds },
    ...{ latencyP50Ms: timeMs(50), latencyP99Ms: timeMs(99), latencyP999Ms: timeMs(99.9) },
  };
}

function diskFull(said: string): WhitelineError {
  return new WhitelineError({
    code: 'DISK_FULL',
    message: `The disk became full while it was measured: ${said.trim().split('\n')[0] ?? ''}`,
    field: 'folders',
    remedy: 'Free some space, or give a smaller --size-mib; the test file has been removed',
  });
}
