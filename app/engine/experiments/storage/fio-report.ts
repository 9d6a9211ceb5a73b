import { z } from 'zod';
import { WhitelineError } from '../../../protocol/errors';
import type { StorageOperation } from '../../../protocol/experiments/storage/declaration';
import { safeParse } from '../../../protocol/safe-parse';
import { toolFailed, toolNonsense } from '../../tools/tool-problem';

/** What fio says of one pass. */
export interface FioReport {
  version: string;
  /** What fio says that it was asked for, by its own names and in its own words. */
  options: Readonly<Record<string, string>>;
  megabytesPerSecond: number;
  requestsPerSecond: number;
  megabytes: number;
  /** As fio took it; null: not reported. */
  seconds: number | null;
  /** Other percentiles of the same time; null: not reported. */
  latencyP50Ms: number | null;
  latencyP999Ms: number | null;
  /** 99th percentile of the time from handing a request over to its end. */
  latencyP99Ms: number;
}

const [p50, p99, p999] = ['50.000000', '99.000000', '99.900000'] as const;
const notNegative = z.number().nonnegative();
const positive = z.number().positive();

const sideSchema = z.object({
  io_bytes: positive,
  bw_bytes: positive,
  iops: positive,
  runtime: notNegative.optional(),
  clat_ns: z.object({
    percentile: z.object({
      ...{ [p50]: notNegative.optional(), [p99]: notNegative, [p999]: notNegative.optional() },
    }),
  }),
});

const reportSchema = z.object({
  'fio version': z.string().min(1),
  // All threads of a pass are one group.
  jobs: z.tuple([
    z.object({ error: z.int(), 'job options': z.record(z.string(), z.string()).optional() }).loose(),
  ]),
});

/** Numbers of Linux. */
const noSpaceError = 28;
const quotaError = 122;

/**
 * Reads the report of `fio --output-format=json`, before which fio writes its complaints.
 * @throws WhitelineError DISK_FULL; TOOL_FAILED with what fio said, or where this is none of its reports
 */
export function parseFioReport(output: string, operation: StorageOperation): FioReport {
  const start = output.search(/^\{$/m);
  const said = start < 0 ? output : output.slice(0, start);
  if (start < 0) throw toolNonsense('fio', 'no JSON', output);
  const report = checked(reportSchema, jsonOf(output.slice(start), output), output);
  const [job] = report.jobs;
  if (job.error === noSpaceError || job.error === quotaError) throw diskFull(said);
  if (job.error !== 0) throw toolFailed('fio', said || `error ${job.error}`);
  // A pass that moved nothing ends without an error, and with a complaint.
  if (said && !safeParse(sideSchema, job[operation]).success) throw toolFailed('fio', said);
  const side = checked(sideSchema, job[operation], output);
  const { percentile } = side.clat_ns;
  return {
    version: report['fio version'],
    options: job['job options'] ?? {},
    megabytesPerSecond: side.bw_bytes / 1e6,
    requestsPerSecond: side.iops,
    megabytes: side.io_bytes / 1e6,
    seconds: side.runtime === undefined ? null : side.runtime / 1000,
    latencyP50Ms: milliseconds(percentile[p50]),
    latencyP99Ms: percentile[p99] / 1e6,
    latencyP999Ms: milliseconds(percentile[p999]),
  };
}

function milliseconds(ns: number | undefined): number | null {
  return ns === undefined ? null : ns / 1e6;
}

function jsonOf(json: string, output: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw toolNonsense('fio', 'no JSON', output);
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, output: string): z.output<Schema> {
  const result = safeParse(schema, value);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') || 'the report';
  throw toolNonsense('fio', `${path} is not what it should be`, output);
}

function diskFull(said: string): WhitelineError {
  return new WhitelineError({
    code: 'DISK_FULL',
    message: `The disk became full while it was measured: ${said.trim().split('\n')[0] ?? ''}`,
    field: 'folders',
    remedy: 'Free some space, or give a smaller --size-mib; the test file has been removed',
  });
}
